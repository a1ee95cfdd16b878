import { given } from "#lib/given.ts";
import { catalogError } from "#contract/errors.ts";
import { raw } from "../../../database/statement.ts";
import type { BlobAddress, BlobStore } from "../../../files/blob-store.ts";
import { blobReferences, type BlobReference } from "../../../files/reference-store.ts";
import { DamagedFileError, FileStoreError } from "../../../kit/storage-errors.ts";
import { openPlatformDatabase } from "../../../schema/platform-database.ts";
import { tablesOf } from "../../../schema/tables.ts";
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
import { logAfter, placedLog, planTo, positionOf, type LogPlan } from "../log/placed-log.ts";
import { placedSets, readManifest, type SetManifest } from "./backup-set.ts";
import { erasuresFor } from "./later-erasures.ts";
import { loadDatabase } from "./load-set.ts";
import { placesOfFile, type MissingFile } from "./missing-files.ts";
import { SetFiles } from "./set-files.ts";

export interface RestoreSetOptions extends StorageLocation {
  readonly objects: SealedObjects;
  /** The name of a backup, whose state is restored; without it the newest state. */
  readonly name?: string | undefined;
  /** Restores the newest state that is not later; the log of SQLite has one each few seconds. */
  readonly at?: Date | undefined;
  /** A later backup or the old data directory, whose list of erasures counts too. */
  readonly erasuresFrom?: string | undefined;
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFile?: ((files: number) => void) | undefined;
}

/** The files of a restored state that the file store lacked. */
export interface AddedFiles {
  /** Files that the store, its versions and the place lack. */
  readonly lost: number;
  /** The places that name lost files, at most {@link shownPlaces}. */
  readonly lostFiles: readonly MissingFile[];
  /** Removed files that the versions of the bucket gave back. */
  readonly fromVersions: number;
}

const shownPlaces = 100;

export interface SetRestore extends AddedFiles {
  readonly manifest: SetManifest;
  /** Ids of erasures and purges, which the next start applies before it serves. */
  readonly erasures: number;
  readonly settled: SettledRestore;
  readonly state: RestoredState;
}

/** The state that a restore has given. */
export interface RestoredState {
  /** Its time as RFC 3339. */
  readonly at: string;
  /** Pieces of the log that were applied to the backup. */
  readonly pieces: number;
  /** False if commits between `at` and the wished time may be missing. */
  readonly isCertain: boolean;
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
      const { manifest, plan } = await chosenState(options);
      await requireEmpty(dataDirectory);
      await refuseOtherKey({ ...options, input: manifest.name }, manifest);
      if (manifest.engine === "postgresql") await requireEmptyDatabase(options);
      else requireSqlite(options, manifest);
      const ids = [
        ...(await erasuresFor(objects, manifest)),
        ...(options.erasuresFrom === undefined ? [] : await readErasureList(options.erasuresFrom)),
      ];
      return await emptyAfterFailure(dataDirectory, async () => {
        await addToErasureList(dataDirectory, ids);
        const opening = SetFiles.open(objects, manifest, dataDirectory);
        const lost = await withFiles(opening, (files) => restoreFiles(files, options));
        let added: AddedFiles = { lost, lostFiles: [], fromVersions: 0 };
        let settled: SettledRestore | undefined;
        const now = (options.now ?? (() => new Date()))();
        await loadDatabase(objects, manifest, {
          folder: dataDirectory,
          url: databaseUrlOf(options),
          pieces: plan.pieces,
          settle: async (path) => {
            settled = await settleSqlite(path, now);
          },
          signal,
        });
        settled ??= await settleDatabase(options, now);
        if (plan.pieces.length > 0 || lost > 0) {
          const { names } = await placedSets(objects.place);
          const later = names.filter((name) => name > manifest.name);
          added = await addMissingFiles(options, later);
        }
        const erasures = (await readErasureList(dataDirectory)).length;
        return { manifest, erasures, settled, ...added, state: stateOf(plan) };
      });
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      throw unreadable(objects.place.name, error.message);
    }
  });
}

interface ChosenState {
  readonly manifest: SetManifest;
  readonly plan: LogPlan;
}

/** A state of which a restore may lack so much more than the newest one before the wished time. */
const nearMs = 10_000;

/** The backup and the part of the log that give the newest state before the wished time. */
async function chosenState({ objects, name, at }: RestoreSetOptions): Promise<ChosenState> {
  const { place } = objects;
  if (name !== undefined) return withoutLog(await readManifest(place, name));
  const { names } = await placedSets(place);
  const log = await placedLog(place);
  const atMs = at?.getTime() ?? Number.POSITIVE_INFINITY;
  let best: ChosenState | undefined;
  for (const each of names.toReversed()) {
    const manifest = await readManifest(place, each);
    const takenMs = Date.parse(manifest.createdAt);
    // Its database may have what was written while the backup began.
    if (Date.parse(manifest.stateAt ?? manifest.createdAt) > atMs) continue;
    const position = await positionOf(place, each);
    const none = { pieces: [], endMs: undefined };
    const after = position === undefined ? none : logAfter(log, position);
    const found = { manifest, plan: planTo(after, { takenMs, atMs }) };
    if (best === undefined || found.plan.reachedMs > best.plan.reachedMs) best = found;
    // An older backup continues further only where the log has a gap before this one.
    if (best.plan.isCertain || atMs - best.plan.reachedMs <= nearMs || position !== undefined)
      break;
  }
  if (best !== undefined) return best;
  const before = at === undefined ? "" : ` before ${at.toISOString()}`;
  throw notInPlace(`A backup${before} in ${place.name}`);
}

function withoutLog(manifest: SetManifest): ChosenState {
  const reachedMs = Date.parse(manifest.createdAt);
  return { manifest, plan: { pieces: [], reachedMs, isCertain: true } };
}

function stateOf({ pieces, reachedMs, isCertain }: LogPlan): RestoredState {
  return { at: new Date(reachedMs).toISOString(), pieces: pieces.length, isCertain };
}

/**
 * Adds the files that a restored database names and the file store lacks: from versions of the
 * bucket, from those that were shipped with the log, or from backups.
 */
export async function addMissingFiles(
  { objects, signal, ...options }: Pick<RestoreSetOptions, "objects" | "signal"> & StorageLocation,
  sets: readonly string[],
): Promise<AddedFiles> {
  const target = await openBlobs(options);
  const database = await openPlatformDatabase({ url: databaseUrlOf(options), poolSize: 1 });
  try {
    const { read } = maintenanceWork(database, "the files of a restored state");
    const missing = async function* (): AsyncGenerator<BlobReference> {
      for await (const file of blobReferences(read)) {
        if (file.isNeeded && (await target.stat(file))?.size !== file.size) yield file;
      }
    };
    const addFrom = async (files: SetFiles): Promise<void> => {
      for await (const file of missing()) await restoreFile(files, file, target, signal);
    };
    const isWhole = async (): Promise<boolean> => (await missing().next()).done === true;
    let fromVersions = 0;
    for await (const file of missing()) {
      signal?.throwIfAborted();
      if (await restoreVersion(target, file, signal)) fromVersions += 1;
    }
    const whole = (): AddedFiles => ({ lost: 0, lostFiles: [], fromVersions });
    if (await isWhole()) return whole();
    await withFiles(SetFiles.shipped(objects, options.dataDirectory), addFrom);
    for (const name of sets) {
      if (await isWhole()) return whole();
      const set = await readManifest(objects.place, name);
      await withFiles(SetFiles.open(objects, set, options.dataDirectory), addFrom);
    }
    let lost = 0;
    const lostFiles: MissingFile[] = [];
    for await (const file of missing()) {
      lost += 1;
      const room = shownPlaces - lostFiles.length;
      if (room > 0) lostFiles.push(...(await placesOfFile(read, file, room)));
    }
    return { lost, lostFiles, fromVersions };
  } finally {
    await database.close();
  }
}

/** Makes a version of a file its content again; false where none has the right bytes. */
async function restoreVersion(
  target: BlobStore,
  file: BlobReference,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (target.earlier === undefined) return false;
  try {
    for await (const content of target.earlier(file)) {
      if (content.size !== file.size) continue;
      if (await restoreContent(target, file, content.stream(), signal)) return true;
    }
  } catch (error) {
    // A store without versions, or a key that may not read them: backups may have the file.
    if (!(error instanceof FileStoreError)) throw error;
  }
  return false;
}

/** Runs work with the files of a backup, whose lists are in the data directory meanwhile. */
async function withFiles<Result>(
  opening: Promise<SetFiles>,
  work: (files: SetFiles) => Promise<Result>,
): Promise<Result> {
  const files = await opening;
  try {
    return await work(files);
  } finally {
    await files.close();
  }
}

/** Copies a file of a backup into the file store; false where the backup lacks it. */
async function restoreFile(
  files: SetFiles,
  file: BlobAddress & { readonly size: number },
  target: BlobStore,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const content = files.read(file);
  if (content === undefined) return false;
  await restoreContent(target, file, content, signal);
  return true;
}

/** Stores the content of a file; false, and nothing is stored, where the digest is another one. */
async function restoreContent(
  target: BlobStore,
  { workspaceId, sha256, size }: BlobAddress & { readonly size: number },
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const staged = await target.stage(workspaceId, content, {
    limitBytes: size,
    ...given({ signal }),
  });
  try {
    if (staged.address.sha256 !== sha256) return false;
    await staged.publish();
    return true;
  } finally {
    await staged.discard();
  }
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
  for (const file of files.all()) {
    signal?.throwIfAborted();
    if (!(await restoreFile(files, file, target, signal))) {
      lost += file.isLost === true ? 1 : 0;
      continue;
    }
    count += 1;
    onFile?.(count);
  }
  return lost;
}

/** Settles a database that no platform uses. */
export async function settleDatabase(options: StorageLocation, now: Date): Promise<SettledRestore> {
  const database = await openPlatformDatabase({ url: databaseUrlOf(options), poolSize: 1 });
  try {
    const work = maintenanceWork(database, "a restored database");
    const tables = new Set(tablesOf(work.read.dialect));
    return await work.write((tx) =>
      settleRestored(
        {
          hasTable: (name) => tables.has(name),
          run: async (change) => (await tx.run(change)).changedRows,
        },
        now,
      ),
    );
  } finally {
    await database.close();
  }
}
