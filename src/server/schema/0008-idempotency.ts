import { columnType, type Migration } from "../database/migration.ts";
import { statement } from "../database/statement.ts";

const { text, integer } = columnType;

/** First answers of keyed requests, replayed for 24 hours. */
export const migration: Migration = {
  name: "0008-idempotency",
  async up(context) {
    await context.run(statement`create table idempotency_keys (
      workspace_id ${text} not null,
      oid ${text} not null,
      key ${text} not null,
      fingerprint ${text} not null,
      status ${integer},
      headers ${text},
      body ${text},
      created_at ${text} not null,
      expires_at ${text} not null,
      primary key (workspace_id, oid, key)
    )`);
    await context.run(
      statement`create index idempotency_keys_by_expiry on idempotency_keys (expires_at)`,
    );
  },
};
