import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text } = columnType;

/**
 * Secrets of webhooks that were replaced before the last one, while their grace runs: JSON arrays
 * with the sealed secrets and the end of each. The previous build does not use them.
 */
export const migration: Migration = {
  name: "0048-several-rotations",
  async up({ run }) {
    await run(statement`alter table webhook_endpoints add column earlier_pairs ${text}`);
    await run(statement`alter table webhook_sources add column earlier_secrets ${text}`);
  },
};
