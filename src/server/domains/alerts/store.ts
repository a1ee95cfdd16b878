import type { AlertKind } from "#contract/events/alert-values.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { isOneOf } from "../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import {
  assignments,
  byDialect,
  insertInto,
  nothing,
  raw,
  statement,
} from "../../database/statement.ts";
import { newestOf, newestUnsized } from "../../work/feed-sizes.ts";

/** A rule, with its settings as JSON text. */
export interface RuleRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly name: string;
  readonly kind: AlertKind;
  readonly settings: string;
  readonly to_role: string | null;
  readonly to_user: string | null;
  /** The value is `active` or `disabled`. */
  readonly state: string;
  readonly disabled_reason: string | null;
  /** The number of the newest row of the feed when the rule was made. */
  readonly since: number;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

type RuleKey = Pick<RuleRecord, "workspace_id" | "id">;

/** The rules that a caller sees: all, or those for one user. */
export interface RuleWish {
  readonly workspaceId: string;
  readonly toUser?: string | undefined;
  /** Ids of rules that are left out. */
  readonly without?: readonly string[];
}

const wished = ({ workspaceId, toUser, without = [] }: RuleWish) =>
  statement`from alert_rules where workspace_id = ${workspaceId}
    ${toUser === undefined ? nothing : statement`and to_user = ${toUser}`}
    ${without.length === 0 ? nothing : statement`and not ${isOneOf(raw("id"), without)}`}`;

export async function insertRule(writer: Writer, row: RuleRecord): Promise<void> {
  await writer.run(insertInto("alert_rules", row));
}

export async function ruleById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<RuleRecord | undefined> {
  return reader.first<RuleRecord>(
    statement`select * from alert_rules where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

export async function rulesOf(reader: Reader, page: NewestPage & RuleWish): Promise<RuleRecord[]> {
  return reader.all<RuleRecord>(statement`select * ${wished(page)} ${newestFirst(page)}`);
}

export async function countRules(reader: Reader, wish: RuleWish): Promise<number> {
  return countRows(reader, wished(wish));
}

export async function activeRules(reader: Reader, workspaceId: string): Promise<RuleRecord[]> {
  return reader.all<RuleRecord>(statement`select * from alert_rules
    where workspace_id = ${workspaceId} and state = 'active' order by created_at, id`);
}

export async function updateRule(
  writer: Writer,
  key: RuleKey,
  changes: Partial<Omit<RuleRecord, keyof RuleKey>>,
): Promise<void> {
  await writer.run(statement`update alert_rules set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
}

export async function deleteRule(writer: Writer, key: RuleKey): Promise<void> {
  await writer.run(statement`delete from alert_rules
    where workspace_id = ${key.workspace_id} and id = ${key.id}`);
}

/** The number of the newest row in the feed of a workspace. */
export async function newestNumber(reader: Reader, workspaceId: string): Promise<number> {
  const row = await reader.first<{ newest: number | null }>(
    statement`select ${newestOf(workspaceId)} as newest`,
  );
  return Number(row?.newest ?? 0);
}

/** Forgets the numbers of a feed that has begun again. */
export async function forgetNumbers(writer: Writer, workspaceId: string): Promise<void> {
  await writer.run(statement`update alert_rules set since = 0 where workspace_id = ${workspaceId}`);
}

/** How far the rules of a workspace were judged. */
export interface StateRecord {
  readonly workspace_id: string;
  /** The position in the feed. */
  readonly position: string;
  /** The number of the newest row of the feed at the last look, which shows a new one. */
  readonly seen: number;
  /** The time of the next look at deadlines and quotas; null without such a rule. */
  readonly next_check_at: string | null;
}

/** A state, with the number of the newest row of the feed now. */
export interface DueState extends StateRecord {
  readonly newest: number;
  readonly time_zone: string;
}

export async function putState(writer: Writer, row: StateRecord): Promise<void> {
  await writer.run(statement`insert into alert_states
      (workspace_id, position, seen, next_check_at)
    values (${row.workspace_id}, ${row.position}, ${row.seen}, ${row.next_check_at})
    on conflict (workspace_id) do update set next_check_at = excluded.next_check_at`);
}

/** Has deadlines and quotas of a workspace with rules looked at with the next run. */
export async function checkSoon(writer: Writer, workspaceId: string, at: string): Promise<void> {
  await writer.run(statement`update alert_states set next_check_at = ${at}
    where workspace_id = ${workspaceId}`);
}

/** Sets the next look after one that has ended, unless a rule has changed meanwhile. */
export async function planCheck(
  writer: Writer,
  workspaceId: string,
  { from, to }: { readonly from: string | null; readonly to: string },
): Promise<void> {
  await writer.run(statement`update alert_states set next_check_at = ${to}
    where workspace_id = ${workspaceId} and next_check_at = ${from}`);
}

/** Moves the state on from a position; false if another platform has moved it. */
export async function advanceState(
  writer: Writer,
  { workspace_id: workspaceId, position }: Pick<StateRecord, "workspace_id" | "position">,
  to: Partial<Omit<StateRecord, "workspace_id">>,
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update alert_states set ${assignments(to)}
    where workspace_id = ${workspaceId} and position = ${position}`);
  return changedRows === 1;
}

export async function deleteState(writer: Writer, workspaceId: string): Promise<void> {
  await writer.run(statement`delete from alert_states where workspace_id = ${workspaceId}`);
}

const newestOfState = byDialect({
  // Rows without sizes are read once for all states.
  sqlite: statement`coalesce(unsized.number, (select max(number) from feed_sizes
      where feed_sizes.workspace_id = alert_states.workspace_id), 0) as newest
    from alert_states left join (${newestUnsized}) as unsized
      on unsized.workspace_id = alert_states.workspace_id`,
  postgresql: raw(`coalesce((select max(number) from change_batches
      where change_batches.workspace_id = alert_states.workspace_id), 0) as newest
    from alert_states`),
});

/**
 * States of living workspaces with a newer row of the feed or a check that is due; all states if
 * `isWhole`, because on PostgreSQL a lower number may become visible after a higher one.
 */
export async function dueStates(
  reader: Reader,
  {
    now,
    isWhole,
    limit,
  }: { readonly now: string; readonly isWhole: boolean; readonly limit: number },
): Promise<DueState[]> {
  const isDue = statement`where newest > seen or next_check_at <= ${now}`;
  const rows = await reader.all<DueState>(statement`select * from (
      select alert_states.*, workspaces.time_zone, ${newestOfState}
        join workspaces on workspaces.id = alert_states.workspace_id
      where workspaces.deleted_at is null) as states
    ${isWhole ? nothing : isDue} order by workspace_id limit ${limit}`);
  return rows.map((row) => ({ ...row, seen: Number(row.seen), newest: Number(row.newest) }));
}
