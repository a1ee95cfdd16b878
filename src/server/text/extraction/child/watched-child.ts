import { existsSync, readFileSync } from "node:fs";
import { setPriority, platform } from "node:os";
import { crashed, readChildLines, type ChildLine } from "./child-lines.ts";
import { ExtractionError, outOfMemory } from "../extraction-error.ts";

/** The limits of one child. */
export interface ChildLimits {
  readonly timeoutMs: number;
  /** Most resident memory. */
  readonly memoryBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** So short that a child allocates little between two looks. */
const memoryPollMs = 10;
const lowPriority = 10;
const shell = "/bin/sh";

/**
 * Runs a child with an empty environment and passes on its lines until it ends. Throws
 * ExtractionError, or the signal's reason. The child is dead when this ends, however it ends.
 */
export async function runWatched(
  command: readonly string[],
  { timeoutMs, memoryBytes, signal }: ChildLimits,
  onLine: (line: ChildLine) => void,
): Promise<void> {
  signal?.throwIfAborted();
  const child = startChild(limitedCommand(command, timeoutMs));
  const stopped: { reason: Error | null } = { reason: null };
  const stop = (reason: Error): void => {
    stopped.reason ??= reason;
    child.kill("SIGKILL");
  };
  lowerPriority(child.pid);
  const clock = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
  const watch = watchMemory(child.pid, memoryBytes, () => stop(outOfMemory()));
  const abort = (): void => stop(reasonOf(signal));
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for await (const line of readChildLines(child.stdout)) onLine(line);
    await child.exited;
    if (stopped.reason !== null) throw stopped.reason;
  } catch (error) {
    // The reason of a kill is more precise than the broken output.
    throw stopped.reason ?? (error instanceof ExtractionError ? error : crashed(error));
  } finally {
    clearTimeout(clock);
    watch.stop();
    signal?.removeEventListener("abort", abort);
    child.kill("SIGKILL");
    await child.exited;
  }
}

function startChild(command: string[]): Bun.Subprocess<"ignore", "pipe", "ignore"> {
  try {
    return Bun.spawn(command, { env: {}, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  } catch (error) {
    throw crashed(error);
  }
}

/**
 * On Unix a shell sets kernel limits and then becomes the child: it stays bounded even after this
 * process is killed, and leaves no core file.
 */
function limitedCommand(full: readonly string[], timeoutMs: number): string[] {
  if (!existsSync(shell)) return [...full];
  // Processor time of all threads, so the limit is above twice the wall-clock time.
  const cpuSeconds = Math.ceil(timeoutMs / 1000) * 2 + 5;
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

/** Polls the child's memory, one query at a time, and calls `onExcess` above the limit. */
function watchMemory(pid: number, limitBytes: number, onExcess: () => void): { stop(): void } {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void readResidentBytes(pid).then((bytes) => {
      isRunning = false;
      if (bytes !== null && bytes > limitBytes) onExcess();
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
  if (platform() === "linux") return parseStatus(readStatus(pid));
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

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function parseStatus(status: string): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}
