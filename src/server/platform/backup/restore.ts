import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createReadStream, existsSync } from "node:fs";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { parsedJson } from "#lib/json/value.ts";
import { copyBlob } from "../../files/copy-blob.ts";
import { createDiskBlobStore } from "../../files/disk-blob-store.ts";
import { namesIn, syncFolder } from "../../files/folders.ts";
import { readKey } from "../key-file.ts";
import {
  databaseFilename,
  openBlobs,
  overStorage,
  type StorageLocation,
} from "../storage-location.ts";
import {
  backedUpFile,
  backupNames,
  digestFile,
  readBackupManifest,
  unreadable,
  type BackedUpFile,
  type BackupManifest,
} from "./manifest.ts";
import { addToErasureList, readErasureList } from "./erasure-lists.ts";
import { refuseInsideBackup } from "./refuse-nested.ts";
import { settleSqlite, type SettledRestore } from "./settle-restored.ts";

export interface RestoreOptions extends Omit<StorageLocation, "databaseUrl"> {
  readonly input: string;
  /** Another backup of the same platform, or its data directory, with a longer list of erasures. */
  readonly erasuresFrom?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onFile?: ((files: number) => void) | undefined;
}

export interface RestoreReport {
  readonly input: string;
  readonly dataDirectory: string;
  readonly manifest: BackupManifest;
  /** Ids of the list of erasures, which the next start erases where the database has them. */
  readonly erasures: number;
  /** Undefined for PostgreSQL, whose database the operator restores. */
  readonly settled: SettledRestore | undefined;
}

/**
 * Restores a backup into an empty data directory and checks each digest. The database comes last,
 * so that a directory with a database is complete. After a failure the directory is empty again.
 * The list of erasures comes before it: the next start applies it before it serves.
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreReport> {
  return overStorage(options, async () => {
    const { input, dataDirectory } = options;
    const manifest = await readBackupManifest(input);
    await refuseInsideBackup(dataDirectory, input);
    await requireEmpty(dataDirectory);
    await refuseOtherKey(options, manifest);
    const lists = [input, ...(options.erasuresFrom === undefined ? [] : [options.erasuresFrom])];
    const erased = (await Promise.all(lists.map(readErasureList))).flat();
    const settled = await emptyAfterFailure(dataDirectory, async () => {
      await addToErasureList(dataDirectory, erased);
      await restoreFiles(manifest, options);
      return manifest.database.engine === "sqlite"
        ? restoreDatabase(input, dataDirectory, manifest.database)
        : undefined;
    });
    const erasures = (await readErasureList(dataDirectory)).length;
    return { input, dataDirectory, manifest, erasures, settled };
  });
}

/** Refuses a data directory with any content (E205). */
export async function requireEmpty(dataDirectory: string): Promise<void> {
  const facts = await stat(dataDirectory).catch(() => undefined);
  if (facts !== undefined && !facts.isDirectory()) throw taken(dataDirectory, "is a file");
  if ((await namesIn(dataDirectory)).length > 0) throw taken(dataDirectory, "is not empty");
}

/** Fills a data directory, which is empty again after a failure. */
export async function emptyAfterFailure<Result>(
  dataDirectory: string,
  fill: () => Promise<Result>,
): Promise<Result> {
  const isNew = !existsSync(dataDirectory);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  try {
    const result = await fill();
    await syncFolder(dataDirectory);
    return result;
  } catch (error) {
    for (const name of await readdir(dataDirectory)) {
      await rm(join(dataDirectory, name), { recursive: true, force: true });
    }
    if (isNew) await rm(dataDirectory, { recursive: true, force: true });
    throw error;
  }
}

/** Refuses a named key file that the backup's database was not used with (E305). */
export async function refuseOtherKey(
  { input, keyFile }: { readonly input: string; readonly keyFile?: string | undefined },
  { keyId }: { readonly keyId?: string | undefined },
): Promise<void> {
  if (keyFile === undefined || keyId === undefined) return;
  const key = await readKey(keyFile);
  if (key?.id === keyId) return;
  const found = key === undefined ? `${keyFile} is missing` : `${keyFile} has the id ${key.id}`;
  throw unreadable(input, `it needs the key file with the id ${keyId}, and ${found}`);
}

function taken(dataDirectory: string, why: string): CatalogError {
  const hint = "Give an empty or new directory with --data-dir";
  return catalogError("E205", { details: `the data directory ${dataDirectory} ${why}` }, { hint });
}

async function restoreFiles(manifest: BackupManifest, options: RestoreOptions): Promise<void> {
  const { input, signal, onFile } = options;
  const list = join(input, backupNames.files);
  if (!existsSync(list)) throw unreadable(input, "its list of files is missing");
  if ((await digestFile(list)).sha256 !== manifest.files.sha256) {
    throw unreadable(input, "its list of files has changed since the backup");
  }
  const source = createDiskBlobStore(join(input, backupNames.blobs));
  const target = await openBlobs(options);
  let count = 0;
  for await (const { workspaceId, sha256 } of listed(input, list)) {
    signal?.throwIfAborted();
    const outcome = await copyBlob(source, target, { workspaceId, sha256 }, signal);
    if (outcome !== "copied") throw unreadable(input, `the file ${sha256} is ${outcome}`);
    count += 1;
    onFile?.(count);
  }
  if (count !== manifest.files.count) throw unreadable(input, "its list of files is incomplete");
}

async function* listed(input: string, path: string): AsyncGenerator<BackedUpFile> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  for await (const line of lines) {
    const parsed = backedUpFile.safeParse(parsedJson(line));
    if (!parsed.success) throw unreadable(input, "its list of files is invalid");
    yield parsed.data;
  }
}

/** Copies the database under a temporary name, and renames it after the digest check. */
async function restoreDatabase(
  input: string,
  dataDirectory: string,
  expected: { readonly size: number; readonly sha256: string },
): Promise<SettledRestore> {
  const source = Bun.file(join(input, backupNames.database));
  if (!(await source.exists())) throw unreadable(input, "its database is missing");
  const partial = join(dataDirectory, `${databaseFilename}.restoring`);
  const hasher = new Bun.CryptoHasher("sha256");
  const handle = await open(partial, "wx", 0o600);
  try {
    for await (const chunk of source.stream()) {
      hasher.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (hasher.digest("hex") !== expected.sha256) {
    throw unreadable(input, "its database has changed since the backup");
  }
  const settled = await settleSqlite(partial, new Date());
  await rename(partial, join(dataDirectory, databaseFilename));
  return settled;
}
