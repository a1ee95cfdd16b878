import { columnType } from "../../database/migration.ts";
import { statement, type Statement } from "../../database/statement.ts";

const { text, integer, json } = columnType;

/** Conversations and their messages. */
export const chatTables: readonly Statement[] = [
  statement`create table conversations (
    workspace_id ${text} not null,
    id ${text} not null,
    owner ${text} not null,
    workflow_id ${text} not null,
    stage ${text} not null,
    title ${text} not null,
    message_count ${integer} not null,
    created_at ${text} not null,
    updated_at ${text} not null,
    primary key (workspace_id, id)
  )`,
  statement`create index conversations_by_owner
    on conversations (workspace_id, owner, created_at desc, id desc)`,
  statement`create table chat_messages (
    workspace_id ${text} not null,
    conversation_id ${text} not null,
    ordinal ${integer} not null,
    id ${text} not null,
    role ${text} not null,
    content ${text} not null,
    citations ${json} not null,
    status ${text} not null,
    created_at ${text} not null,
    primary key (workspace_id, conversation_id, ordinal)
  )`,
];
