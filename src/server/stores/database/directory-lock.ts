import { DataDirectoryInUseError, StorageError } from "./errors.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Takes `path` (a lock file) for this process, or refuses when another has it. The lock is
 * SQLite's own exclusive file lock, so the system frees it however the process ends.
 */
export function lockDirectory(path: string, directory: string): { release(): void } {
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
