import type { Selectable } from "kysely";
import type { Reader, Writer } from "./database.ts";
import { statement } from "./database/statement.ts";
import type { IdempotencyKeyRow } from "./tables/idempotency.ts";

export type IdempotencyKey = Selectable<IdempotencyKeyRow>;
export type KeyIdentity = Pick<IdempotencyKey, "workspace_id" | "oid" | "key">;

/** What is kept under a key that has not run out at `now`. */
export async function keyRecord(
  reader: Reader,
  identity: KeyIdentity,
  now: string,
): Promise<IdempotencyKey | undefined> {
  return reader.first<IdempotencyKey>(statement`select * from idempotency_keys
    where workspace_id = ${identity.workspace_id} and oid = ${identity.oid}
      and key = ${identity.key} and expires_at > ${now}`);
}

/** Takes the place of an expired record; false when a living one is there. */
export async function insertKey(writer: Writer, row: IdempotencyKey): Promise<boolean> {
  await writer.run(statement`delete from idempotency_keys
    where workspace_id = ${row.workspace_id} and oid = ${row.oid} and key = ${row.key}
      and expires_at <= ${row.created_at}`);
  const { changedRows } = await writer.run(statement`insert into idempotency_keys
    (workspace_id, oid, key, fingerprint, status, headers, body, created_at, expires_at)
    values (${row.workspace_id}, ${row.oid}, ${row.key}, ${row.fingerprint}, ${row.status},
      ${row.headers}, ${row.body}, ${row.created_at}, ${row.expires_at})
    on conflict (workspace_id, oid, key) do nothing`);
  return changedRows > 0;
}

/** Adds the answer to a record whose effect was written before the answer was known. */
export async function answerKey(
  writer: Writer,
  identity: KeyIdentity,
  answer: Pick<IdempotencyKey, "status" | "headers" | "body">,
): Promise<void> {
  await writer.run(statement`update idempotency_keys
    set status = ${answer.status}, headers = ${answer.headers}, body = ${answer.body}
    where workspace_id = ${identity.workspace_id} and oid = ${identity.oid}
      and key = ${identity.key}`);
}

/** Removes at most `limit` ended records, so that cleaning never holds writes up for long. */
export async function deleteExpiredKeys(
  writer: Writer,
  now: string,
  limit: number,
): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from idempotency_keys
    where (workspace_id, oid, key) in (select workspace_id, oid, key from idempotency_keys
      where expires_at <= ${now} limit ${limit})`);
  return changedRows;
}
