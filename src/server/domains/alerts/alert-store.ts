import type { Reader, Writer } from "../../database/database.ts";
import { countRows, newestFirst, type NewestPage } from "../../database/row-pages.ts";
import { join, nothing, statement, type Statement } from "../../database/statement.ts";

/** An alert, with the facts of its cause as JSON text. */
export interface AlertRecord {
  readonly workspace_id: string;
  readonly id: string;
  readonly rule_id: string;
  readonly rule_name: string;
  /** Unique for the rule: the same cause raises one alert. */
  readonly cause: string;
  readonly kind: string;
  readonly to_role: string | null;
  readonly to_user: string | null;
  /** The right that a reader needs, from `reads.ts`. */
  readonly reads: string;
  readonly subject: string | null;
  readonly about: string;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
  readonly created_at: string;
  /** The value is `waiting` or `listed`; null for an alert that is never mailed. */
  readonly mail: string | null;
}

/** The caller as a recipient. */
export interface Recipient {
  readonly oid: string;
  /** The names of roles whose alerts are for the caller; undefined for those of all roles. */
  readonly roles: readonly string[] | undefined;
}

interface AlertWish {
  readonly workspaceId: string;
  readonly recipient: Recipient;
  readonly status?: "open" | "acknowledged" | undefined;
  /** The rights that the caller has. */
  readonly reads: readonly string[];
}

/** True for alerts of a recipient. */
export function isFor({ oid, roles }: Recipient): Statement {
  const hasRole =
    roles === undefined ? statement`to_role is not null` : statement`to_role in (${join(roles)})`;
  return statement`(to_user = ${oid} or ${hasRole})`;
}

function wished({ workspaceId, recipient, status, reads }: AlertWish): Statement {
  const acknowledged =
    status === "open"
      ? statement`and acknowledged_at is null`
      : statement`and acknowledged_at is not null`;
  return statement`from alerts where workspace_id = ${workspaceId} and ${isFor(recipient)}
    and reads in (${join(reads)}) ${status === undefined ? nothing : acknowledged}`;
}

/** The rights that alerts for the caller need, each once; `from` is the id of the first alert. */
export async function neededReads(
  reader: Reader,
  workspaceId: string,
  recipient: Recipient,
  from?: string,
): Promise<string[]> {
  const isAfter = from === undefined ? nothing : statement`and id >= ${from}`;
  const rows = await reader.all<{ reads: string }>(statement`select distinct reads from alerts
    where workspace_id = ${workspaceId} ${isAfter} and ${isFor(recipient)}`);
  return rows.map(({ reads }) => reads);
}

export async function alertsOf(
  reader: Reader,
  page: NewestPage & AlertWish,
): Promise<AlertRecord[]> {
  return reader.all<AlertRecord>(statement`select * ${wished(page)} ${newestFirst(page)}`);
}

export async function countAlerts(reader: Reader, wish: AlertWish): Promise<number> {
  return countRows(reader, wished(wish));
}

/** An alert for the caller, whose right is still to be checked. */
export async function alertById(
  reader: Reader,
  workspaceId: string,
  id: string,
  recipient: Recipient,
): Promise<AlertRecord | undefined> {
  return reader.first<AlertRecord>(statement`select * from alerts
    where workspace_id = ${workspaceId} and id = ${id} and ${isFor(recipient)}`);
}

/** Stores an alert unless its rule has one for the cause; false for a repetition. */
export async function raiseAlert(writer: Writer, row: AlertRecord): Promise<boolean> {
  const { changedRows } = await writer.run(statement`insert into alerts (workspace_id, id, rule_id,
      rule_name, cause, kind, to_role, to_user, reads, subject, about, created_at, mail)
    values (${row.workspace_id}, ${row.id}, ${row.rule_id}, ${row.rule_name}, ${row.cause},
      ${row.kind}, ${row.to_role}, ${row.to_user}, ${row.reads}, ${row.subject}, ${row.about},
      ${row.created_at}, ${row.mail})
    on conflict (workspace_id, rule_id, cause) do nothing`);
  return changedRows === 1;
}

/** False if it was acknowledged before. */
export async function acknowledgeAlert(
  writer: Writer,
  { workspace_id: workspaceId, id }: Pick<AlertRecord, "workspace_id" | "id">,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update alerts
    set acknowledged_at = ${at}, acknowledged_by = ${by}
    where workspace_id = ${workspaceId} and id = ${id} and acknowledged_at is null`);
  return changedRows === 1;
}

/** Frees causes that have ended, so that they raise an alert again. */
export async function freeCause(
  writer: Writer,
  rule: { readonly workspace_id: string; readonly id: string },
  cause: string,
  at: string,
): Promise<void> {
  await writer.run(statement`update alerts set cause = ${`${cause} until ${at}`}
    where workspace_id = ${rule.workspace_id} and rule_id = ${rule.id} and cause = ${cause}`);
}

/** Removes the alerts about erased records or documents. */
export async function eraseAlerts(
  writer: Writer,
  workspaceId: string,
  subjects: readonly string[],
): Promise<void> {
  await writer.run(statement`delete from alerts
    where workspace_id = ${workspaceId} and subject in (${join(subjects)})`);
}

/** Removes alerts that were made before a time, at most `limit`; returns their number. */
export async function removeOldAlerts(
  writer: Writer,
  workspaceId: string,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from alerts
    where workspace_id = ${workspaceId} and id in (select id from alerts
      where workspace_id = ${workspaceId} and created_at < ${before}
      order by created_at, id limit ${limit})`);
  return changedRows;
}
