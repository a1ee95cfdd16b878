import { columnType, type Migration } from "../../../database/migration.ts";
import { statement } from "../../../database/statement.ts";

const { text, integer } = columnType;

/**
 * Tables by which several platforms on one database count together and follow each other's answers.
 * Times are milliseconds by the database's clock.
 */
export const migration: Migration = {
  name: "0005-several-platforms",
  async up({ run }) {
    // The last five columns are the last lease of the window, and its result.
    await run(statement`create table shared_counts (
      name ${text} not null primary key,
      ends_at ${integer} not null,
      taken ${integer} not null,
      used ${integer} not null,
      needed ${integer} not null,
      wanted ${integer} not null,
      upper ${integer} not null,
      granted ${integer} not null
    )`);
    await run(statement`create index shared_counts_by_end on shared_counts (ends_at)`);
    await run(statement`create table failed_sign_ins (
      name ${text} not null primary key,
      failures ${integer} not null,
      next_at ${integer} not null,
      expires_at ${integer} not null
    )`);
    await run(statement`create index failed_sign_ins_by_end on failed_sign_ins (expires_at)`);
    await run(statement`create table running_answers (
      workspace_id ${text} not null,
      conversation_id ${text} not null,
      message_id ${text} not null,
      owner ${text} not null,
      process ${text} not null,
      state ${text} not null,
      lease_until ${integer} not null,
      followed_until ${integer} not null,
      stop_reason ${text},
      primary key (workspace_id, conversation_id)
    )`);
    await run(statement`create index running_answers_by_process on running_answers (process)`);
    await run(statement`create index running_answers_by_owner on running_answers (owner)`);
    await run(statement`create index running_answers_by_end on running_answers (lease_until)`);
    // JSON as text: PostgreSQL's JSON has no NUL, which a model may write.
    await run(statement`create table answer_events (
      workspace_id ${text} not null,
      message_id ${text} not null,
      place ${integer} not null,
      events ${text} not null,
      expires_at ${integer} not null,
      primary key (workspace_id, message_id, place)
    )`);
    await run(statement`create index answer_events_by_end on answer_events (expires_at)`);
  },
};
