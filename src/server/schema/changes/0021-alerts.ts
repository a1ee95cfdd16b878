import { columnType, type Migration } from "../../database/migration.ts";
import { statement } from "../../database/statement.ts";

const { text, integer } = columnType;

/** Rules of alerts, the alerts that they have raised, and the state of each workspace's rules. */
export const migration: Migration = {
  name: "0021-alerts",
  async up({ run }) {
    // Rows of the feed up to the number `since` are older than the rule.
    await run(statement`create table alert_rules (
      workspace_id ${text} not null,
      id ${text} not null,
      name ${text} not null,
      kind ${text} not null,
      settings ${text} not null,
      to_role ${text},
      to_user ${text},
      state ${text} not null,
      disabled_reason ${text},
      since ${integer} not null,
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    // `reads` is the right that a reader needs. `cause` is freed once the cause has ended.
    await run(statement`create table alerts (
      workspace_id ${text} not null,
      id ${text} not null,
      rule_id ${text} not null,
      rule_name ${text} not null,
      cause ${text} not null,
      kind ${text} not null,
      to_role ${text},
      to_user ${text},
      reads ${text} not null,
      subject ${text},
      about ${text} not null,
      acknowledged_at ${text},
      acknowledged_by ${text},
      created_at ${text} not null,
      primary key (workspace_id, id)
    )`);
    await run(statement`create unique index alerts_once on alerts (workspace_id, rule_id, cause)`);
    await run(statement`create index alerts_by_time on alerts (workspace_id, created_at, id)`);
    await run(statement`create index alerts_by_right on alerts (workspace_id, reads)`);
    await run(statement`create index alerts_by_subject on alerts (workspace_id, subject)`);
    // The position in the feed up to which the event rules of a workspace were judged.
    await run(statement`create table alert_states (
      workspace_id ${text} not null primary key,
      position ${text} not null,
      seen ${integer} not null,
      next_check_at ${text}
    )`);
    await run(statement`create index alert_states_due on alert_states (next_check_at)
      where next_check_at is not null`);
  },
};
