import type { Reader, Writer } from "../../../database/database.ts";
import { join, nothing, statement } from "../../../database/statement.ts";
import type { AlertRecord, Recipient } from "../alert-store.ts";
import { isFor } from "../alert-store.ts";

/** The choice of a person or a role, and what waits for the person's next mail. */
export interface ChannelRecord {
  readonly workspace_id: string;
  /** The id of a user, or a text of `recipientOfRole`. */
  readonly recipient: string;
  readonly mail: number;
  readonly muted_until: string | null;
  /** The JSON text of a list of ids. */
  readonly muted_rules: string;
  /** The ids of the first and the last alert that were not mailed. */
  readonly pending_from: string | null;
  readonly pending_to: string | null;
  readonly due_at: string | null;
  /** Mails in a row that could not be sent. */
  readonly failures: number;
  readonly mailed_at: string | null;
}

type ChannelKey = Pick<ChannelRecord, "workspace_id" | "recipient">;
export type Choice = Pick<ChannelRecord, "mail" | "muted_until" | "muted_rules">;

/** The choice of a recipient who has made none. */
export const defaultChoice: Choice = { mail: 1, muted_until: null, muted_rules: "[]" };

const rolePrefix = "role ";

export function recipientOfRole(name: string): string {
  return rolePrefix + name;
}

export async function channelOf(
  reader: Reader,
  { workspace_id: workspaceId, recipient }: ChannelKey,
): Promise<ChannelRecord | undefined> {
  return reader.first<ChannelRecord>(statement`select * from alert_channels
    where workspace_id = ${workspaceId} and recipient = ${recipient}`);
}

/** The choices of some recipients of a workspace. */
export async function channelsAmong(
  reader: Reader,
  workspaceId: string,
  recipients: readonly string[],
): Promise<Map<string, ChannelRecord>> {
  if (recipients.length === 0) return new Map();
  const rows = await reader.all<ChannelRecord>(statement`select * from alert_channels
    where workspace_id = ${workspaceId} and recipient in (${join(recipients)})`);
  return new Map(rows.map((row) => [row.recipient, row]));
}

/** The rows of a person in all workspaces. */
export async function channelsOfPerson(reader: Reader, oid: string): Promise<ChannelRecord[]> {
  return reader.all<ChannelRecord>(statement`select * from alert_channels
    where recipient = ${oid} order by workspace_id`);
}

/** The names of a workspace's roles whose alerts are not mailed. */
export async function silentRoles(reader: Reader, workspaceId: string): Promise<string[]> {
  const rows = await reader.all<{ recipient: string }>(statement`select recipient
    from alert_channels where workspace_id = ${workspaceId} and mail = 0`);
  return rows.flatMap(({ recipient }) =>
    recipient.startsWith(rolePrefix) ? [recipient.slice(rolePrefix.length)] : [],
  );
}

/** Stores a choice; what waits for the next mail is forgotten if there is to be none. */
export async function putChoice(
  writer: Writer,
  { workspace_id: workspaceId, recipient }: ChannelKey,
  choice: Choice,
  isSilent: boolean,
): Promise<void> {
  const dropped = isSilent
    ? statement`, pending_from = null, pending_to = null, due_at = null`
    : nothing;
  await writer.run(statement`insert into alert_channels
      (workspace_id, recipient, mail, muted_until, muted_rules, failures)
    values (${workspaceId}, ${recipient}, ${choice.mail}, ${choice.muted_until},
      ${choice.muted_rules}, 0)
    on conflict (workspace_id, recipient) do update set mail = excluded.mail,
      muted_until = excluded.muted_until, muted_rules = excluded.muted_rules ${dropped}`);
}

/** Adds alerts to the next mail of a person; a mail that is due keeps its time. */
export async function addPending(
  writer: Writer,
  { workspace_id: workspaceId, recipient }: ChannelKey,
  alerts: { readonly first: string; readonly last: string; readonly dueAt: string },
): Promise<void> {
  const { first, last, dueAt } = alerts;
  await writer.run(statement`insert into alert_channels
      (workspace_id, recipient, mail, muted_rules, pending_from, pending_to, due_at, failures)
    values (${workspaceId}, ${recipient}, 1, '[]', ${first}, ${last}, ${dueAt}, 0)
    on conflict (workspace_id, recipient) do update set
      pending_from = coalesce(alert_channels.pending_from, excluded.pending_from),
      pending_to = excluded.pending_to,
      due_at = coalesce(alert_channels.due_at, excluded.due_at)`);
}

/** Persons whose mail is due, the oldest first. */
export async function duePersons(reader: Reader, now: string, limit: number): Promise<string[]> {
  const rows = await reader.all<{ recipient: string }>(statement`select recipient
    from alert_channels where due_at <= ${now}
    group by recipient order by min(due_at), recipient limit ${limit}`);
  return rows.map(({ recipient }) => recipient);
}

/** Ends what waited, unless another alert was added meanwhile: then it stays for the next mail. */
export async function endPending(
  writer: Writer,
  row: ChannelRecord,
  { mailedAt, nextAt }: { readonly mailedAt: string | null; readonly nextAt: string },
): Promise<void> {
  const isOurs = statement`pending_to = ${row.pending_to}`;
  await writer.run(statement`update alert_channels set failures = 0, mailed_at = ${mailedAt},
      pending_from = case when ${isOurs} then null else pending_from end,
      due_at = case when ${isOurs} then null else ${nextAt} end,
      pending_to = case when ${isOurs} then null else pending_to end
    where workspace_id = ${row.workspace_id} and recipient = ${row.recipient}`);
}

/** Moves the mail of a person to a later time. */
export async function postpone(
  writer: Writer,
  row: ChannelRecord,
  { dueAt, failures }: { readonly dueAt: string; readonly failures: number },
): Promise<void> {
  await writer.run(statement`update alert_channels set due_at = ${dueAt}, failures = ${failures}
    where workspace_id = ${row.workspace_id} and recipient = ${row.recipient}
      and due_at is not null`);
}

/** Living workspaces with alerts whose recipients are to be found. */
export async function workspacesToMail(reader: Reader, limit: number): Promise<string[]> {
  const rows = await reader.all<{ workspace_id: string }>(statement`select distinct workspace_id
    from alerts where mail = 'waiting' and workspace_id in
      (select id from workspaces where deleted_at is null)
    order by workspace_id limit ${limit}`);
  return rows.map(({ workspace_id: workspaceId }) => workspaceId);
}

type WaitingAlert = Pick<AlertRecord, "id" | "rule_id" | "to_role" | "to_user">;

/** Alerts whose recipients are to be found, the oldest first. */
export async function waitingAlerts(
  reader: Reader,
  workspaceId: string,
  limit: number,
): Promise<WaitingAlert[]> {
  return reader.all<WaitingAlert>(statement`select id, rule_id, to_role, to_user from alerts
    where workspace_id = ${workspaceId} and mail = 'waiting' order by id limit ${limit}`);
}

export async function noteListed(
  writer: Writer,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await writer.run(statement`update alerts set mail = 'listed'
    where workspace_id = ${workspaceId} and id in (${join(ids)})`);
}

/** Open alerts of a person's next mail that the person may read, the newest first. */
export async function alertsToMail(
  reader: Reader,
  wish: {
    readonly workspaceId: string;
    readonly recipient: Recipient;
    /** The rights that the person has. */
    readonly reads: readonly string[];
    readonly silentRoles: readonly string[];
    readonly mutedRules: readonly string[];
    readonly from: string;
    readonly limit: number;
  },
): Promise<AlertRecord[]> {
  const { workspaceId, recipient, from, limit } = wish;
  const notIn = (column: "to_role" | "rule_id", names: readonly string[]) =>
    names.length === 0
      ? nothing
      : column === "to_role"
        ? statement`and (to_role is null or to_role not in (${join(names)}))`
        : statement`and rule_id not in (${join(names)})`;
  return reader.all<AlertRecord>(statement`select * from alerts
    where workspace_id = ${workspaceId} and id >= ${from} and mail is not null
      and acknowledged_at is null and ${isFor(recipient)} and reads in (${join(wish.reads)})
      ${notIn("to_role", wish.silentRoles)} ${notIn("rule_id", wish.mutedRules)}
    order by id desc limit ${limit}`);
}
