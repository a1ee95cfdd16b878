import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { createBlobStore } from "../files/create-blob-store.ts";
import type { BlobStore } from "../files/blob-store.ts";
import type { FilesCredentials } from "../files/s3/files-url.ts";
import { refuseBackup } from "./backup/manifest.ts";
import { isSqlite, sqlitePath } from "../database/open.ts";
import { storageCatalogError } from "./storage-catalog-error.ts";

export const databaseFilename = "svc.db";
export const lockFilename = "svc.lock";

/** Where a platform stores its data, from the options of `svc serve`. */
export interface StorageLocation {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
  /** The key that seals the secrets; `svc.key` in the data directory by default. */
  readonly keyFile?: string | undefined;
  readonly filesUrl?: string | undefined;
  readonly filesCredentials?: FilesCredentials | undefined;
}

export function databaseUrlOf({ dataDirectory, databaseUrl }: StorageLocation): string {
  return databaseUrl ?? `sqlite:${join(dataDirectory, databaseFilename)}`;
}

/** The SQLite file; undefined for PostgreSQL. */
export function sqliteFileOf(location: StorageLocation): string | undefined {
  const url = databaseUrlOf(location);
  return isSqlite(url) ? sqlitePath(url) : undefined;
}

/**
 * Refuses a backup, and a location without a database or with an empty file: to open it would
 * create one.
 */
export function requireData(location: StorageLocation): void {
  refuseBackup(location.dataDirectory);
  const path = sqliteFileOf(location);
  if (path !== undefined && sizeOf(path) === 0) throw noDataIn(location.dataDirectory);
}

/** Bytes of a file; 0 without it. */
export function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

/** E202 for a directory in which no platform was ever started. */
export function noDataIn(dataDirectory: string): Error {
  return catalogError(
    "E202",
    { resource: `Platform data in ${dataDirectory}` },
    { hint: "Start it once with `svc serve`, or give its directory with --data-dir" },
  );
}

/**
 * Locks a data directory to one process, because a start deletes unfinished uploads. Throws
 * `DataDirectoryInUseError`. SQLite in the directory takes this lock itself, so it is only taken
 * for a database elsewhere.
 */
export async function lockDataDirectory(
  dataDirectory: string,
  databaseUrl: string | undefined,
): Promise<{ release(): void }> {
  if (databaseUrl === undefined || !existsSync(dataDirectory)) return { release: () => {} };
  const { lockDirectory } = await import("../database/sqlite/directory-lock.ts");
  return lockDirectory(join(dataDirectory, lockFilename), dataDirectory);
}

export function openBlobs(location: StorageLocation): Promise<BlobStore> {
  const { dataDirectory, filesUrl, filesCredentials } = location;
  return createBlobStore({ dataDirectory, filesUrl, credentials: filesCredentials });
}

/** Runs work on stored data; its storage errors become errors of the catalog. */
export async function overStorage<Result>(
  location: StorageLocation,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storageCatalogError(error, location);
  }
}
