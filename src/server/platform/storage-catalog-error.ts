import { catalogError, exitCodes } from "#contract/errors.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { FilesUnavailableError } from "../files/create-blob-store.ts";
import { FilesUrlError } from "../files/s3/files-url.ts";
import {
  DatabaseFaultError,
  DataDirectoryInUseError,
  FileStoreError,
  isDamaged,
  SchemaMismatchError,
  StorageError,
  StorageFullError,
} from "../kit/storage-errors.ts";

/**
 * The catalog error for a storage error; other errors stay as they are. It does not contain the
 * database's URL, which may have a password. `whenInUse` is the hint while a platform runs.
 */
export function storageCatalogError(
  error: unknown,
  {
    dataDirectory,
    databaseUrl,
  }: { readonly dataDirectory: string; readonly databaseUrl?: string | undefined },
  whenInUse = "Stop its `svc serve` first",
): unknown {
  const cause = { cause: error };
  if (error instanceof DataDirectoryInUseError) {
    const details = `the data directory ${dataDirectory} is in use`;
    return catalogError("E205", { details }, { hint: whenInUse, ...cause });
  }
  if (error instanceof FilesUrlError) {
    return catalogError(
      "E305",
      { details: error.message },
      { ...cause, exitCode: exitCodes.usage },
    );
  }
  if (error instanceof FilesUnavailableError) {
    const hint =
      "Check --files-url, the keys in the environment (S3_… or AWS_…), and the store itself";
    return catalogError("E006", { details: error.message }, { hint, ...cause });
  }
  if (error instanceof SchemaMismatchError) {
    const hint = "Install the newest svc; an older one cannot open the database of a newer one";
    return catalogError("E203", { details: error.message }, { hint, ...cause });
  }
  if (error instanceof StorageError) {
    const details = error.message;
    const isFull = error instanceof StorageFullError;
    if (databaseUrl === undefined || isFull || error instanceof FileStoreError) {
      const mend = `Run \`svc serve doctor --data-dir ${dataDirectory}\`, and restore a backup`;
      const hint = isDamaged(error) ? { hint: mend } : (faultHint(error) ?? fullHint(isFull));
      return catalogError("E203", { details }, { ...hint, ...cause });
    }
    const hint = { hint: "Check --database-url and its server" };
    return catalogError("E006", { details }, { ...(faultHint(error) ?? hint), ...cause });
  }
  if (systemErrorCode(error) === undefined) return error;
  const path = error instanceof Error && "path" in error ? ` ${String(error.path)}` : "";
  const details = `the disk refused${path}: ${systemErrorWords(error)}`;
  const hint = fullHint(["ENOSPC", "EDQUOT"].includes(systemErrorCode(error) ?? ""));
  return catalogError("E203", { details }, { ...hint, ...cause });
}

function faultHint(error: StorageError): { readonly hint: string } | undefined {
  return error instanceof DatabaseFaultError
    ? { hint: `${error.part} ${error.conduct}` }
    : undefined;
}

function fullHint(isFull: boolean): { readonly hint?: string } {
  return isFull ? { hint: "Free disk space, or choose a place on another disk" } : {};
}
