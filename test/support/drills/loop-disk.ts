import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findTool, runTool } from "./tools.ts";

/** More than a drill takes: only what a program syncs reaches the disk. */
const commitSeconds = 300;

/** Why no disk of a file can be mounted here; undefined where one can. */
export async function missingLoopDisk(directory: string): Promise<string | undefined> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "needs root on Linux";
  for (const tool of ["mkfs.ext4", "mount", "umount", "cp"]) {
    if (findTool(tool) === undefined) return `needs ${tool}`;
  }
  try {
    const disk = await LoopDisk.create(join(directory, "probe"), 16 * 1024 * 1024);
    await disk[Symbol.asyncDispose]();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim() : String(error);
    return `needs the right to mount a loop device: ${reason}`;
  }
}

/**
 * An ext4 file system in a file, whose power can be cut: the file then has what was synced and
 * nothing that only the page cache of the mounted file system had.
 */
export class LoopDisk implements AsyncDisposable {
  readonly #image: string;
  readonly folder: string;
  #isMounted = false;

  private constructor(directory: string) {
    this.#image = join(directory, "image");
    this.folder = join(directory, "disk");
  }

  static async create(directory: string, sizeBytes: number): Promise<LoopDisk> {
    const disk = new LoopDisk(directory);
    await mkdir(disk.folder, { recursive: true });
    await writeFile(disk.#image, "");
    await truncate(disk.#image, sizeBytes);
    await runTool("mkfs.ext4", "-q", "-F", "-m", "0", disk.#image);
    await disk.#mount();
    return disk;
  }

  /**
   * Cuts the power of the disk and of these processes with all their children, and mounts what is
   * left. They stop before the copy, so that it is the state of one moment.
   */
  async cutPower(pids: readonly number[]): Promise<void> {
    const all = await stopped(pids);
    const next = `${this.#image}.next`;
    await runTool("cp", "--sparse=always", this.#image, next);
    for (const pid of all) signal(pid, "SIGKILL");
    // A dead process that its parent has not collected has no open files.
    for (const pid of all) await until(pid, /^[ZX]/);
    await this.#unmount();
    await rename(next, this.#image);
    await this.#mount();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#unmount();
    await rm(this.#image, { force: true });
  }

  async #mount(): Promise<void> {
    const options = `loop,noatime,commit=${commitSeconds}`;
    await runTool("mount", "-t", "ext4", "-o", options, this.#image, this.folder);
    this.#isMounted = true;
  }

  async #unmount(): Promise<void> {
    if (!this.#isMounted) return;
    // A process that has just ended may still be in the tables of the kernel.
    for (let tries = 0; ; tries += 1) {
      try {
        await runTool("umount", this.folder);
        break;
      } catch (error) {
        if (tries === 50) throw error;
        await Bun.sleep(20);
      }
    }
    this.#isMounted = false;
  }
}

/** Stops the processes and all below them; a stopped process starts no further one. */
async function stopped(roots: readonly number[]): Promise<number[]> {
  const all = new Set<number>();
  for (let found = [...roots]; found.length > 0;) {
    for (const pid of found) {
      signal(pid, "SIGSTOP");
      all.add(pid);
    }
    // A thread inside a sync stops when that has ended.
    for (const pid of found) await until(pid, /^[TtZX]/);
    found = (await childrenOf(all)).filter((pid) => !all.has(pid));
  }
  return [...all];
}

/** The processes that these have started. */
export async function childrenOf(parents: ReadonlySet<number>): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const parent = Number(afterName(stat).split(" ")[1]);
    if (parents.has(parent)) children.push(Number(name));
  }
  return children;
}

/** Waits until every thread of the process has one of these states, or is gone. */
async function until(pid: number, states: RegExp): Promise<void> {
  for (let looks = 0; looks < 1_000; looks += 1) {
    const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
    const stats = await Promise.all(
      threads.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, "utf8").catch(() => "")),
    );
    if (stats.every((stat) => stat === "" || states.test(afterName(stat)))) return;
    await Bun.sleep(5);
  }
  throw new Error(`process ${pid} did not stop`);
}

/** The fields of a process after its name, which may hold anything: the state, the parent. */
function afterName(stat: string): string {
  return stat.slice(stat.lastIndexOf(")") + 2);
}

function signal(pid: number, name: "SIGSTOP" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended already.
  }
}
