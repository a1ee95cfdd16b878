import { catalogError } from "#contract/errors.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { FilesUnavailableError } from "../files/create-blob-store.ts";
import { FilesUrlError } from "../files/s3/files-url.ts";
import {
  DataDirectoryInUseError,
  FileStoreError,
  isDamaged,
  StorageError,
  StorageFullError,
} from "../kit/storage-errors.ts";
import type { DataPlaces } from "./data-places.ts";

/**
 * What a command throws for what it has met in storage: the error of the catalog, or the very error
 * where it is of another kind. Never with the database's URL, which may hold a password.
 * `whenInUse` says what to do where a platform serves the directory.
 */
export function storageFailure(
  error: unknown,
  { dataDirectory, databaseUrl }: Pick<DataPlaces, "dataDirectory" | "databaseUrl">,
  whenInUse = "Stop its `svc serve` first",
): unknown {
  const cause = { cause: error };
  if (error instanceof DataDirectoryInUseError) {
    const details = `the data directory ${dataDirectory} is in use`;
    return catalogError("E205", { details }, { hint: whenInUse, ...cause });
  }
  if (error instanceof FilesUrlError) {
    return catalogError("E305", { details: error.message }, cause);
  }
  if (error instanceof FilesUnavailableError) {
    const hint =
      "Look at --files-url, the keys in the environment (S3_… or AWS_…), and at the store itself";
    return catalogError("E006", { details: error.message }, { hint, ...cause });
  }
  if (error instanceof StorageError) {
    const details = error.message;
    const isFull = error instanceof StorageFullError;
    if (databaseUrl === undefined || isFull || error instanceof FileStoreError) {
      const mend = `Run \`svc serve doctor --data-dir ${dataDirectory}\`, and restore a backup`;
      const hint = isDamaged(error) ? { hint: mend } : fullHint(isFull);
      return catalogError("E203", { details }, { ...hint, ...cause });
    }
    // The command's own words named it, so that is where to look.
    const hint = "Look at --database-url, and at the server that it names";
    return catalogError("E006", { details }, { hint, ...cause });
  }
  if (systemErrorCode(error) === undefined) return error;
  const path = error instanceof Error && "path" in error ? ` ${String(error.path)}` : "";
  const details = `the disk refused${path}: ${systemErrorWords(error)}`;
  const hint = fullHint(["ENOSPC", "EDQUOT"].includes(systemErrorCode(error) ?? ""));
  return catalogError("E203", { details }, { ...hint, ...cause });
}

function fullHint(isFull: boolean): { readonly hint?: string } {
  return isFull ? { hint: "Make room, or name a place on another disk" } : {};
}
