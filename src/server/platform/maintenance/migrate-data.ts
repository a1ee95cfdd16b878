import {
  databaseUrlOf,
  overStorage,
  requireData,
  type StorageLocation,
} from "../storage-location.ts";
import { migrations } from "../../schema/migrations.ts";
import { openDatabase } from "../../database/open.ts";

export interface MigrationReport {
  /** Names of the migrations that ran now, in their order; none when the schema was up to date. */
  readonly applied: readonly string[];
  /** The newest migration that this `svc` knows, which the database has now. */
  readonly schema: string;
}

/** What is said before a large database is brought up to date. */
export function migratingWords(bytes: number): string {
  const mebibytes = Math.round(bytes / 1024 ** 2).toLocaleString("en");
  return `Copying the database, ${mebibytes} MiB, and bringing it to the schema of this svc…`;
}

/**
 * `svc serve migrate`: brings a database to the schema of this `svc`, as the next `svc serve` would.
 * Refuses a directory whose platform runs (E205), and one where none has been (E202). `schema` is the
 * list of all migrations.
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
