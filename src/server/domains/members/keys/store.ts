import type { Reader, Writer } from "../../../database/database.ts";
import { jsonText } from "../../../database/dialect.ts";
import { countRows, newestFirst, type NewestPage } from "../../../database/row-pages.ts";
import {
  assignments,
  insertInto,
  join,
  nothing,
  raw,
  statement,
  type Statement,
} from "../../../database/statement.ts";
import { everySubject } from "../../../work/change-event.ts";
import type { Transaction } from "../../../work/work.ts";
import type { AccessRow, MemberRecord } from "../store.ts";

/** A key of a service account. The token is stored as a digest only. */
export interface KeyRecord {
  /** The workspace that owns the key. */
  readonly workspace_id: string;
  readonly id: string;
  readonly name: string;
  readonly token_hash: string;
  readonly created_by: string;
  readonly created_at: string;
  /** Null for a key without an end. */
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** The time is exact to a minute. */
  readonly last_used_at: string | null;
}

/** The access of a key to one workspace. */
export interface KeyGrantRecord {
  readonly workspace_id: string;
  readonly key_id: string;
  readonly role: string;
  readonly role_definition_id: string | null;
  readonly created_at: string;
}

/** A key as one of its workspaces sees it. */
export type KeyRow = KeyRecord & {
  readonly role: string;
  readonly role_definition_id: string | null;
  readonly role_key: string | null;
  /** 1 while its maker is a member of the workspace that owns the key. */
  readonly has_maker: number;
};

const selection = raw(`select service_keys.*, service_key_grants.role,
    service_key_grants.role_definition_id, role_definitions.key as role_key,
    (select count(*) from members where members.workspace_id = service_keys.workspace_id
      and members.oid = service_keys.created_by) as has_maker
  from service_key_grants join service_keys on service_keys.id = service_key_grants.key_id
    left join role_definitions on role_definitions.workspace_id = service_key_grants.workspace_id
      and role_definitions.id = service_key_grants.role_definition_id`);

export async function insertKey(
  tx: Transaction,
  key: KeyRecord,
  grants: readonly KeyGrantRecord[],
): Promise<void> {
  await tx.run(insertInto("service_keys", key));
  for (const grant of grants) {
    await tx.run(insertInto("service_key_grants", grant));
    tx.event("key", key.id, grant.workspace_id, { op: "created" });
  }
  tx.event("key", key.id);
}

/** The key if it is neither revoked nor of a deleted workspace. */
export async function usableKey(
  reader: Reader,
  by: { readonly id: string } | { readonly hash: string },
): Promise<KeyRecord | undefined> {
  const which =
    "id" in by
      ? statement`service_keys.id = ${by.id}`
      : statement`service_keys.token_hash = ${by.hash}`;
  return reader.first<KeyRecord>(statement`select service_keys.* from service_keys
      join workspaces on workspaces.id = service_keys.workspace_id
    where ${which} and service_keys.revoked_at is null and workspaces.deleted_at is null`);
}

/** The access of a key; undefined without one, or without such a workspace. */
export async function keyAccessOf(
  reader: Reader,
  workspaceId: string,
  keyId: string,
): Promise<AccessRow | undefined> {
  return reader.first<AccessRow>(statement`select service_key_grants.role,
      role_definitions.key as role_key, ${jsonText("role_definitions.permissions")} as permissions
    from service_key_grants join workspaces on workspaces.id = service_key_grants.workspace_id
      left join role_definitions on role_definitions.workspace_id = service_key_grants.workspace_id
        and role_definitions.id = service_key_grants.role_definition_id
    where service_key_grants.workspace_id = ${workspaceId}
      and service_key_grants.key_id = ${keyId} and workspaces.deleted_at is null`);
}

export async function keyById(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<KeyRow | undefined> {
  return reader.first<KeyRow>(statement`${selection}
    where service_key_grants.workspace_id = ${workspaceId}
      and service_key_grants.key_id = ${id}`);
}

/** Keys with access to a workspace; with `createdBy` those that this account made. */
interface KeySelection {
  readonly workspaceId: string;
  readonly createdBy?: string | undefined;
}

function selected({ workspaceId, createdBy }: KeySelection): Statement {
  const maker =
    createdBy === undefined ? nothing : statement`and service_keys.created_by = ${createdBy}`;
  return statement`where service_key_grants.workspace_id = ${workspaceId} ${maker}`;
}

function usable(at: string): Statement {
  return statement`and service_keys.revoked_at is null
    and (service_keys.expires_at is null or service_keys.expires_at > ${at})`;
}

export async function keysOf(reader: Reader, page: NewestPage & KeySelection): Promise<KeyRow[]> {
  const columns = { time: "service_key_grants.created_at", id: "service_key_grants.key_id" };
  return reader.all<KeyRow>(
    statement`${selection} ${selected(page)} ${newestFirst(page, columns)}`,
  );
}

/** The keys that work at a time, the oldest first. */
export async function usableKeysOf(
  reader: Reader,
  keys: KeySelection,
  at: string,
): Promise<KeyRow[]> {
  return reader.all<KeyRow>(
    statement`${selection} ${selected(keys)} ${usable(at)} order by service_keys.id`,
  );
}

/** The members by a group rule who made a key with access to their workspace. */
export async function makersByRule(
  reader: Reader,
  workspaceId: string,
  ruleId: string,
): Promise<Pick<MemberRecord, "workspace_id" | "oid" | "role" | "role_definition_id">[]> {
  return reader.all(statement`select workspace_id, oid, role, role_definition_id from members
    where workspace_id = ${workspaceId} and rule_id = ${ruleId} and oid in (
      select service_keys.created_by from service_key_grants
        join service_keys on service_keys.id = service_key_grants.key_id
      where service_key_grants.workspace_id = ${workspaceId}) order by oid`);
}

/** Number of keys with access. */
export async function countKeys(reader: Reader, keys: KeySelection): Promise<number> {
  return countRows(
    reader,
    statement`from service_key_grants
    join service_keys on service_keys.id = service_key_grants.key_id ${selected(keys)}`,
  );
}

/** Number of usable keys that a workspace owns, without those of its webhook sources. */
export async function countOwnKeys(
  reader: Reader,
  workspaceId: string,
  at: string,
): Promise<number> {
  return countRows(
    reader,
    statement`from service_key_grants
    join service_keys on service_keys.id = service_key_grants.key_id ${selected({ workspaceId })}
      and service_keys.workspace_id = ${workspaceId} ${usable(at)}
      and not exists (select 1 from webhook_sources
        where webhook_sources.workspace_id = ${workspaceId} and key_id = service_keys.id)`,
  );
}

/** The workspace that owns the key revokes it; another one ends its access to itself. */
export async function endKey(
  tx: Transaction,
  { workspaceId, key, at }: { workspaceId: string; key: KeyRecord; at: string },
): Promise<"revoked" | "removed"> {
  if (key.workspace_id !== workspaceId) {
    await deleteKeyGrant(tx, { workspace_id: workspaceId, key_id: key.id });
    return "removed";
  }
  if (key.revoked_at === null) await revokeKey(tx, key.id, at);
  return "revoked";
}

async function revokeKey(tx: Transaction, id: string, at: string): Promise<void> {
  await tx.run(statement`update service_keys set revoked_at = ${at} where id = ${id}`);
  tx.event("key", id);
}

/** Keeps the caches: none of them has the time of the last use. */
export async function noteKeyUse(writer: Writer, id: string, at: string): Promise<void> {
  await writer.run(statement`update service_keys set last_used_at = ${at} where id = ${id}`);
}

type GrantKey = Pick<KeyGrantRecord, "workspace_id" | "key_id">;

export async function updateKeyGrant(
  tx: Transaction,
  key: GrantKey,
  changes: Pick<KeyGrantRecord, "role" | "role_definition_id">,
): Promise<void> {
  await tx.run(statement`update service_key_grants set ${assignments(changes)}
    where workspace_id = ${key.workspace_id} and key_id = ${key.key_id}`);
  tx.event("key", key.key_id);
  tx.event("key", key.key_id, key.workspace_id, { changed: ["role"] });
}

async function deleteKeyGrant(tx: Transaction, key: GrantKey): Promise<void> {
  await tx.run(statement`delete from service_key_grants
    where workspace_id = ${key.workspace_id} and key_id = ${key.key_id}`);
  tx.event("key", key.key_id);
  tx.event("key", key.key_id, key.workspace_id, { op: "deleted" });
}

/** Removes keys of a workspace that ended before a time, and access of keys that are gone. */
export async function deleteOldKeys(
  tx: Transaction,
  workspaceId: string,
  before: string,
  limit: number,
): Promise<void> {
  const old = await tx.all<{ id: string }>(statement`select id from service_keys
    where workspace_id = ${workspaceId}
      and (revoked_at < ${before} or expires_at < ${before}) limit ${limit}`);
  if (old.length > 0) {
    const ids = join(old.map(({ id }) => id));
    await tx.run(statement`delete from service_key_grants where key_id in (${ids})`);
    await tx.run(statement`delete from service_keys where id in (${ids})`);
  }
  await tx.run(statement`delete from service_key_grants where workspace_id = ${workspaceId}
    and not exists (select 1 from service_keys where service_keys.id = key_id)`);
  tx.event("key", everySubject);
}
