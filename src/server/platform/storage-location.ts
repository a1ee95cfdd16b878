import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { createBlobStore } from "../files/create-blob-store.ts";
import type { BlobStore } from "../files/blob-store.ts";
import type { FilesCredentials } from "../files/s3/files-url.ts";
import { refuseBackup } from "./backup/manifest.ts";
import { isSqlite, sqlitePath } from "../database/open.ts";
import { storageFailure } from "./storage-catalog-error.ts";

/** The database's name in the data directory. */
export const databaseFilename = "svc.db";

/** Where a platform keeps what it has, as it was given to `svc serve`. */
export interface DataPlaces {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
  readonly filesUrl?: string | undefined;
  readonly filesCredentials?: FilesCredentials | undefined;
}

/** The database of these places: the named one, else SQLite in the data directory. */
export function databaseUrlOf({ dataDirectory, databaseUrl }: DataPlaces): string {
  return databaseUrl ?? `sqlite:${join(dataDirectory, databaseFilename)}`;
}

/** The SQLite file of these places; undefined where the database is PostgreSQL. */
export function sqliteFileOf(places: DataPlaces): string | undefined {
  const url = databaseUrlOf(places);
  return isSqlite(url) ? sqlitePath(url) : undefined;
}

/** Refuses places where no platform has been, since opening them would make one, and backups. */
export function requireData(places: DataPlaces): void {
  refuseBackup(places.dataDirectory);
  const path = sqliteFileOf(places);
  if (path !== undefined && !existsSync(path)) throw noDataIn(places.dataDirectory);
}

/** E202 for a directory in which no platform has ever been started. */
export function noDataIn(dataDirectory: string): Error {
  return catalogError(
    "E202",
    { resource: `Platform data in ${dataDirectory}` },
    { hint: "Start it once with `svc serve`, or name its directory with --data-dir" },
  );
}

/** The file store of these places. */
export function openBlobs(places: DataPlaces): Promise<BlobStore> {
  const { dataDirectory, filesUrl, filesCredentials } = places;
  return createBlobStore({ dataDirectory, filesUrl, credentials: filesCredentials });
}

/** Runs work on a data directory; storage failures become errors of the catalog. */
export async function overStorage<Result>(
  places: DataPlaces,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw storageFailure(error, places);
  }
}
