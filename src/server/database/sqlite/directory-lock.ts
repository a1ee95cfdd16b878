import { chmodSync, closeSync, openSync } from "node:fs";
import { DataDirectoryInUseError, StorageError } from "../../kit/storage-errors.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Locks the file at `path` for this process, or throws when another process has it. The lock is
 * SQLite's exclusive file lock: the system releases it with the process.
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

/** A process that can open the file can lock it; its journal gets the same mode. */
function keepToOwner(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch {
    // SQLite opens it next, and throws the reason.
  }
}
