import { getPriority, platform, setPriority } from "node:os";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { SqliteConnection } from "./sqlite-connection.ts";
import type { BoundParameter } from "../statement.ts";

export interface WorkerRequest {
  readonly id: number;
  readonly text: string;
  readonly parameters: readonly BoundParameter[];
}

export interface WorkerReply {
  readonly id: number;
  readonly rows?: Record<string, unknown>[];
  /** The error, with the code of SQLite. */
  readonly error?: { readonly message: string; readonly code?: string };
}

/** Added to the niceness of the process: gives about a tenth of the time of a request's thread. */
const addedNiceness = 10;
const mostNiceness = 19;

interface WorkerStart {
  readonly svcSqliteScans: true;
  readonly path: string;
  readonly pragmas: readonly string[];
  /** Shared with the main thread, which writes the number of a stopped scan to its first place. */
  readonly stopped: Int32Array;
}

/**
 * Starts a thread of this module, its own entry point: in the compiled program, only a module that
 * is imported lazily is a separate file with an address.
 */
export function startScanWorker(
  path: string,
  pragmas: readonly string[],
  stopped: Int32Array = new Int32Array(1),
): Worker {
  const start: WorkerStart = { svcSqliteScans: true, path, pragmas, stopped };
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
    throwIfStopped() {
      if (Atomics.load(start.stopped, 0) === running) throw new Error("the scan was stopped");
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

/** Requests go before scans. Only on Linux does the priority apply to this thread alone. */
function yieldToRequests(): void {
  if (platform() !== "linux") return;
  try {
    setPriority(Math.min(getPriority() + addedNiceness, mostNiceness));
  } catch {
    // Forbidden there: the thread keeps its priority.
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

// Other threads only import the function above.
if (isWorkerStart(workerData) && parentPort !== null) serve(workerData, parentPort);
