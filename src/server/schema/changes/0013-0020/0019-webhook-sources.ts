import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text, integer, bytes } = columnType;

/** Sources of signed calls from outside, and the calls that they have received. */
export const migration: Migration = {
  name: "0019-webhook-sources",
  async up({ run }) {
    // The id is unique on the platform, since senders name no workspace. Secrets are sealed.
    await run(statement`create table webhook_sources (
      workspace_id ${text} not null,
      id ${text} not null,
      name ${text} not null,
      scheme ${text} not null,
      mapping ${text} not null,
      state ${text} not null,
      key_id ${text} not null,
      key_token ${text} not null,
      secret ${text} not null,
      former_secret ${text},
      former_until ${text},
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (id)
    )`);
    await run(statement`create index webhook_sources_by_time on webhook_sources
      (workspace_id, created_at, id)`);
    // The primary key of an event lets one of several equal calls in, on any platform.
    await run(statement`create table webhook_received (
      workspace_id ${text} not null,
      source_id ${text} not null,
      event_id ${text} not null,
      id ${text} not null,
      state ${text} not null,
      attempts ${integer} not null,
      headers ${text} not null,
      body ${bytes},
      body_size ${integer} not null,
      error ${text},
      effect ${text},
      subject ${text},
      created_at ${text} not null,
      processed_at ${text},
      expires_at ${text} not null,
      primary key (workspace_id, source_id, event_id)
    )`);
    await run(statement`create unique index webhook_received_by_id on webhook_received
      (workspace_id, id)`);
    await run(statement`create index webhook_received_by_time on webhook_received
      (workspace_id, source_id, created_at, id)`);
    await run(statement`create index webhook_received_by_subject on webhook_received
      (workspace_id, subject) where subject is not null`);
    await run(statement`create index webhook_received_by_end on webhook_received (expires_at)`);
  },
};
