import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import { crashed, readChildLines } from "./child-lines.ts";
import type { ExtractedDocument, PageText } from "../extracted-document.ts";
import { ExtractionError, isExtractionErrorCode, outOfMemory } from "../extraction-error.ts";
import { defaultLimits } from "../extraction-limits.ts";
import { readResidentBytes } from "./process-memory.ts";

export type ChildOptions = {
  /** The program and its first arguments; path, file name and media type are added. */
  command: readonly string[];
  /** Wall-clock time that the whole reading may take. Default 60 s. */
  timeoutMs?: number;
  /** Resident memory that the child may hold. Default 768 MiB. */
  memoryLimitBytes?: number;
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
};

const defaultTimeoutMs = 60_000;
const defaultMemoryLimitBytes = 768 * 1024 * 1024;
const memoryPollMs = 50;
const lowPriority = 10;
const shell = "/bin/sh";

/**
 * Reads a document's text in a child process, so that no file can take this process's time, memory
 * or life: a clock and a watch on the child's memory kill it (`timed-out`, `out-of-memory`), and a
 * child that dies or talks nonsense is `crashed`. The child has an empty environment, hence no
 * secrets. Every failure is an ExtractionError, but for `signal`, whose own reason is thrown.
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
    // Killed by us: why we did it says more than that its output broke off.
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
 * On Unix the child starts through a shell that sets limits of the kernel's own: it stays bounded
 * even when this process is killed and nobody watches it any more, and it leaves no core file.
 * `exec` keeps it the same process.
 */
function childCommand(
  command: readonly string[],
  file: { path: string; filename: string; mediaType: string },
  timeoutMs: number,
): string[] {
  const full = [...command, file.path, file.filename, file.mediaType];
  if (!existsSync(shell)) return full;
  // Processor time, not wall clock: threads add up, so twice the time and some is far from any
  // honest use.
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
      case "end":
        document = {
          mediaType: line.mediaType,
          pages,
          metadata: line.metadata,
          warnings: line.warnings,
        };
        break;
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

/**
 * Asks for the child's memory again and again, one question at a time, and calls `onExcess` at most
 * once.
 */
function watchMemory(pid: number, limitBytes: number, onExcess: () => void): { stop(): void } {
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void readResidentBytes(pid).then((bytes) => {
      isAsking = false;
      if (bytes !== null && bytes > limitBytes) onExcess();
    });
  }, memoryPollMs);
  return { stop: () => clearInterval(timer) };
}

/**
 * Reading documents gives way to answering requests; a child that has ended already, or a refusal,
 * is no matter.
 */
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
    : new DOMException("The reading was given up.", "AbortError");
}
