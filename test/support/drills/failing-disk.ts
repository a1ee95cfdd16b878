import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPostgres, type PostgresCluster } from "../../../scripts/postgres.ts";
import { startPlatformProcess, type RunningPlatform } from "../platform-process.ts";
import { childrenOf } from "./loop-disk.ts";
import { findTool } from "./tools.ts";

/** Why no system call can be made to fail here; undefined where it can. */
export const missingFaults: string | undefined =
  process.platform !== "linux"
    ? "needs Linux"
    : findTool("strace") === undefined
      ? "needs strace"
      : undefined;

/** System calls that fail with EIO, as a damaged disk makes them fail. */
export interface DiskFault {
  readonly name: string;
  /** Names of system calls, separated by commas. */
  readonly calls: string;
  /** The file in the data directory whose calls fail; by default those of all files. */
  readonly file?: string;
  /** `40` is each thread's fortieth call alone, `40+` that one and all after it. */
  readonly when: string;
  /** The answer of a failing call: by default the error, 0 for a disk that lies. */
  readonly answer?: "error=EIO" | "retval=0";
}

/** A platform and its database server, each of whose disk can fail. */
export class FailingPlatform implements AsyncDisposable {
  readonly #servers = new Set<PostgresCluster>();

  private constructor(
    private readonly options: {
      readonly executable: string;
      readonly home: string;
      /** Where `initdb` and `postgres` are; without it the database is SQLite. */
      readonly postgres?: string | undefined;
      /** More arguments of the platform. */
      readonly args?: readonly string[];
    },
    private readonly base: string,
  ) {}

  static async create(options: FailingPlatform["options"]): Promise<FailingPlatform> {
    // The account of the database server reaches it, unlike a private directory.
    const base = await mkdtemp("/tmp/svc-failing-");
    await chmod(base, 0o711);
    const made = new FailingPlatform(options, base);
    if (options.postgres !== undefined) {
      const server = await made.#server(options.postgres);
      await server.createDatabase("drill");
      await made.#stop(server);
    }
    return made;
  }

  get dataDir(): string {
    return join(this.base, "data");
  }

  readonly start = (): Promise<RunningPlatform> => this.startWith(undefined);

  /** Starts it with the fault in the files of the platform, or of its database server. */
  async startWith(fault: DiskFault | undefined): Promise<RunningPlatform> {
    const { executable, home, postgres, args: more = [] } = this.options;
    const { dataDir } = this;
    if (postgres === undefined) {
      const path = join(this.base, "traced-svc");
      const program =
        fault === undefined ? executable : await tracedProgram(path, executable, fault, dataDir);
      const options = { executable: program, dataDir, home, args: more };
      const platform = await startPlatformProcess(options);
      return this.#ending(platform);
    }
    const server = await this.#server(postgres);
    try {
      const args = [`--database-url=${server.urlOf("drill")}`, ...more];
      const platform = await startPlatformProcess({ executable, dataDir, home, args });
      // Not from its start on, because its recovery gives up at the first failure.
      const tracer = fault === undefined ? undefined : await attach(fault, server.pid);
      return this.#ending(platform, async () => {
        await this.#stop(server);
        tracer?.kill("SIGKILL");
      });
    } catch (error) {
      await this.#stop(server);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) await this.#stop(server);
    await rm(this.base, { recursive: true, force: true });
  }

  /** Ends the traced process itself: its tracer ignores signals. */
  #ending(platform: RunningPlatform, afterwards?: () => Promise<void>): RunningPlatform {
    const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<number> => {
      try {
        process.kill(platform.pid, signal);
      } catch {
        // The process has ended already.
      }
      const exitCode = await platform.exited;
      await afterwards?.();
      return exitCode;
    };
    return {
      ...platform,
      stop: () => end("SIGTERM"),
      kill: async () => void (await end("SIGKILL")),
      [Symbol.asyncDispose]: async () => void (await end("SIGTERM")),
    };
  }

  async #server(postgres: string): Promise<PostgresCluster> {
    const directory = join(this.base, "postgresql");
    await mkdir(directory, { recursive: true });
    const server = await startPostgres(postgres, { isDurable: true, directory });
    this.#servers.add(server);
    return server;
  }

  async #stop(server: PostgresCluster): Promise<void> {
    if (this.#servers.delete(server)) await server.stop();
  }
}

/** Writes a program that runs another one with the fault; answers its path. */
export async function tracedProgram(
  path: string,
  executable: string,
  fault: DiskFault,
  folder = "",
): Promise<string> {
  const place = fault.file === undefined ? [] : ["-P", join(folder, fault.file)];
  const words = [...tracer(fault), ...place, executable].map((word) => `'${word}'`);
  await writeFile(path, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`, { mode: 0o700 });
  return path;
}

function tracer({ calls, when, answer = "error=EIO" }: DiskFault): string[] {
  const inject = `inject=${calls}:${answer}:when=${when}`;
  const quiet = ["-f", "-qq", "-o", "/dev/null"];
  return [findTool("strace") ?? "strace", ...quiet, "-e", `trace=${calls}`, "-e", inject];
}

const attachLimitMs = 5_000;

/** Traces a running process with its children, and those that it starts. */
async function attach(fault: DiskFault, pid: number): Promise<Bun.Subprocess> {
  const pids = [pid, ...(await childrenOf(new Set([pid])))];
  const places = pids.flatMap((each) => ["-p", String(each)]);
  const child = Bun.spawn([...tracer(fault), ...places], { stdio: ["ignore", "ignore", "ignore"] });
  const status = (): Promise<string> => Bun.file(`/proc/${pid}/status`).text();
  const endsAtMs = performance.now() + attachLimitMs;
  while (/^TracerPid:\s+0$/m.test(await status())) {
    if (performance.now() > endsAtMs) throw new Error("strace could not attach");
    await Bun.sleep(20);
  }
  return child;
}
