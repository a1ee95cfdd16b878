import { fdatasyncSync } from "node:fs";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { LogLine } from "../database.ts";
import { LogCopier } from "./log/log-copier.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** Pages in the log, and those of them that are in the database file after the checkpoint. */
export interface CheckpointPass {
  readonly logPages: number;
  readonly movedPages: number;
  /** The line of copied pieces. */
  readonly line?: LogLine | undefined;
}

/** `isLoss`: pages that were moved into the file may never reach the disk. */
export type CheckpointReply =
  | { readonly pass: CheckpointPass }
  | { readonly error: { readonly message: string; readonly isLoss: boolean } };

/**
 * `last`: no writer runs, so that the log may begin again after it. `truncate` also empties the
 * log, for which it waits for readers a moment. `copy` only copies the log, `renew` begins another
 * line of copies, and `close` copies the end of the log.
 */
export type CheckpointRequest = "checkpoint" | "last" | "truncate" | "copy" | "renew" | "close";

/** Where a platform copies its log to. */
export interface LogCopies {
  readonly folder: string;
  /** Bytes that may wait for their shipment. */
  readonly limitBytes: number;
}

interface WorkerStart {
  readonly svcCheckpoints: true;
  readonly path: string;
  readonly pragmas: readonly string[];
  readonly file: number | undefined;
  readonly copies: LogCopies | undefined;
}

/**
 * Starts a thread that makes one checkpoint for each message, and then syncs `file`, a descriptor
 * of the database file. SQLite syncs only when all of the log is in the file, while writers wait.
 *
 * The caller closes the descriptor after the last connection: closing any descriptor of a file
 * releases all locks that the process has on it.
 */
export function startCheckpointWorker(
  path: string,
  pragmas: readonly string[],
  file: number | undefined,
  copies?: LogCopies,
): Worker {
  const start: WorkerStart = { svcCheckpoints: true, path, pragmas, file, copies };
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  worker.unref();
  return worker;
}

/** Writers wait for this time, too. */
const truncateWaitMs = 500;

function isWorkerStart(data: unknown): data is WorkerStart {
  return typeof data === "object" && data !== null && "svcCheckpoints" in data;
}

/** A log that took longer to copy goes on: writers may no longer wait. */
const endLimitMs = 1_000;

function serve(start: WorkerStart, port: NonNullable<typeof parentPort>): void {
  const { path, pragmas, file, copies } = start;
  const connection = new SqliteConnection(path, { readonly: false });
  for (const pragma of pragmas) connection.execute(`pragma ${pragma}`);
  const copier = copies && new LogCopier({ ...copies, path, pragmas });
  const checkpoint = (mode: "passive" | "truncate"): CheckpointPass => {
    // Copies the pages of which no reader needs the old state, and waits for no one.
    connection.execute(`pragma busy_timeout = ${mode === "truncate" ? truncateWaitMs : 5_000}`);
    const [row] = connection.run(`pragma wal_checkpoint(${mode})`, []).rows;
    return { logPages: Number(row?.["log"]), movedPages: Number(row?.["checkpointed"]) };
  };
  const run = (request: CheckpointRequest): CheckpointPass => {
    let pass: CheckpointPass = { logPages: 0, movedPages: 0 };
    if (request === "checkpoint") {
      copier?.follow();
      pass = checkpoint("passive");
    } else if (request === "last" || request === "truncate") {
      const mode = request === "last" ? "passive" : "truncate";
      const last = (): void => void (pass = checkpoint(mode));
      if (copier === undefined) last();
      else copier.end(last, endLimitMs);
    } else if (request === "copy") copier?.copy();
    else if (request === "renew") copier?.restart();
    else copier?.close();
    return { ...pass, line: request === "close" ? undefined : copier?.line };
  };
  port.on("message", (request: CheckpointRequest) => {
    let reply: CheckpointReply;
    let isLoss = false;
    try {
      const pass = run(request);
      isLoss = true;
      if (file !== undefined && request !== "copy") fdatasyncSync(file);
      reply = { pass };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      reply = { error: { message, isLoss } };
    }
    port.postMessage(reply);
  });
}

// Other threads only import the function above.
if (isWorkerStart(workerData) && parentPort !== null) serve(workerData, parentPort);
