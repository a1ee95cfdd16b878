import { open, type FileHandle } from "node:fs/promises";
import { SqliteConnection } from "../sqlite-connection.ts";
import { StorageError } from "../../../kit/storage-errors.ts";
import { WalFile } from "./wal-file.ts";

const attempts = 10;
const chunkBytes = 1024 * 1024;

/** The place in the log of a copied database. */
export interface CopiedState {
  readonly salt: string;
  readonly frame: number;
  /** The copy has no commit that came later. */
  readonly readAt: Date;
}

/**
 * Copies one state of a database page by page while writes continue, so that the log after it can
 * be applied to the copy. Call it in a process that serves no platform: the close of the file
 * releases the locks of the process. Undefined for a database without a log.
 */
export async function copyState(
  path: string,
  target: string,
  now: () => Date = () => new Date(),
): Promise<CopiedState | undefined> {
  const reader = new SqliteConnection(path, { readonly: true });
  let source: FileHandle | undefined;
  try {
    reader.execute("pragma busy_timeout = 5000");
    source = await open(path, "r");
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      reader.run("begin", []);
      // The first statement that reads keeps checkpoints from moving later pages into the file.
      reader.run("select 1 from sqlite_schema limit 1", []);
      const copied = await copyOnce(path, source, { target, now });
      reader.run("commit", []);
      if (copied !== "again") return copied;
    }
  } finally {
    reader.close();
    // The last one, because its close releases the locks.
    await source?.close();
  }
  throw new StorageError("Cannot copy the database: its log began again at each attempt");
}

async function copyOnce(
  path: string,
  source: FileHandle,
  { target, now }: { readonly target: string; readonly now: () => Date },
): Promise<CopiedState | undefined | "again"> {
  const wal = WalFile.open(`${path}-wal`);
  try {
    const found = wal?.committedAfter(wal.start);
    const readAt = now();
    const copy = await open(target, "w", 0o600);
    try {
      await copyFile(source, copy);
      if (wal !== undefined && found !== undefined) {
        for (const [number, frame] of found.frames) {
          const page = wal.page(frame);
          await copy.write(page, 0, page.byteLength, (number - 1) * page.byteLength);
        }
        const { databasePages, pageBytes } = found;
        if (databasePages > 0) await copy.truncate(databasePages * pageBytes);
      }
      await leaveLog(copy);
    } finally {
      await copy.close();
    }
    // A log that has begun again is of another state than the file.
    const log = WalFile.open(`${path}-wal`);
    log?.close();
    if (log?.salt !== wal?.salt) return "again";
    return found && { salt: found.end.salt, frame: found.end.frame, readAt };
  } finally {
    wal?.close();
  }
}

async function copyFile(source: FileHandle, copy: FileHandle): Promise<void> {
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) return;
    await copy.write(chunk, 0, bytesRead, at);
    at += bytesRead;
  }
}

const versionsOffset = 18;

/** A file that has no log opens for reading only; a platform gives it one again. */
export async function leaveLog(file: FileHandle): Promise<void> {
  await file.write(Buffer.from([1, 1]), 0, 2, versionsOffset);
}
