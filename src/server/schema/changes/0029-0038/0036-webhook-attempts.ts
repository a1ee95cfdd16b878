import { columnType, type Migration } from "../../../database/migration.ts";
import { raw, statement } from "../../../database/statement.ts";

const { text } = columnType;

/**
 * The attempts of a delivery, and what the endpoint answered to each: an erasure removes the
 * answers and keeps the attempts. Those of the previous build are not in them.
 */
export const migration: Migration = {
  name: "0036-webhook-attempts",
  async up({ run }) {
    for (const column of ["attempt_log", "attempt_answers"]) {
      await run(statement`alter table webhook_deliveries add column ${raw(column)} ${text}`);
    }
    // The alert rules of an endpoint for alerts alone, as a JSON array of their ids.
    await run(statement`alter table webhook_endpoints add column rules ${text}`);
  },
};
