import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { SqliteConnection } from "../../../database/sqlite/sqlite-connection.ts";
import { syncFolder } from "../../../files/folders.ts";
import { migrations } from "../../../schema/migrations.ts";
import { databaseFilename } from "../../storage-location.ts";
import type { LogPiece } from "../../../database/sqlite/log/log-pieces.ts";
import { applyLog } from "../log/placed-log.ts";
import { unreadable } from "../manifest.ts";
import { linesOf, type SealedObjects } from "../place/sealed-objects.ts";
import { partName, type SetManifest } from "./backup-set.ts";
import { loadRows } from "./row-dump.ts";

/** Refuses a set whose schema is newer than this build (E305). */
function refuseNewer(manifest: SetManifest): void {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = manifest.migrations.find((name) => !known.has(name));
  if (newer === undefined) return;
  const reason = `svc ${manifest.svcVersion} made it, with the change "${newer}" of the schema`;
  throw unreadable(manifest.name, `${reason}, which this svc does not have`);
}

/**
 * Writes the database of a set: an SQLite file in a folder, or the rows of PostgreSQL into `url`,
 * which may be of either kind. Throws `DamagedFileError` for any difference from the backup.
 */
export async function loadDatabase(
  objects: SealedObjects,
  manifest: SetManifest,
  {
    folder,
    url,
    pieces = [],
    settle,
    signal,
  }: {
    readonly folder: string;
    readonly url: string;
    /** The pieces of the log that continue an SQLite file. */
    readonly pieces?: readonly LogPiece[];
    /** Runs on the SQLite file before it gets its name. */
    readonly settle?: ((path: string) => Promise<void>) | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  refuseNewer(manifest);
  const content = objects.read(partName(manifest.name, "database"), manifest.parts.database, {
    isSealed: true,
    isCompressed: true,
  });
  if (manifest.engine === "postgresql") {
    const { migrations: applied, tables: expected } = manifest;
    await loadRows(url, linesOf(content), { applied, expected, signal });
    return;
  }
  const path = join(folder, databaseFilename);
  const partial = `${path}.restoring`;
  const handle = await open(partial, "wx", 0o600);
  try {
    for await (const chunk of content) {
      signal?.throwIfAborted();
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  requireRows(partial, manifest);
  await applyLog(objects, pieces, partial, signal);
  await settle?.(partial);
  await rename(partial, path);
  await syncFolder(folder);
}

function requireRows(path: string, { name, tables }: SetManifest): void {
  const connection = new SqliteConnection(path, { readonly: true });
  try {
    for (const [table, { rows }] of Object.entries(tables)) {
      const [row] = connection.run(`select count(*) as found from "${table}"`, []).rows;
      if (Number(row?.["found"]) === rows) continue;
      throw unreadable(name, `its table ${table} has ${String(row?.["found"])} rows, not ${rows}`);
    }
  } finally {
    connection.close();
  }
}
