import { existsSync } from "node:fs";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { version } from "#lib/version.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import { copyBlob } from "../../files/copy-blob.ts";
import { createDiskBlobStore } from "../../files/disk-blob-store.ts";
import { syncFolder } from "../../files/folders.ts";
import { blobReferences, isFileOwned, type BlobReference } from "../../files/reference-store.ts";
import type { Reader } from "../../database/database.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";
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
import { backupNames, digestFile, type BackupManifest } from "./manifest.ts";
import { refuseInsideData } from "./separate.ts";

export interface BackupOptions extends StorageLocation {
  /** The folder to make, outside of the data directory; it must not be there. */
  readonly output: string;
  readonly now?: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly onFile?: ((files: number) => void) | undefined;
}

/** A file that the database names and that the backup could not take. */
export interface LostFile {
  readonly workspaceId: string;
  readonly sha256: string;
  readonly reason: "missing" | "damaged";
}

export interface BackupReport {
  readonly output: string;
  readonly manifest: BackupManifest;
  /** At most 100 are named. */
  readonly lost: readonly LostFile[];
  readonly lostCount: number;
}

/** Snapshots that are tried while documents are being deleted meanwhile. */
const attemptLimit = 3;
const namedLost = 100;
/** Lost files that are looked at once more; what is beyond them is counted, and not kept. */
const keptLost = 10_000;

/**
 * Backs a data directory up while its platform runs. The database is one consistent snapshot
 * (`VACUUM INTO`), and the files are those that it names. Until all of it is on the disk the folder
 * has another name. PostgreSQL is not copied: `pg_dump` is the tool, and the files are taken for
 * what the database names now.
 */
export async function takeBackup(options: BackupOptions): Promise<BackupReport> {
  return overStorage(options, async () => {
    requireData(options);
    const { output } = options;
    await refuseInsideData(output, options.dataDirectory);
    if (existsSync(output)) {
      throw catalogError(
        "E205",
        { details: `${output} exists already` },
        { hint: "Name a folder that is not there yet with --output" },
      );
    }
    const partial = `${output}.partial-${crypto.randomUUID()}`;
    await mkdir(partial, { recursive: true, mode: 0o700 });
    try {
      const taken = await takeInto(partial, options);
      await rename(partial, output);
      await syncFolder(dirname(output));
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
  const { database, copied } =
    path === undefined
      ? await takeBesidePostgresql(directory, source, options)
      : await takeSqlite(directory, path, source, options);
  const files = { count: copied.count, bytes: copied.bytes, sha256: copied.sha256 };
  const manifest: BackupManifest = {
    format: "svc-backup",
    formatVersion: 1,
    createdAt,
    svcVersion: version,
    database,
    files,
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeDurably(join(directory, backupNames.manifest), text);
  await syncFolder(directory);
  return { manifest, lost: copied.lost.slice(0, namedLost), lostCount: copied.lostCount };
}

async function takeSqlite(
  directory: string,
  path: string,
  source: BlobStore,
  options: BackupOptions,
): Promise<{ database: BackupManifest["database"]; copied: CopiedFiles }> {
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
      const gone = await removedMeanwhile(liveReader, copied.lost);
      if (!gone || attempt === attemptLimit) {
        const { size, sha256 } = await digestFile(target);
        return { database: { engine: "sqlite", size, sha256 }, copied };
      }
      // A document was deleted between the snapshot and its file's turn: a newer snapshot names
      // that file no more, and what the older one named must not stay in the backup.
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

async function removedMeanwhile(reader: Reader, lost: readonly LostFile[]): Promise<boolean> {
  for (const file of lost) {
    if (file.reason === "missing" && !(await isFileOwned(reader, file))) return true;
  }
  return false;
}

async function takeBesidePostgresql(
  directory: string,
  source: BlobStore,
  options: BackupOptions,
): Promise<{ database: BackupManifest["database"]; copied: CopiedFiles }> {
  const database = await openPlatformDatabase({ url: databaseUrlOf(options), poolSize: 1 });
  try {
    const copied = await copyFiles(blobReferences(database.read), directory, source, options);
    // What was deleted while its turn came is no loss.
    const lost: LostFile[] = [];
    for (const file of copied.lost) {
      if (file.reason === "damaged" || (await isFileOwned(database.read, file))) lost.push(file);
    }
    const lostCount = copied.lostCount - (copied.lost.length - lost.length);
    return { database: { engine: "postgresql" }, copied: { ...copied, lost, lostCount } };
  } finally {
    await database.close();
  }
}

interface CopiedFiles {
  readonly count: number;
  readonly bytes: number;
  /** Of the list of files. */
  readonly sha256: string;
  /** The first of them, at most {@link keptLost}. */
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

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r+");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
