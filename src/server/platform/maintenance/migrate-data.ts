import {
  databaseUrlOf,
  overStorage,
  requireData,
  type StorageLocation,
} from "../storage-location.ts";
import { migrations } from "../../schema/migrations.ts";
import { openDatabase } from "../../database/open.ts";

export interface MigrationReport {
  /** Names of the migrations that ran, in order; none when the schema was up to date. */
  readonly applied: readonly string[];
  /** The newest migration of this `svc`, which the database now has. */
  readonly schema: string;
}

export function migratingWords(bytes: number): string {
  const mebibytes = Math.round(bytes / 1024 ** 2).toLocaleString("en");
  return `Copying the database (${mebibytes} MiB) and migrating it to the schema of this svc…`;
}

/**
 * `svc serve migrate`: migrates a database to the schema of this `svc`. E205 while a platform runs
 * on the directory, E202 without a database.
 */
export async function migrateData(
  places: Omit<StorageLocation, "filesUrl" | "filesCredentials">,
  note: (words: string) => Promise<unknown>,
  schema = migrations,
): Promise<MigrationReport> {
  return overStorage(places, async () => {
    requireData(places);
    let applied: readonly string[] = [];
    const database = await openDatabase({
      url: databaseUrlOf(places),
      migrations: schema,
      onMigrating: async (bytes) => void (await note(migratingWords(bytes))),
      onMigrated: (names) => {
        applied = names;
      },
    });
    await database.close();
    return { applied, schema: schema.at(-1)?.name ?? "" };
  });
}
