import { existsSync } from "node:fs";
import { join } from "node:path";

const lockFilename = "svc.lock";

/**
 * Keeps a data directory to one process: another platform's start sweeps away the files that are
 * being taken in here. Throws `DataDirectoryInUseError`. SQLite in the directory has this very lock
 * of its own, so it is only taken where `databaseUrl` names a database elsewhere.
 */
export async function holdDirectory(
  dataDirectory: string,
  databaseUrl: string | undefined,
): Promise<{ release(): void }> {
  if (databaseUrl === undefined || !existsSync(dataDirectory)) return { release: () => {} };
  const { lockDirectory } = await import("../database/sqlite/directory-lock.ts");
  return lockDirectory(join(dataDirectory, lockFilename), dataDirectory);
}
