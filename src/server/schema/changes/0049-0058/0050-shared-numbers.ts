import { sharedNumbersTable } from "../../../database/shared-numbers.ts";
import type { Migration } from "../../../database/migration.ts";
import { raw } from "../../../database/statement.ts";

/**
 * SQLite: numbers of records whose own number another record has. A build without the table finds
 * no such record by its id, so that the first one takes `needs` away (`refuseOlderBuilds`).
 */
export const migration: Migration = {
  name: "0050-shared-numbers",
  needs: "0048-several-rotations",
  async up({ dialect, run }) {
    if (dialect === "sqlite") await run(raw(sharedNumbersTable));
  },
};
