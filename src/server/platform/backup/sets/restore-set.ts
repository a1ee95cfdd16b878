import { given } from "#lib/given.ts";
import { catalogError } from "#contract/errors.ts";
import { raw } from "../../../database/statement.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import { openPlatformDatabase } from "../../../schema/platform-database.ts";
import { maintenanceWork } from "../../../work/works.ts";
import {
  databaseUrlOf,
  openBlobs,
  overStorage,
  sqliteFileOf,
  type StorageLocation,
} from "../../storage-location.ts";
import { addToErasureList, readErasureList } from "../erasure-lists.ts";
import { unreadable } from "../manifest.ts";
import { notInPlace } from "../place/backup-place.ts";
import type { SealedObjects } from "../place/sealed-objects.ts";
import { emptyAfterFailure, refuseOtherKey, requireEmpty } from "../restore.ts";
import { settleRestored, settleSqlite, type SettledRestore } from "../settle-restored.ts";
import { placedSets, readManifest, type SetManifest } from "./backup-set.ts";
import { erasuresFor } from "./later-erasures.ts";
import { loadDatabase } from "./load-set.ts";
import { SetFiles } from "./set-files.ts";

export interface RestoreSetOptions extends StorageLocation {
  readonly objects: SealedObjects;
  /** The name of a backup; without it the newest one, or the newest one before `at`. */
  readonly name?: string | undefined;
  readonly at?: Date | undefined;
  /** A later backup or the old data directory, whose list of erasures counts too. */
  readonly erasuresFrom?: string | undefined;
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFile?: ((files: number) => void) | undefined;
}

export interface SetRestore {
  readonly manifest: SetManifest;
  /** Ids of erasures and purges, which the next start applies before it serves. */
  readonly erasures: number;
  readonly settled: SettledRestore;
  /** Files that the backup itself lacks. */
  readonly lost: number;
}

/**
 * Restores a backup of a place into an empty data directory, and for the rows of PostgreSQL into an
 * empty database of either kind. Each digest is checked; after a failure the directory is empty
 * again. Files of the file store stay until the doctor has compared them.
 */
export async function restoreSet(options: RestoreSetOptions): Promise<SetRestore> {
  return overStorage(options, async () => {
    const { objects, dataDirectory, signal } = options;
    try {
      const manifest = await chosenSet(options);
      await requireEmpty(dataDirectory);
      await refuseOtherKey({ ...options, input: manifest.name }, manifest);
      if (manifest.engine === "postgresql") await requireEmptyDatabase(options);
      else requireSqlite(options, manifest);
      const ids = [
        ...(await erasuresFor(objects, manifest)),
        ...(options.erasuresFrom === undefined ? [] : await readErasureList(options.erasuresFrom)),
      ];
      const files = await SetFiles.open(objects, manifest);
      return await emptyAfterFailure(dataDirectory, async () => {
        await addToErasureList(dataDirectory, ids);
        const lost = await restoreFiles(files, options);
        let settled: SettledRestore | undefined;
        const now = (options.now ?? (() => new Date()))();
        await loadDatabase(objects, manifest, {
          folder: dataDirectory,
          url: databaseUrlOf(options),
          settle: async (path) => {
            settled = await settleSqlite(path, now);
          },
          signal,
        });
        settled ??= await settleDatabase(options, now);
        const erasures = (await readErasureList(dataDirectory)).length;
        return { manifest, erasures, settled, lost };
      });
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      throw unreadable(objects.place.name, error.message);
    }
  });
}

async function chosenSet({ objects, name, at }: RestoreSetOptions): Promise<SetManifest> {
  const { place } = objects;
  if (name !== undefined) return readManifest(place, name);
  const { names } = await placedSets(place);
  for (const each of names.toReversed()) {
    const manifest = await readManifest(place, each);
    if (at === undefined || Date.parse(manifest.createdAt) <= at.getTime()) return manifest;
  }
  const before = at === undefined ? "" : ` before ${at.toISOString()}`;
  throw notInPlace(`A backup${before} in ${place.name}`);
}

function requireSqlite(options: RestoreSetOptions, { name }: SetManifest): void {
  if (sqliteFileOf(options) !== undefined && options.databaseUrl === undefined) return;
  const hint =
    "Restore it without --database-url, and move the platform with `svc serve move` afterwards";
  const details = `the backup ${name} is of SQLite, and can't be restored into another database`;
  throw catalogError("E305", { details }, { hint });
}

async function requireEmptyDatabase(options: RestoreSetOptions): Promise<void> {
  if (sqliteFileOf(options) !== undefined) return;
  const database = await openPlatformDatabase({ url: databaseUrlOf(options), poolSize: 1 }).catch(
    () => undefined,
  );
  if (database === undefined) return;
  try {
    const { read } = maintenanceWork(database, "whether a database is empty");
    const found = await read.first(raw("select oid from users limit 1"));
    if (found === undefined) return;
  } finally {
    await database.close();
  }
  const details = "the database has the data of a platform";
  throw catalogError("E205", { details }, { hint: "Give an empty database" });
}

/** Copies the files into the file store; returns how many the backup itself lacks. */
async function restoreFiles(files: SetFiles, options: RestoreSetOptions): Promise<number> {
  const { signal, onFile } = options;
  const target = await openBlobs(options);
  let [lost, count] = [0, 0];
  for (const file of files.files.values()) {
    signal?.throwIfAborted();
    const content = files.read(file);
    if (content === undefined) {
      lost += file.isLost === true ? 1 : 0;
      continue;
    }
    const staged = await target.stage(file.workspaceId, content, {
      limitBytes: file.size,
      ...given({ signal }),
    });
    try {
      await staged.publish();
    } finally {
      await staged.discard();
    }
    count += 1;
    onFile?.(count);
  }
  return lost;
}

async function settleDatabase(options: RestoreSetOptions, now: Date): Promise<SettledRestore> {
  const database = await openPlatformDatabase({ url: databaseUrlOf(options), poolSize: 1 });
  try {
    const work = maintenanceWork(database, "a restored database");
    return await work.write((tx) =>
      settleRestored(
        {
          hasTable: () => true,
          run: async (change) => (await tx.run(change)).changedRows,
        },
        now,
      ),
    );
  } finally {
    await database.close();
  }
}
