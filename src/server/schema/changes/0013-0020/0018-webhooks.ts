import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/** Endpoints that receive the changes of a workspace, and the log of what was sent to them. */
export const migration: Migration = {
  name: "0018-webhooks",
  async up({ run }) {
    // `url` is null for an endpoint whose deliveries are pulled. Secrets and keys are sealed.
    await run(statement`create table webhook_endpoints (
      workspace_id ${text} not null,
      id ${text} not null,
      url ${text},
      description ${text} not null,
      kinds ${text},
      types ${text},
      where_filter ${text},
      body ${text} not null,
      role ${text} not null,
      is_ordered ${integer} not null,
      state ${text} not null,
      disabled_reason ${text},
      secret ${text} not null,
      signing_key ${text} not null,
      public_key ${text} not null,
      former_secret ${text},
      former_signing_key ${text},
      former_until ${text},
      position ${text} not null,
      next_place ${integer} not null,
      failures ${integer} not null,
      last_delivered_at ${text},
      last_failed_at ${text},
      lease_until ${text},
      expires_at ${text},
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    await run(statement`create index webhook_endpoints_active on webhook_endpoints
      (workspace_id, id) where state = 'active'`);
    await run(statement`create index webhook_endpoints_by_end on webhook_endpoints (expires_at)
      where expires_at is not null`);
    // `event` has no values of records: bodies are made when they are sent.
    await run(statement`create table webhook_deliveries (
      workspace_id ${text} not null,
      endpoint_id ${text} not null,
      id ${text} not null,
      place ${integer} not null,
      origin ${text} not null,
      event_id ${text} not null,
      event_type ${text} not null,
      subject ${text},
      event ${text} not null,
      state ${text} not null,
      attempts ${integer} not null,
      next_at ${text},
      lease_until ${text},
      response_status ${integer},
      response_body ${text},
      error ${text},
      duration_ms ${integer},
      last_attempt_at ${text},
      expires_at ${text},
      created_at ${text} not null,
      primary key (workspace_id, endpoint_id, id)
    )`);
    await run(statement`create index webhook_deliveries_due on webhook_deliveries
      (workspace_id, endpoint_id, next_at, place) where state = 'pending'`);
    await run(statement`create index webhook_deliveries_lanes on webhook_deliveries
      (workspace_id, endpoint_id, subject, place) where state = 'pending'`);
    await run(statement`create index webhook_deliveries_by_time on webhook_deliveries
      (workspace_id, endpoint_id, created_at, id)`);
    await run(statement`create index webhook_deliveries_by_end on webhook_deliveries (expires_at)
      where expires_at is not null`);
  },
};
