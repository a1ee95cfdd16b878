import { existsSync, readFileSync } from "node:fs";
import { open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import type { Secrets } from "../domains/secrets/service.ts";
import { namesIn, syncFolder } from "../files/folders.ts";
import { backupNames } from "./backup/manifest.ts";
import { lockFilename, sizeOf, sqliteFileOf, type StorageLocation } from "./storage-location.ts";
import { addressFilename, workerFilename } from "./worker.ts";

/** Names the database of a data directory, so that a start with another one is noticed. */
const markerFilename = "svc.database";

/**
 * Refuses a data directory in which a folder or a pipe has the name of a file of the platform.
 * Throws E006.
 */
export async function refuseOtherKinds(location: StorageLocation): Promise<void> {
  const { dataDirectory } = location;
  const files = [markerFilename, workerFilename, addressFilename, lockFilename];
  const named = files.map((name) => join(dataDirectory, name));
  const database = sqliteFileOf(location);
  const paths = database === undefined ? named : [...named, database, `${database}.lock`];
  for (const path of paths) {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined || facts.isFile()) continue;
    throw unusable(location, `${path} is not a file`, "Move it away, then start again");
  }
}

/**
 * Refuses to start on a directory that was used and whose SQLite file is missing: SQLite would make
 * an empty one. Throws E006.
 */
export async function refuseMissingDatabase(location: StorageLocation): Promise<void> {
  const path = sqliteFileOf(location);
  if (path === undefined || sizeOf(path) > 0) return;
  const { dataDirectory } = location;
  if (existsSync(`${path}.restoring`)) {
    throw unusable(location, "its restore was interrupted", "Empty it, then restore again");
  }
  const isUsed =
    existsSync(join(dataDirectory, markerFilename)) ||
    sizeOf(`${path}-wal`) > 0 ||
    (await namesIn(join(dataDirectory, backupNames.blobs))).length > 0;
  if (isUsed) throw unusable(location, `its database ${path} is missing`, restoreHint);
}

/**
 * Refuses a database that is not the one with which this directory was used before; false for a new
 * directory. Throws E006.
 */
export function refuseOtherDatabase(location: StorageLocation, secrets: Secrets): boolean {
  const path = join(location.dataDirectory, markerFilename);
  if (!existsSync(path)) return false;
  if (readFileSync(path, "utf8").trim() === markerOf(secrets)) return true;
  const why = "its files belong to another database than the one that was opened";
  throw unusable(location, why, `Give the database with --database-url. ${restoreHint}`);
}

/** Refuses as {@link refuseOtherDatabase} does, and notes the database of a new directory. */
export async function confirmDatabase(location: StorageLocation, secrets: Secrets): Promise<void> {
  if (refuseOtherDatabase(location, secrets)) return;
  const path = join(location.dataDirectory, markerFilename);
  // Whole or not at all: a start may be interrupted here.
  const handle = await open(`${path}.new`, "w", 0o600);
  try {
    await handle.writeFile(`${markerOf(secrets)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(location.dataDirectory);
}

function markerOf(secrets: Secrets): string {
  return Buffer.from(secrets.for("data directory")).toString("hex");
}

const restoreHint =
  "Restore a backup into an empty directory with `svc serve restore`, or choose another directory " +
  "with --data-dir";

function unusable({ dataDirectory }: StorageLocation, why: string, hint: string): Error {
  return catalogError(
    "E006",
    { details: `cannot use the data directory ${dataDirectory}: ${why}` },
    { hint },
  );
}
