import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open.ts";
import type { DatabaseOptions } from "../database/open-options.ts";
import { everyWorkspace } from "../kit/scope.ts";
import { raw } from "../database/statement.ts";
import { migrations } from "./migrations.ts";

export type PlatformDatabaseOptions = Omit<DatabaseOptions, "migrations">;

/** Opens the platform's database at the newest schema; new ids come after those of all records. */
export async function openPlatformDatabase(options: PlatformDatabaseOptions): Promise<Database> {
  const database = await openDatabase({ ...options, migrations });
  if (database.dialect === "sqlite") {
    const row = await database
      .in(everyWorkspace)
      .read.first<{ last: number | null }>(raw("select max(record_number) as last from resources"));
    database.ids.begin(row?.last ?? 0);
  }
  return database;
}
