import { fdatasyncSync } from "node:fs";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { SqliteConnection } from "./sqlite-connection.ts";

/** Pages in the log, and those of them that are in the database file after the checkpoint. */
export interface CheckpointPass {
  readonly logPages: number;
  readonly movedPages: number;
}

/** `isLoss`: pages that were moved into the file may never reach the disk. */
export type CheckpointReply =
  | { readonly pass: CheckpointPass }
  | { readonly error: { readonly message: string; readonly isLoss: boolean } };

/** `truncate` also empties the log, for which it waits for readers a moment. */
export type CheckpointRequest = "checkpoint" | "truncate";

interface WorkerStart {
  readonly svcCheckpoints: true;
  readonly path: string;
  readonly pragmas: readonly string[];
  readonly file: number | undefined;
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
): Worker {
  const start: WorkerStart = { svcCheckpoints: true, path, pragmas, file };
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  worker.unref();
  return worker;
}

/** Writers wait for this time, too. */
const truncateWaitMs = 500;

function isWorkerStart(data: unknown): data is WorkerStart {
  return typeof data === "object" && data !== null && "svcCheckpoints" in data;
}

function serve({ path, pragmas, file }: WorkerStart, port: NonNullable<typeof parentPort>): void {
  const connection = new SqliteConnection(path, { readonly: false });
  for (const pragma of pragmas) connection.execute(`pragma ${pragma}`);
  port.on("message", (request: CheckpointRequest) => {
    let reply: CheckpointReply;
    let isLoss = false;
    try {
      // Copies the pages of which no reader needs the old state, and waits for no one.
      const mode = request === "truncate" ? "truncate" : "passive";
      connection.execute(`pragma busy_timeout = ${mode === "truncate" ? truncateWaitMs : 5_000}`);
      const [row] = connection.run(`pragma wal_checkpoint(${mode})`, []).rows;
      isLoss = true;
      if (file !== undefined) fdatasyncSync(file);
      const pass = { logPages: Number(row?.["log"]), movedPages: Number(row?.["checkpointed"]) };
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
