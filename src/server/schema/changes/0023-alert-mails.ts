import { columnType, type Migration } from "../../database/migration.ts";
import { statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** Alerts that are to be mailed, how they reach persons and roles, and sizes of received calls. */
export const migration: Migration = {
  name: "0023-alert-mails",
  async up({ run }) {
    // `waiting` until its recipients are known, then `listed`; null is never mailed.
    await run(statement`alter table alerts add column mail ${text}`);
    await run(statement`create index alerts_to_mail on alerts (workspace_id, id)
      where mail = 'waiting'`);
    // A recipient is the id of a user, or `role ` and a name. `pending_from` is the id of the first
    // alert that was not mailed, and `due_at` the time of the mail: the row has no content.
    await run(statement`create table alert_channels (
      workspace_id ${text} not null,
      recipient ${text} not null,
      mail ${integer} not null,
      muted_until ${text},
      muted_rules ${text} not null,
      pending_from ${text},
      pending_to ${text},
      due_at ${text},
      failures ${integer} not null,
      mailed_at ${text},
      primary key (workspace_id, recipient)
    )`);
    await run(statement`create index alert_channels_due on alert_channels (due_at)
      where due_at is not null`);
    await run(statement`create index webhook_received_sizes on webhook_received
      (workspace_id, body_size) where body is not null`);
    await run(statement`create index alert_channels_by_recipient on alert_channels (recipient)`);
  },
};
