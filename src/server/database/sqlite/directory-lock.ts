import { chmodSync, closeSync, openSync } from "node:fs";
import { DataDirectoryInUseError, StorageError } from "../errors.ts";
import { SqliteConnection } from "./connection.ts";

/**
 * Takes `path` (a lock file) for this process, or refuses when another has it. The lock is
 * SQLite's own exclusive file lock, so the system frees it however the process ends.
 */
export function lockDirectory(path: string, directory: string): { release(): void } {
  keepToOwner(path);
  const connection = new SqliteConnection(path, { readonly: false });
  try {
    connection.execute("pragma busy_timeout = 0");
    connection.execute("begin exclusive");
  } catch (error) {
    connection.close();
    if (error instanceof StorageError && /SQLITE_BUSY/.test(error.message)) {
      throw new DataDirectoryInUseError(
        `Cannot open the data directory ${JSON.stringify(directory)}: another svc serves it. ` +
          `Stop that one, or name another directory`,
        { cause: error },
      );
    }
    throw error;
  }
  return { release: () => connection.close() };
}

/** Whoever may open the file may lock it; its journal gets its mode. Where it can't be made, SQLite says why. */
function keepToOwner(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch {
    // It is opened again right away, by what has the words for it.
  }
}
