import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { StorageError } from "../stores/database/errors.ts";

/**
 * The error of the catalog for a database that can't be opened: E006 where `databaseUrl` named it,
 * since that is where to look, else E203. Never with the URL, which may hold a password.
 */
export function storageFailure(error: StorageError, databaseUrl: string | undefined): CatalogError {
  const details = error.message;
  if (databaseUrl === undefined) return catalogError("E203", { details }, { cause: error });
  const hint = "Look at --database-url, and at the server that it names";
  return catalogError("E006", { details }, { hint, cause: error });
}
