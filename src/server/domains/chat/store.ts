import type { ChatEvent, Citation } from "#contract/documents/chat.ts";
import type { Reader } from "../../database/database.ts";
import type { ChangeOperation } from "../../work/change-event.ts";
import type { Transaction } from "../../work/work.ts";
import { jsonText, jsonValue } from "../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { nothing, raw, statement, type Statement } from "../../database/statement.ts";

export interface ConversationKey {
  readonly workspaceId: string;
  readonly id: string;
}

export interface Conversation extends ConversationKey {
  /** The oid of its user. */
  readonly owner: string;
  readonly workflowId: string;
  readonly stage: string;
  readonly title: string;
  readonly messageCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Message {
  readonly id: string;
  /** The place in its conversation, from 1. */
  readonly ordinal: number;
  readonly role: "user" | "assistant";
  readonly content: string;
  readonly citations: readonly Citation[];
  readonly details: AnswerDetails;
  /** `incomplete` for an answer that was interrupted. */
  readonly status: "complete" | "incomplete";
  readonly createdAt: string;
}

/** The details of an answer; empty for a question. */
export interface AnswerDetails {
  readonly model?: string;
  /** Kept apart from the text. */
  readonly reasoning?: string;
  /** The nearest passages of a question without an answer. */
  readonly nearest?: readonly Citation[];
  readonly unsupported?: readonly Extract<ChatEvent, { type: "data-unsupported" }>["data"][];
}

const columns = raw(
  "workspace_id, id, owner, workflow_id, stage, title, message_count, created_at, updated_at",
);
const selected = raw(
  'workspace_id as "workspaceId", id, owner, workflow_id as "workflowId", stage, title, ' +
    'message_count as "messageCount", created_at as "createdAt", updated_at as "updatedAt"',
);

/** Creates the conversation, unless one with this id exists (perhaps of another owner). */
export async function beginConversation(
  tx: Transaction,
  conversation: Omit<Conversation, "messageCount" | "createdAt" | "updatedAt">,
  now: Date,
): Promise<void> {
  const time = now.toISOString();
  const { changedRows } = await tx.run(statement`insert into conversations (${columns})
    values (${conversation.workspaceId}, ${conversation.id}, ${conversation.owner},
      ${conversation.workflowId}, ${conversation.stage}, ${conversation.title}, 0, ${time}, ${time})
    on conflict (workspace_id, id) do nothing`);
  if (changedRows > 0) changed(tx, conversation, conversation.owner, "created");
}

/** Only the owner may read of it. */
function changed(
  tx: Transaction,
  { workspaceId, id }: ConversationKey,
  owner: string,
  op: ChangeOperation,
): void {
  tx.event("conversation", id, workspaceId, { op, participants: [owner] });
}

/** The caller must compare the owner. */
export async function conversationById(
  reader: Reader,
  key: ConversationKey,
): Promise<Conversation | undefined> {
  return reader.first<Conversation>(statement`select ${selected}
    from conversations where ${isConversation(key)}`);
}

/** Adds messages at the end; has no effect on a conversation that was deleted. */
export async function appendMessages(
  tx: Transaction,
  key: ConversationKey,
  messages: readonly Omit<Message, "ordinal" | "createdAt">[],
  now: Date,
): Promise<void> {
  const time = now.toISOString();
  const row = await tx.first<{
    message_count: number;
    owner: string;
  }>(statement`update conversations
    set message_count = message_count + ${messages.length}, updated_at = ${time}
    where ${isConversation(key)} returning message_count, owner`);
  if (row === undefined) return;
  changed(tx, key, row.owner, "updated");
  const before = row.message_count - messages.length;
  for (const [index, message] of messages.entries()) {
    await tx.run(statement`insert into chat_messages
      (workspace_id, conversation_id, ordinal, id, role, content, citations, details,
        status, created_at)
      values (${key.workspaceId}, ${key.id}, ${before + index + 1}, ${message.id},
        ${message.role}, ${message.content}, ${jsonValue(message.citations)},
        ${jsonValue(message.details)}, ${message.status}, ${time})`);
  }
}

export async function renameConversation(
  tx: Transaction,
  key: ConversationKey,
  title: string,
): Promise<void> {
  const row = await tx.first<{ owner: string }>(statement`update conversations
    set title = ${title} where ${isConversation(key)} returning owner`);
  if (row !== undefined) changed(tx, key, row.owner, "updated");
}

/** Removes a conversation; returns the number of its messages. */
export async function removeConversation(tx: Transaction, key: ConversationKey): Promise<number> {
  const { changedRows } = await tx.run(statement`delete from chat_messages
    where workspace_id = ${key.workspaceId} and conversation_id = ${key.id}`);
  const row = await tx.first<{ owner: string }>(statement`delete from conversations
    where ${isConversation(key)} returning owner`);
  if (row !== undefined) changed(tx, key, row.owner, "deleted");
  return changedRows;
}

export interface ConversationPage extends NewestPage {
  readonly workspaceId: string;
  readonly owner: string;
}

/** A user's conversations in a workspace, newest first. */
export async function conversationPage(
  reader: Reader,
  page: ConversationPage,
): Promise<Conversation[]> {
  return reader.all<Conversation>(statement`select ${selected}
    from conversations where workspace_id = ${page.workspaceId} and owner = ${page.owner}
      ${newestFirst(page)}`);
}

export async function countConversations(
  reader: Reader,
  workspaceId: string,
  owner: string,
): Promise<number> {
  return countRows(
    reader,
    statement`from conversations where workspace_id = ${workspaceId} and owner = ${owner}`,
  );
}

interface MessagesSince {
  readonly workspaceId: string;
  readonly workflowId: string;
  readonly since: string;
}

/** The number of users' messages to a workflow since a time. */
export async function countUserMessages(reader: Reader, of: MessagesSince): Promise<number> {
  return countRows(reader, userMessages(of));
}

/** The time of the newest of these messages but `newer`; undefined if there are not so many. */
export async function userMessageAt(
  reader: Reader,
  of: MessagesSince,
  newer: number,
): Promise<string | undefined> {
  const row = await reader.first<{ at: string }>(statement`select chat_messages.created_at as at
    ${userMessages(of)} order by chat_messages.created_at desc limit 1 offset ${newer}`);
  return row?.at;
}

function userMessages({ workspaceId, workflowId, since }: MessagesSince): Statement {
  return statement`from conversations join chat_messages
      on chat_messages.workspace_id = conversations.workspace_id
        and chat_messages.conversation_id = conversations.id
    where conversations.workspace_id = ${workspaceId}
      and conversations.workflow_id = ${workflowId} and conversations.updated_at >= ${since}
      and chat_messages.role = 'user' and chat_messages.created_at >= ${since}`;
}

/** The last `limit` messages before an ordinal (or at the end), oldest first. */
export async function messagesBefore(
  reader: Reader,
  key: ConversationKey,
  limit: number,
  beforeOrdinal?: number,
): Promise<Message[]> {
  const rows = await reader.all<MessageRow>(statement`select id, ordinal, role, content,
      ${jsonText("citations")} as citations, ${jsonText("details")} as details, status,
      created_at as "createdAt"
    from chat_messages
    where workspace_id = ${key.workspaceId} and conversation_id = ${key.id}
      ${beforeOrdinal === undefined ? nothing : statement`and ordinal < ${beforeOrdinal}`}
    order by ordinal desc limit ${limit}`);
  return rows.toReversed().map((row) => ({
    ...row,
    // Only this store writes them, from this type.
    citations: JSON.parse(row.citations) as Citation[],
    details: JSON.parse(row.details) as AnswerDetails,
  }));
}

interface MessageRow extends Omit<Message, "citations" | "details"> {
  readonly citations: string;
  readonly details: string;
}

function isConversation({ workspaceId, id }: ConversationKey): Statement {
  return statement`workspace_id = ${workspaceId} and id = ${id}`;
}
