import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogError, CatalogError } from "#contract/errors.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { createBlobStore, FilesUnavailableError } from "../engines/blobs/create-blob-store.ts";
import type { BlobStore } from "../engines/blobs/blob-store.ts";
import { FilesUrlError, type FilesCredentials } from "../engines/blobs/s3/files-url.ts";
import { databaseFilename } from "../platform/configuration.ts";
import { storageFailure } from "../platform/storage-failure.ts";
import { DataDirectoryInUseError, StorageError } from "../stores/database/errors.ts";

/** Where a platform keeps what it has, as it was given to `svc serve`. */
export interface DataPlaces {
  readonly dataDirectory: string;
  readonly databaseUrl?: string | undefined;
  readonly filesUrl?: string | undefined;
  readonly filesCredentials?: FilesCredentials | undefined;
}

/** The SQLite file of these places; undefined where the database is PostgreSQL. */
export function sqliteFileOf({ dataDirectory, databaseUrl }: DataPlaces): string | undefined {
  if (databaseUrl === undefined) return join(dataDirectory, databaseFilename);
  if (!databaseUrl.startsWith("sqlite:")) return undefined;
  return databaseUrl.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
}

export function databaseUrlOf(places: DataPlaces): string {
  return places.databaseUrl ?? `sqlite:${join(places.dataDirectory, databaseFilename)}`;
}

/** Refuses places where no platform has been, since opening them would make one. */
export function requireData(places: DataPlaces): void {
  const path = sqliteFileOf(places);
  if (path === undefined || existsSync(path)) return;
  throw catalogError(
    "E202",
    { resource: `Platform data in ${places.dataDirectory}` },
    { hint: "Start it once with `svc serve`, or name its directory with --data-dir" },
  );
}

export function openBlobs(places: DataPlaces): Promise<BlobStore> {
  const { dataDirectory, filesUrl, filesCredentials } = places;
  return createBlobStore({ dataDirectory, filesUrl, credentials: filesCredentials });
}

/** Runs work on a data directory; storage failures become errors of the catalog. */
export async function overStorage<Result>(
  { dataDirectory, databaseUrl }: DataPlaces,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CatalogError) throw error;
    const cause = { cause: error };
    if (error instanceof DataDirectoryInUseError) {
      const details = `the data directory ${dataDirectory} is in use`;
      throw catalogError("E205", { details }, { hint: "Stop its `svc serve` first", ...cause });
    }
    if (error instanceof FilesUrlError) {
      throw catalogError("E305", { details: error.message }, cause);
    }
    if (error instanceof FilesUnavailableError) {
      throw catalogError("E006", { details: error.message }, cause);
    }
    if (error instanceof StorageError) throw storageFailure(error, databaseUrl);
    if (systemErrorCode(error) !== undefined) {
      throw catalogError(
        "E203",
        { details: `the disk refused: ${systemErrorWords(error)}` },
        cause,
      );
    }
    throw error;
  }
}
