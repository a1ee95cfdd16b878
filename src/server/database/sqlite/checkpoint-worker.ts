import { fdatasyncSync } from "node:fs";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { SqliteConnection } from "./connection.ts";

/** What a checkpoint found: pages that the log had, and those of them that are in the file now. */
export interface CheckpointPass {
  readonly logPages: number;
  readonly movedPages: number;
}

/** `isLoss`: what was moved into the file is not on the disk, and may never be. */
export type CheckpointReply =
  | { readonly pass: CheckpointPass }
  | { readonly error: { readonly message: string; readonly isLoss: boolean } };

interface WorkerStart {
  readonly svcCheckpoints: true;
  readonly path: string;
  readonly pragmas: readonly string[];
  readonly file: number | undefined;
}

/**
 * A thread that makes one checkpoint for each message. `file` is a descriptor of the database file:
 * what was moved there is brought to the disk at once, a little each time. SQLite itself would do so
 * only when all of the log is in the file, and then writers would wait for all of it.
 *
 * Whoever opened the descriptor closes it after the last connection: with any descriptor of a file,
 * the system takes all of a process's locks of that file away.
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

function isWorkerStart(data: unknown): data is WorkerStart {
  return typeof data === "object" && data !== null && "svcCheckpoints" in data;
}

function serve({ path, pragmas, file }: WorkerStart, port: NonNullable<typeof parentPort>): void {
  const connection = new SqliteConnection(path, { readonly: false });
  for (const pragma of pragmas) connection.execute(`pragma ${pragma}`);
  port.on("message", () => {
    let reply: CheckpointReply;
    let isLoss = false;
    try {
      // Copies what no reader needs in the file as it was, and waits for nobody.
      const [row] = connection.run("pragma wal_checkpoint(passive)", []).rows;
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

// Any other thread, the test runner's own too, only imports the function above.
if (isWorkerStart(workerData) && parentPort !== null) serve(workerData, parentPort);
