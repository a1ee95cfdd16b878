import { existsSync, readFileSync } from "node:fs";
import { setPriority, platform } from "node:os";
import { crashed, readChildLines, type ChildLine } from "./child-lines.ts";
import { ExtractionError, outOfMemory } from "../extraction-error.ts";

export interface ChildLimits {
  readonly timeoutMs: number;
  /** The limit where a loaded machine gives the child less processor time than `timeoutMs`. */
  readonly longestMs?: number;
  /** The time that a later use of the same child may have. */
  readonly mostMs?: number;
  /** The most resident memory that it may use. */
  readonly memoryBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** A child allocates little between two such looks. */
const memoryPollMs = 10;
const clockPollMs = 50;
/** The unit of times in Linux's table of processes. */
const tickMs = 10;
const lowPriority = 10;
const shell = "/bin/sh";

/** Runs a child and passes on its lines until it ends. Throws as {@link WatchedChild.read} does. */
export async function runWatched(
  command: readonly string[],
  limits: ChildLimits,
  onLine: (line: ChildLine) => void,
): Promise<void> {
  limits.signal?.throwIfAborted();
  const child = new WatchedChild(command, { cpuMs: limits.timeoutMs });
  try {
    await child.read(limits, onLine);
  } finally {
    await child.kill();
  }
}

/** A child process with an empty environment. `kill` must be called in the end. */
export class WatchedChild {
  readonly #child: Bun.Subprocess<"ignore" | "pipe", "pipe", "ignore">;
  readonly #lines: AsyncGenerator<ChildLine>;

  /** The kernel ends it after the processor time of `cpuMs` on both of two processors. */
  constructor(
    command: readonly string[],
    { cpuMs, input = "ignore" }: { readonly cpuMs: number; readonly input?: "ignore" | "pipe" },
  ) {
    this.#child = startChild(limitedCommand(command, cpuMs), input);
    this.#lines = readChildLines(this.#child.stdout);
    lowerPriority(this.#child.pid);
  }

  /** Sends a line to a child whose `input` is a pipe. */
  send(line: string): void {
    const { stdin } = this.#child;
    if (stdin === undefined) throw new TypeError("this child has no input");
    Promise.resolve(stdin.write(`${line}\n`)).catch(() => {});
    // A child that has ended also shows at the end of its lines.
    Promise.resolve(stdin.flush()).catch(() => {});
  }

  /**
   * Passes on its lines until one is the last, or until it ends. Throws ExtractionError, or the
   * signal's reason. After an error the child can't be used.
   */
  async read(
    limits: ChildLimits,
    onLine: (line: ChildLine) => void,
    isLast: (line: ChildLine) => boolean = () => false,
  ): Promise<void> {
    const { timeoutMs, memoryBytes, signal } = limits;
    const stopped: { reason: Error | null } = { reason: null };
    const stop = (reason: Error): void => {
      stopped.reason ??= reason;
      this.#child.kill("SIGKILL");
    };
    const clock = startClock(this.#child.pid, limits, () => stop(timedOut(timeoutMs)));
    const watch = watchMemory(this.#child.pid, memoryBytes, () => stop(outOfMemory()));
    const abort = (): void => stop(reasonOf(signal));
    signal?.addEventListener("abort", abort, { once: true });
    try {
      for (;;) {
        const { done, value } = await this.#lines.next();
        if (done === true) break;
        onLine(value);
        if (isLast(value)) return;
      }
      const exitCode = await this.#child.exited;
      if (stopped.reason !== null) throw stopped.reason;
      // The system may kill it, e.g. when memory runs out.
      if (exitCode !== 0) throw crashed();
    } catch (error) {
      // The reason of a kill is more precise than the broken output.
      throw stopped.reason ?? (error instanceof ExtractionError ? error : crashed(error));
    } finally {
      clock.stop();
      watch.stop();
      signal?.removeEventListener("abort", abort);
    }
  }

  /** The resident memory of the child; null after its end, and where it is not known. */
  residentBytes(): Promise<number | null> {
    return readResidentBytes(this.#child.pid);
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

function startChild(
  command: string[],
  input: "ignore" | "pipe",
): Bun.Subprocess<"ignore" | "pipe", "pipe", "ignore"> {
  try {
    return Bun.spawn(command, { env: {}, stdin: input, stdout: "pipe", stderr: "ignore" });
  } catch (error) {
    throw crashed(error);
  }
}

/**
 * On Unix a shell sets kernel limits and then becomes the child: it stays bounded even after this
 * process is killed, and leaves no core file.
 */
function limitedCommand(full: readonly string[], cpuMs: number): string[] {
  if (!existsSync(shell)) return [...full];
  // Processor time of all threads, so the limit is above twice the wall-clock time.
  const cpuSeconds = Math.ceil(cpuMs / 1000) * 2 + 5;
  const script = 'ulimit -c 0; ulimit -t "$1"; shift; exec "$@"';
  return [shell, "-c", script, "svc-extract", String(cpuSeconds), ...full];
}

function timedOut(timeoutMs: number): ExtractionError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return new ExtractionError(
    "timed-out",
    `This file was not read: reading it takes longer than the ${seconds} seconds ` +
      "that one document may take.",
  );
}

/** Calls `onEnd` after the time of the child, at least that of the clock. */
function startClock(
  pid: number,
  { timeoutMs, longestMs = timeoutMs }: ChildLimits,
  onEnd: () => void,
): { stop(): void } {
  const [beganMs, usedBeforeMs] = [performance.now(), processorMs(pid)];
  const look = (): void => {
    const isLate = performance.now() - beganMs >= longestMs;
    if (isLate || processorMs(pid) - usedBeforeMs >= timeoutMs) return onEnd();
    timer = setTimeout(look, clockPollMs);
  };
  let timer = setTimeout(longestMs > timeoutMs ? look : onEnd, timeoutMs);
  return { stop: () => clearTimeout(timer) };
}

/** The processor time of a process; on Linux only, else it has used all that it could. */
function processorMs(pid: number): number {
  if (platform() !== "linux") return performance.now();
  const fields = readProcess(pid, "stat").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Polls the child's memory, one query at a time, and calls `onExcess` above the limit. */
function watchMemory(pid: number, limitBytes: number, onExcess: () => void): { stop(): void } {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    readResidentBytes(pid)
      .then((bytes) => {
        isRunning = false;
        if (bytes !== null && bytes > limitBytes) onExcess();
      })
      .catch(() => {
        isRunning = false;
      });
  }, memoryPollMs);
  return { stop: () => clearInterval(timer) };
}

/** Requests have priority over documents. A failure does not matter. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, lowPriority);
  } catch {
    return;
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error
    ? reason
    : new DOMException("The extraction was aborted.", "AbortError");
}

/** The resident memory of a process in bytes; null after its end, and always on Windows. */
async function readResidentBytes(pid: number): Promise<number | null> {
  if (platform() === "linux") return parseStatus(readProcess(pid, "status"));
  if (platform() === "win32") return null;
  const kibibytes = Number.parseInt(await askPs(pid), 10);
  return Number.isNaN(kibibytes) ? null : kibibytes * 1024;
}

/** Empty if the machine cannot start a process. */
async function askPs(pid: number): Promise<string> {
  try {
    const child = Bun.spawn(["/bin/ps", "-o", "rss=", "-p", String(pid)], {
      env: {},
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    return await child.stdout.text();
  } catch {
    return "";
  }
}

function readProcess(pid: number, file: "status" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function parseStatus(status: string): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
