import { getPriority, platform, setPriority } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { SqliteConnection } from "./connection.ts";
import type { BoundParameter } from "../statement.ts";

export interface WorkerRequest {
  readonly id: number;
  readonly text: string;
  readonly parameters: readonly BoundParameter[];
}

export interface WorkerReply {
  readonly id: number;
  readonly rows?: Record<string, unknown>[];
  /** An error crosses the thread as its parts; `code` is SQLite's own. */
  readonly error?: { readonly message: string; readonly code?: string };
}

/** Added to the process's own; about a tenth of what a thread that answers requests gets. */
const addedNiceness = 10;
const mostNiceness = 19;

interface WorkerStart {
  readonly svcSqliteScans: true;
  readonly path: string;
  readonly pragmas: readonly string[];
  /** Shared with the main thread: its first number is that of a scan nobody waits for. */
  readonly unwanted: Int32Array;
}

/**
 * A thread of this very module, which is its own entry point: in the compiled program there is no
 * source file a worker could be started from, but a module that is only ever imported lazily
 * stays a file of its own and knows its address.
 */
export function startScanWorker(
  path: string,
  pragmas: readonly string[],
  unwanted: Int32Array = new Int32Array(1),
): Worker {
  const start: WorkerStart = { svcSqliteScans: true, path, pragmas, unwanted };
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  worker.unref();
  return worker;
}

function isWorkerStart(data: unknown): data is WorkerStart {
  return typeof data === "object" && data !== null && "svcSqliteScans" in data;
}

function serve(start: WorkerStart, port: NonNullable<typeof parentPort>): void {
  yieldToRequests();
  let running = 0;
  const connection = new SqliteConnection(start.path, {
    readonly: true,
    refuseUnwanted() {
      if (Atomics.load(start.unwanted, 0) === running)
        throw new Error("nobody waits for this scan");
    },
  });
  for (const pragma of start.pragmas) connection.execute(`pragma ${pragma}`);
  port.on("message", ({ id, text, parameters }: WorkerRequest) => {
    let reply: WorkerReply;
    running = id;
    try {
      reply = { id, rows: connection.run(text, parameters).rows };
    } catch (error) {
      reply = { id, error: errorParts(error) };
    }
    port.postMessage(reply);
  });
}

/**
 * Requests go before scans where they share a processor. Only Linux has priorities
 * of threads: elsewhere this would hold back the whole process.
 */
function yieldToRequests(): void {
  if (platform() !== "linux") return;
  try {
    setPriority(Math.min(getPriority() + addedNiceness, mostNiceness));
  } catch {
    // Where even that is forbidden the thread runs like any other.
  }
}

function errorParts(error: unknown): { message: string; code?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const source = error.cause instanceof Error ? error.cause : error;
  const message = source.message;
  return "code" in source && typeof source.code === "string"
    ? { message, code: source.code }
    : { message };
}

// Any other thread, the test runner's own too, only imports the function above.
if (isWorkerStart(workerData) && parentPort !== null) serve(workerData, parentPort);
