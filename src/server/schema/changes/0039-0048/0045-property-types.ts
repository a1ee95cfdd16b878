import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

/**
 * The types of the properties of a generation's features. They are not known (null) for one that
 * an earlier build has made, also during an update.
 */
export const migration: Migration = {
  name: "0045-property-types",
  async up({ run }) {
    await run(statement`alter table geo_generations add column property_types ${columnType.text}`);
  },
};
