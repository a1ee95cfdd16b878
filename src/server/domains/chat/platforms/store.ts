import type { ChatEvent } from "#contract/documents/chat.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { databaseTimeMs } from "../../../database/dialect.ts";
import { statement, type Statement } from "../../../database/statement.ts";
import type { ConversationKey } from "../store.ts";

/** The answer of a conversation that is running, or that has just ended. */
export interface SharedAnswer {
  /** Empty for an answer that is written as one reply. */
  readonly messageId: string;
  /** The start of the platform that writes it. */
  readonly process: string;
  readonly state: "running" | "over" | "failed";
  /** Milliseconds until another platform may answer, or until an ended answer is forgotten. */
  readonly leftMs: number;
}

export interface NewLease {
  readonly key: ConversationKey;
  readonly messageId: string;
  readonly owner: string;
  readonly process: string;
  readonly leaseMs: number;
  readonly now: Date;
}

/** Takes the conversation for an answer; false while another one runs. */
export async function takeConversation(writer: Writer, lease: NewLease): Promise<boolean> {
  const { key, messageId, owner, process, leaseMs } = lease;
  const time = databaseTimeMs(lease.now);
  const { changedRows } = await writer.run(statement`insert into running_answers as kept
      (workspace_id, conversation_id, message_id, owner, process, state, lease_until,
        followed_until, stop_reason)
    values (${key.workspaceId}, ${key.id}, ${messageId}, ${owner}, ${process}, 'running',
      ${time} + ${leaseMs}, 0, null)
    on conflict (workspace_id, conversation_id) do update set
      message_id = excluded.message_id, owner = excluded.owner, process = excluded.process,
      state = excluded.state, lease_until = excluded.lease_until, followed_until = 0,
      stop_reason = null
    where kept.state <> 'running' or kept.lease_until <= ${time}`);
  return changedRows > 0;
}

/** The number of a user's running answers on all platforms. */
export async function countRunning(reader: Reader, owner: string, now: Date): Promise<number> {
  const row = await reader.first<{ count: number }>(statement`select count(*) as count
    from running_answers where owner = ${owner} and state = 'running'
      and lease_until > ${databaseTimeMs(now)}`);
  return Number(row?.count ?? 0);
}

export async function sharedAnswer(
  reader: Reader,
  key: ConversationKey,
  now: Date,
): Promise<SharedAnswer | undefined> {
  const row = await reader.first<SharedAnswer>(statement`select message_id as "messageId", process,
      state, lease_until - ${databaseTimeMs(now)} as "leftMs"
    from running_answers where ${isConversation(key)}`);
  return row === undefined ? undefined : { ...row, leftMs: Number(row.leftMs) };
}

/** A running answer of a platform, with what others want of it. */
export interface Wanted {
  readonly messageId: string;
  readonly stopReason: string | null;
  readonly isFollowed: boolean;
}

export async function wantedOf(reader: Reader, process: string, now: Date): Promise<Wanted[]> {
  const rows = await reader.all<{ message_id: string; stop_reason: string | null; left: number }>(
    statement`select message_id, stop_reason, followed_until - ${databaseTimeMs(now)} as left
      from running_answers where process = ${process} and state = 'running'`,
  );
  return rows.map(({ message_id, stop_reason, left }) => ({
    messageId: message_id,
    stopReason: stop_reason,
    isFollowed: Number(left) > 0,
  }));
}

/** Extends the leases of all running answers of a platform. */
export async function extendLeases(
  writer: Writer,
  process: string,
  { leaseMs, now }: Pick<NewLease, "leaseMs" | "now">,
): Promise<void> {
  await writer.run(statement`update running_answers
    set lease_until = ${databaseTimeMs(now)} + ${leaseMs}
    where process = ${process} and state = 'running'`);
}

/** Ends an answer, which is kept for a while. */
export async function endAnswer(
  writer: Writer,
  {
    key,
    messageId,
    process,
    keptMs,
    now,
    state,
  }: Omit<NewLease, "owner" | "leaseMs"> & {
    readonly keptMs: number;
    readonly state: "over" | "failed";
  },
): Promise<void> {
  await writer.run(statement`update running_answers
    set state = ${state}, lease_until = ${databaseTimeMs(now)} + ${keptMs}
    where ${isConversation(key)} and process = ${process} and message_id = ${messageId}`);
}

/** Ends the answer of a platform that is gone; false unless its lease has ended. */
export async function endLostAnswer(
  writer: Writer,
  key: ConversationKey,
  { messageId, keptMs, now }: Pick<NewLease, "messageId" | "now"> & { readonly keptMs: number },
): Promise<boolean> {
  const time = databaseTimeMs(now);
  const { changedRows } = await writer.run(statement`update running_answers
    set state = 'over', lease_until = ${time} + ${keptMs}
    where ${isConversation(key)} and message_id = ${messageId} and state = 'running'
      and lease_until <= ${time}`);
  return changedRows > 0;
}

/** Answers whose platforms are gone, at most `limit`. */
export async function lostAnswers(
  reader: Reader,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<(ConversationKey & { readonly messageId: string })[]> {
  return reader.all(statement`select workspace_id as "workspaceId", conversation_id as id,
      message_id as "messageId"
    from running_answers where state = 'running' and lease_until <= ${databaseTimeMs(now)}
    limit ${limit}`);
}

/** Asks the platform that writes the answer to stop it; false if none runs. */
export async function askToStop(
  writer: Writer,
  key: ConversationKey,
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update running_answers
    set stop_reason = ${reason} where ${isConversation(key)} and state = 'running'
      and message_id <> '' and lease_until > ${databaseTimeMs(now)}`);
  return changedRows > 0;
}

/** Reports a reader of the answer on another platform. */
export async function noteFollower(
  writer: Writer,
  key: ConversationKey,
  { followedMs, now }: { readonly followedMs: number; readonly now: Date },
): Promise<void> {
  await writer.run(statement`update running_answers
    set followed_until = ${databaseTimeMs(now)} + ${followedMs} where ${isConversation(key)}`);
}

/** Events of an answer, from their place in it. */
export interface StoredEvents {
  readonly workspaceId: string;
  readonly messageId: string;
  readonly place: number;
  readonly events: readonly ChatEvent[];
}

/** Stores events; those of a place replace the shorter ones of a try whose commit was not seen. */
export async function storeEvents(
  writer: Writer,
  all: readonly StoredEvents[],
  { keptMs, now }: { readonly keptMs: number; readonly now: Date },
): Promise<void> {
  for (const { workspaceId, messageId, place, events } of all) {
    await writer.run(statement`insert into answer_events
        (workspace_id, message_id, place, events, expires_at)
      values (${workspaceId}, ${messageId}, ${place}, ${JSON.stringify(events)},
        ${databaseTimeMs(now)} + ${keptMs})
      on conflict (workspace_id, message_id, place) do update set events = excluded.events`);
  }
}

/** The events from a place that {@link storeEvents} has stored, in their order. */
export async function eventsFrom(
  reader: Reader,
  { workspaceId, messageId, place }: Omit<StoredEvents, "events">,
): Promise<Pick<StoredEvents, "place" | "events">[]> {
  const rows = await reader.all<{ place: number; events: string }>(statement`select place, events
    from answer_events where workspace_id = ${workspaceId} and message_id = ${messageId}
      and place >= ${place} order by place`);
  return rows.map((row) => ({
    place: Number(row.place),
    // Only this store writes them, from this type.
    events: JSON.parse(row.events) as ChatEvent[],
  }));
}

/** Removes the answer of a conversation, with its events; false without one. */
export async function removeAnswer(writer: Writer, key: ConversationKey): Promise<boolean> {
  await writer.run(statement`delete from answer_events
    where workspace_id = ${key.workspaceId} and message_id in (select message_id
      from running_answers where ${isConversation(key)})`);
  const { changedRows } = await writer.run(
    statement`delete from running_answers where ${isConversation(key)}`,
  );
  return changedRows > 0;
}

/** Deletes at most `limit` answers, and as many events, that are no longer kept. */
export async function deleteEnded(
  writer: Writer,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  const time = databaseTimeMs(now);
  const answers = await writer.run(statement`delete from running_answers
    where (workspace_id, conversation_id) in (select workspace_id, conversation_id
      from running_answers where state <> 'running' and lease_until <= ${time} limit ${limit})`);
  const events = await writer.run(statement`delete from answer_events
    where (workspace_id, message_id, place) in (select workspace_id, message_id, place
      from answer_events where expires_at <= ${time} limit ${limit})`);
  return Math.max(answers.changedRows, events.changedRows);
}

function isConversation({ workspaceId, id }: ConversationKey): Statement {
  return statement`workspace_id = ${workspaceId} and conversation_id = ${id}`;
}
