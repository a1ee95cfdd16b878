import { mkdirSync } from "node:fs";
import type { Database } from "../database/database.ts";
import type { PlatformBase } from "../domains/base.ts";
import { roomWatched, roomWatchedBlobs } from "../files/disk-space.ts";
import type { Changes } from "../kit/changes.ts";
import { fullTuning } from "../kit/tuning.ts";
import { openPlatformDatabase } from "../schema/platform-database.ts";
import type { PlatformOptions } from "./options.ts";
import { databaseUrlOf, lockDataDirectory, openBlobs } from "./storage-location.ts";

export interface OpenStorage extends Pick<PlatformBase, "blobs" | "room"> {
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens the file store and the database, and locks the data directory until the close. */
export async function openStorage(
  options: PlatformOptions,
  { now, changes }: { readonly now: () => Date; readonly changes: Changes },
): Promise<OpenStorage> {
  const { dataDirectory, databaseUrl, onMigrating } = options;
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const files = roomWatchedBlobs(await openBlobs(options));
  const lock = await lockDataDirectory(dataDirectory, databaseUrl);
  try {
    const opened = await openPlatformDatabase({
      url: databaseUrlOf(options),
      now,
      tuning: { ...fullTuning, ...options.tuning },
      ...(onMigrating === undefined ? {} : { onMigrating }),
      reads: { commits: changes.commits, ids: changes.ids, threads: options.threads ?? 1 },
    });
    const { database, room } = roomWatched(opened);
    return {
      database,
      blobs: files.blobs,
      room: { database: room, files: files.room },
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
