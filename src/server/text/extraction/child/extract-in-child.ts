import { existsSync, readFileSync } from "node:fs";
import { setPriority, platform } from "node:os";
import { crashed, readChildLines } from "./child-lines.ts";
import type { ExtractedDocument, PageText } from "../extracted-document.ts";
import { ExtractionError, isExtractionErrorCode, outOfMemory } from "../extraction-error.ts";
import { defaultLimits } from "../extraction-limits.ts";

export type ChildOptions = {
  /** The program and its first arguments; path, file name and media type follow. */
  command: readonly string[];
  /** Longest wall-clock time. Default 60 s. */
  timeoutMs?: number;
  /** Most resident memory of the child. Default 256 MiB. */
  memoryLimitBytes?: number;
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
};

const defaultTimeoutMs = 60_000;
/** The largest texts of the limits take 140 to 190 MiB. */
const defaultMemoryLimitBytes = 256 * 1024 * 1024;
/** So short that a child allocates little between two looks. */
const memoryPollMs = 10;
const lowPriority = 10;
const shell = "/bin/sh";

/**
 * Reads a document's text in a child process with an empty environment and limits on time and
 * memory. Throws ExtractionError, or the signal's reason.
 */
export async function extractInChild(
  file: { path: string; filename: string; mediaType: string },
  options: ChildOptions,
): Promise<ExtractedDocument> {
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const memoryLimitBytes = options.memoryLimitBytes ?? defaultMemoryLimitBytes;
  options.signal?.throwIfAborted();

  const child = startChild(childCommand(options.command, file, timeoutMs));
  const stopped: { reason: Error | null } = { reason: null };
  const stop = (reason: Error): void => {
    stopped.reason ??= reason;
    child.kill("SIGKILL");
  };
  lowerPriority(child.pid);
  const clock = setTimeout(() => stop(timedOut(timeoutMs)), timeoutMs);
  const watch = watchMemory(child.pid, memoryLimitBytes, () => stop(outOfMemory()));
  const abort = (): void => stop(reasonOf(options.signal));
  options.signal?.addEventListener("abort", abort, { once: true });

  try {
    const document = await collect(child.stdout, options.onProgress);
    await child.exited;
    if (stopped.reason !== null) throw stopped.reason;
    return document;
  } catch (error) {
    // The reason of a kill is more precise than the broken output.
    throw stopped.reason ?? (error instanceof ExtractionError ? error : crashed(error));
  } finally {
    clearTimeout(clock);
    watch.stop();
    options.signal?.removeEventListener("abort", abort);
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
function childCommand(
  command: readonly string[],
  file: { path: string; filename: string; mediaType: string },
  timeoutMs: number,
): string[] {
  const full = [...command, file.path, file.filename, file.mediaType];
  if (!existsSync(shell)) return full;
  // Processor time of all threads, so the limit is above twice the wall-clock time.
  const cpuSeconds = Math.ceil(timeoutMs / 1000) * 2 + 5;
  const script = 'ulimit -c 0; ulimit -t "$1"; shift; exec "$@"';
  return [shell, "-c", script, "svc-extract", String(cpuSeconds), ...full];
}

async function collect(
  stdout: AsyncIterable<Uint8Array>,
  onProgress: ChildOptions["onProgress"],
): Promise<ExtractedDocument> {
  const pages: PageText[] = [];
  let characters = 0;
  let document: ExtractedDocument | null = null;
  for await (const line of readChildLines(stdout)) {
    // Nothing may follow the end.
    if (document !== null) throw crashed();
    switch (line.type) {
      case "progress":
        onProgress?.(line.done, line.total);
        break;
      case "page":
        characters += line.text.length;
        if (line.number !== pages.length + 1 || pages.length >= defaultLimits.pages)
          throw crashed();
        if (characters > defaultLimits.characters) throw crashed();
        pages.push({ number: line.number, text: line.text });
        break;
      case "error":
        if (!isExtractionErrorCode(line.code)) throw crashed();
        throw new ExtractionError(line.code, line.message);
      case "end": {
        const { mediaType, metadata, warnings } = line;
        document = { mediaType, pages, metadata, warnings };
        break;
      }
    }
  }
  if (document === null) throw crashed();
  return document;
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
