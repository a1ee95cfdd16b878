import { given } from "#lib/given.ts";
import { existsSync } from "node:fs";
import { chmod, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { version } from "#lib/version.ts";
import { removeUnfinished, unfinishedName } from "#lib/files/abandoned-folders.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import { copyBlob } from "../../files/copy-blob.ts";
import { createDiskBlobStore } from "../../files/disk-blob-store.ts";
import { syncFile, syncFolder } from "../../files/folders.ts";
import { neededKeyId } from "../../domains/secrets/service.ts";
import { blobReferences, isFileOwned, type BlobReference } from "../../files/reference-store.ts";
import type { Reader } from "../../database/database.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";
import { maintenanceWork } from "../../work/works.ts";
import { ExecutingReader } from "../../database/reader.ts";
import { SqliteConnection } from "../../database/sqlite/sqlite-connection.ts";
import {
  databaseUrlOf,
  openBlobs,
  overStorage,
  requireData,
  sqliteFileOf,
  type StorageLocation,
} from "../storage-location.ts";
import { addToErasureList, noteBackup, readErasureList } from "./erasure-lists.ts";
import { backupNames, digestFile, type BackupManifest } from "./manifest.ts";
import { refuseInsideData } from "./refuse-nested.ts";

export interface BackupOptions extends StorageLocation {
  /** The new folder, outside of the data directory. */
  readonly output: string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onFile?: ((files: number) => void) | undefined;
}

export interface LostFile {
  readonly workspaceId: string;
  readonly sha256: string;
  readonly reason: "missing" | "damaged";
}

export interface BackupReport {
  readonly output: string;
  readonly manifest: BackupManifest;
  /** The first 100 of them. */
  readonly lost: readonly LostFile[];
  readonly lostCount: number;
}

/** Maximum number of snapshots when documents are deleted during the backup. */
const attemptLimit = 3;
const partialMark = ".partial-";
const reportedLost = 100;
/** Lost files above this number are only counted. */
const keptLost = 10_000;

/**
 * Backs up a data directory while its platform runs: one snapshot of SQLite (`VACUUM INTO`) and the
 * files that it names. A PostgreSQL database needs `pg_dump`; its files are those it names now. The
 * folder has a temporary name until it is complete.
 */
export async function takeBackup(options: BackupOptions): Promise<BackupReport> {
  return overStorage(options, async () => {
    requireData(options);
    const { output } = options;
    await refuseInsideData(output, options.dataDirectory);
    if (existsSync(output)) {
      throw catalogError(
        "E205",
        { details: `${output} already exists` },
        { hint: "Give a new folder with --output" },
      );
    }
    await removeUnfinished(dirname(output), partialMark);
    const partial = await unfinishedName(`${output}${partialMark}`);
    await mkdir(partial, { recursive: true, mode: 0o700 });
    try {
      const taken = await takeInto(partial, options);
      await addToErasureList(partial, await readErasureList(options.dataDirectory));
      // The platform adds ids itself from here on; the last call takes those in between.
      await noteBackup(options.dataDirectory, output);
      await rename(partial, output);
      await syncFolder(dirname(output));
      await addToErasureList(output, await readErasureList(options.dataDirectory));
      return { output, ...taken };
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
  });
}

async function takeInto(
  directory: string,
  options: BackupOptions,
): Promise<Omit<BackupReport, "output">> {
  const path = sqliteFileOf(options);
  const source = await openBlobs(options);
  const createdAt = (options.now ?? (() => new Date()))().toISOString();
  const { database, copied, keyId } =
    path === undefined
      ? await takePostgresqlFiles(directory, source, options)
      : await takeSqlite(directory, path, source, options);
  const files = { count: copied.count, bytes: copied.bytes, sha256: copied.sha256 };
  const manifest: BackupManifest = {
    format: "svc-backup",
    formatVersion: 1,
    createdAt,
    svcVersion: version,
    database,
    ...given({ keyId }),
    files,
  };
  const manifestPath = join(directory, backupNames.manifest);
  await writeFile(manifestPath, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await syncFile(manifestPath);
  await syncFolder(directory);
  return { manifest, lost: copied.lost.slice(0, reportedLost), lostCount: copied.lostCount };
}

interface TakenData {
  readonly database: BackupManifest["database"];
  readonly copied: CopiedFiles;
  readonly keyId: string | undefined;
}

async function takeSqlite(
  directory: string,
  path: string,
  source: BlobStore,
  options: BackupOptions,
): Promise<TakenData> {
  const live = new SqliteConnection(path, { readonly: true });
  try {
    live.execute("pragma busy_timeout = 5000");
    const liveReader = readerOf(live);
    const target = join(directory, backupNames.database);
    for (let attempt = 1; ; attempt += 1) {
      options.signal?.throwIfAborted();
      live.run("vacuum into ?", [target]);
      await chmod(target, 0o600);
      await syncFile(target);
      const copied = await copyFilesOf(target, directory, source, options);
      const isOutdated = await wereRemoved(liveReader, copied.lost);
      if (!isOutdated || attempt === attemptLimit) {
        const { size, sha256 } = await digestFile(target);
        const keyId = await neededKeyId(liveReader);
        return { database: { engine: "sqlite", size, sha256 }, copied, keyId };
      }
      // A new snapshot no longer names the file, and the files of this one must not stay.
      await rm(target, { force: true });
      await rm(join(directory, backupNames.blobs), { recursive: true, force: true });
    }
  } finally {
    live.close();
  }
}

async function copyFilesOf(
  snapshot: string,
  directory: string,
  source: BlobStore,
  options: BackupOptions,
): Promise<CopiedFiles> {
  const connection = new SqliteConnection(snapshot, { readonly: true });
  try {
    return await copyFiles(blobReferences(readerOf(connection)), directory, source, options);
  } finally {
    connection.close();
  }
}

/** True if a file is missing because its document was deleted after the snapshot. */
async function wereRemoved(reader: Reader, lost: readonly LostFile[]): Promise<boolean> {
  for (const file of lost) {
    if (file.reason === "missing" && !(await isFileOwned(reader, file))) return true;
  }
  return false;
}

async function takePostgresqlFiles(
  directory: string,
  source: BlobStore,
  options: BackupOptions,
): Promise<TakenData> {
  const database = await openPlatformDatabase({ url: databaseUrlOf(options), poolSize: 1 });
  const { read } = maintenanceWork(database, "the files of a backup");
  try {
    const copied = await copyFiles(blobReferences(read), directory, source, options);
    // A file whose document was deleted during the backup is not lost.
    const lost: LostFile[] = [];
    for (const file of copied.lost) {
      if (file.reason === "damaged" || (await isFileOwned(read, file))) lost.push(file);
    }
    const lostCount = copied.lostCount - (copied.lost.length - lost.length);
    const keyId = await neededKeyId(read);
    return { database: { engine: "postgresql" }, copied: { ...copied, lost, lostCount }, keyId };
  } finally {
    await database.close();
  }
}

interface CopiedFiles {
  readonly count: number;
  readonly bytes: number;
  /** The digest of the list of files. */
  readonly sha256: string;
  /** The first {@link keptLost} of them. */
  readonly lost: readonly LostFile[];
  readonly lostCount: number;
}

async function copyFiles(
  references: AsyncIterable<BlobReference>,
  directory: string,
  source: BlobStore,
  { signal, onFile }: BackupOptions,
): Promise<CopiedFiles> {
  const target = createDiskBlobStore(join(directory, backupNames.blobs));
  const hasher = new Bun.CryptoHasher("sha256");
  const list = await open(join(directory, backupNames.files), "w", 0o600);
  const lost: LostFile[] = [];
  let count = 0;
  let bytes = 0;
  let lostCount = 0;
  try {
    for await (const { workspaceId, sha256, size, isNeeded } of references) {
      signal?.throwIfAborted();
      const outcome = await copyBlob(source, target, { workspaceId, sha256 }, signal);
      if (outcome !== "copied") {
        if (!isNeeded) continue;
        lostCount += 1;
        if (lost.length < keptLost) lost.push({ workspaceId, sha256, reason: outcome });
        continue;
      }
      const line = `${JSON.stringify({ workspaceId, sha256, size })}\n`;
      hasher.update(line);
      await list.writeFile(line);
      count += 1;
      bytes += size;
      onFile?.(count);
    }
    await list.sync();
  } finally {
    await list.close();
  }
  return { count, bytes, sha256: hasher.digest("hex"), lost, lostCount };
}

function readerOf(connection: SqliteConnection): Reader {
  return new ExecutingReader("sqlite", (text, parameters) =>
    Promise.resolve(connection.run(text, parameters)),
  );
}
