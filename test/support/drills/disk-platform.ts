import { chmod, mkdir, mkdtemp, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres.ts";
import { startPlatformProcess, type RunningPlatform } from "../platform-process.ts";
import { tracedProgram } from "./failing-disk.ts";
import { LoopDisk } from "./loop-disk.ts";
import { runTool } from "./tools.ts";

const usualDiskBytes = 768 * 1024 * 1024;

export interface DiskPlatformOptions {
  readonly executable: string;
  readonly home: string;
  /** Where `initdb` and `postgres` are; without it the database is SQLite. */
  readonly postgres?: string | undefined;
  readonly diskBytes?: number;
  /** More arguments of the platform. */
  readonly args?: readonly string[];
  /** False for a platform whose syncs do nothing, which loses writes: to test the drill. */
  readonly hasSyncs?: boolean;
}

/** A platform with all its data, and its database server, on a disk whose power can be cut. */
export class DiskPlatform implements AsyncDisposable {
  #server: PostgresCluster | undefined;

  private constructor(
    private readonly options: DiskPlatformOptions,
    private readonly base: string,
    private readonly disk: LoopDisk,
  ) {}

  static async create(options: DiskPlatformOptions): Promise<DiskPlatform> {
    // The account of the database server reaches it, unlike a private directory.
    const base = await mkdtemp("/tmp/svc-disk-");
    await chmod(base, 0o711);
    const { diskBytes = usualDiskBytes } = options;
    const made = new DiskPlatform(options, base, await LoopDisk.create(base, diskBytes));
    await mkdir(join(made.disk.folder, "postgresql"));
    if (options.postgres !== undefined) {
      await made.#startServer();
      await made.#server?.createDatabase("drill");
      await made.#stopServer();
      // The making of a cluster does not sync.
      await runTool("sync", "-f", made.disk.folder);
    }
    return made;
  }

  /** Fills the disk up to a rest with a file that {@link makeRoom} removes. */
  async fill(restBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.disk.folder);
    const file = await open(this.#ballast, "a");
    const chunk = new Uint8Array(1024 * 1024);
    try {
      for (let left = bavail * bsize - restBytes; left > 0; left -= chunk.length) {
        await file.write(chunk, 0, Math.min(left, chunk.length));
      }
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await rm(this.#ballast, { force: true });
    await runTool("sync", "-f", this.disk.folder);
  }

  get #ballast(): string {
    return join(this.disk.folder, "ballast");
  }

  /** Starts the platform with what the last life has left; `kill` cuts the power. */
  readonly start = async (): Promise<RunningPlatform> => {
    const url = await this.#startServer();
    const { home, hasSyncs = true } = this.options;
    const executable = hasSyncs ? this.options.executable : await this.#withoutSyncs();
    const dataDir = join(this.disk.folder, "data");
    const { args: more = [] } = this.options;
    const args = url === undefined ? more : [`--database-url=${url}`, ...more];
    const platform = await startPlatformProcess({ executable, home, dataDir, args }).catch(
      async (error: unknown) => {
        await this.#stopServer();
        throw error;
      },
    );
    let isOff = false;
    const stop = async (): Promise<number> => {
      isOff = true;
      // A tracer ignores all signals.
      if (isRunning(platform.pid)) process.kill(platform.pid, "SIGTERM");
      const exitCode = await platform.exited;
      await this.#stopServer();
      return exitCode;
    };
    return {
      ...platform,
      kill: async () => {
        if (isOff) return;
        isOff = true;
        const server = this.#server;
        this.#server = undefined;
        await this.disk.cutPower([...(server === undefined ? [] : [server.pid]), platform.pid]);
        await platform.exited;
      },
      stop,
      [Symbol.asyncDispose]: async () => void (await stop()),
    };
  };

  async #withoutSyncs(): Promise<string> {
    const { executable } = this.options;
    const calls = "fsync,fdatasync,sync_file_range";
    const fault = { name: "no sync", calls, when: "1+", answer: "retval=0" } as const;
    return tracedProgram(join(this.base, "traced-svc"), executable, fault);
  }

  async #startServer(): Promise<string | undefined> {
    const { postgres } = this.options;
    if (postgres === undefined) return undefined;
    const directory = join(this.disk.folder, "postgresql");
    this.#server = await startPostgres(postgres, { isDurable: true, directory });
    return this.#server.urlOf("drill");
  }

  async #stopServer(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stopServer();
    await this.disk[Symbol.asyncDispose]();
    await rm(this.base, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
