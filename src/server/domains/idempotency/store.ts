import type { Reader, Writer } from "../../database/database.ts";
import { isOneOf, textContains } from "../../database/dialect.ts";
import { BatchQueue, type QueuedItem } from "../../database/batch-queue.ts";
import { join, raw, statement } from "../../database/statement.ts";

export interface IdempotencyKey {
  /** Empty for a route without a workspace. */
  readonly workspace_id: string;
  /** The caller's id: each caller has its own keys. */
  readonly oid: string;
  readonly key: string;
  readonly fingerprint: string;
  /** Null while the response is unknown or after it was lost. */
  readonly status: number | null;
  /** JSON object of the response's own header fields. */
  readonly headers: string | null;
  /** The response's; without a status a JSON list of the outcomes so far. */
  readonly body: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

export type KeyIdentity = Pick<IdempotencyKey, "workspace_id" | "oid" | "key">;
type KeyOwner = Omit<KeyIdentity, "key">;

const statementsAtOnce = 2;
const keysAtOnce = 64;
const queueLimit = 10_000;

interface KeyLookup extends KeyIdentity {
  readonly now: string;
}

/**
 * Looks keys up. On PostgreSQL one statement serves one caller's concurrent lookups, because most
 * keys are new and a statement costs more than its search.
 */
export class KeyLookups {
  readonly #keys = new BatchQueue<KeyLookup, IdempotencyKey | undefined>({
    groupOf: ({ workspace_id, oid }) => `${workspace_id} ${oid}`,
    work: (batch, owner) => this.#readAll(owner, batch),
    batchesAtOnce: statementsAtOnce,
    itemsAtOnce: keysAtOnce,
    queueLimit,
  });

  /** `readerOf` returns the reader of a workspace's rows. */
  constructor(private readonly readerOf: (workspaceId: string) => Reader) {}

  /** The record of a key that has not expired at `now`. */
  find(identity: KeyIdentity, now: string): Promise<IdempotencyKey | undefined> {
    const reader = this.readerOf(identity.workspace_id);
    if (reader.dialect === "sqlite") return keyRecord(reader, identity, now);
    return this.#keys.add({ ...identity, now });
  }

  async #readAll(
    owner: KeyOwner,
    batch: readonly QueuedItem<KeyLookup, IdempotencyKey | undefined>[],
  ): Promise<void> {
    const reader = this.readerOf(owner.workspace_id);
    let existing: ReadonlySet<string> | undefined;
    try {
      if (batch.length > 1) existing = await this.#existing(reader, owner, batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { item, resolve, reject } of batch) {
      if (existing !== undefined && !existing.has(item.key)) resolve(undefined);
      else keyRecord(reader, item, item.now).then(resolve, reject);
    }
  }

  /** The keys of the batch that have a record; responses may be long, so they are not read. */
  async #existing(
    reader: Reader,
    { workspace_id, oid }: KeyOwner,
    batch: readonly { readonly item: KeyLookup }[],
  ): Promise<ReadonlySet<string>> {
    const keys = batch.map(({ item }) => item.key);
    const [first] = batch.map(({ item }) => item.now).toSorted();
    const rows = await reader.all<{ key: string }>(statement`select key
      from idempotency_keys where workspace_id = ${workspace_id} and oid = ${oid}
        and ${isOneOf(raw("key"), keys)} and expires_at > ${first ?? ""}`);
    return new Set(rows.map(({ key }) => key));
  }
}

/** The record of a key that has not expired at `now`. */
export async function keyRecord(
  reader: Reader,
  identity: KeyIdentity,
  now: string,
): Promise<IdempotencyKey | undefined> {
  return reader.first<IdempotencyKey>(statement`select * from idempotency_keys
    where workspace_id = ${identity.workspace_id} and oid = ${identity.oid}
      and key = ${identity.key} and expires_at > ${now}`);
}

/**
 * Inserts a record or replaces an expired one; false if the key has a record. It does not read
 * first: on PostgreSQL a read would conflict with other callers' new keys and repeat a transaction.
 */
async function insertKey(writer: Writer, row: IdempotencyKey): Promise<boolean> {
  const { workspace_id, oid, key, fingerprint, status, headers, body } = row;
  const { changedRows } = await writer.run(statement`insert into idempotency_keys (${columns})
    values (${workspace_id}, ${oid}, ${key}, ${fingerprint}, ${status}, ${headers}, ${body},
      ${row.created_at}, ${row.expires_at}) ${unlessExisting}`);
  return changedRows > 0;
}

/** Inserts records for several keys; after false the caller must roll back. */
export async function insertKeys(
  writer: Writer,
  rows: readonly IdempotencyKey[],
): Promise<boolean> {
  if (writer.dialect === "sqlite" || rows.length <= 1) {
    for (const row of rows) if (!(await insertKey(writer, row))) return false;
    return true;
  }
  const { changedRows } = await writer.run(statement`insert into idempotency_keys (${columns})
    select ${columns} from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as given(workspace_id text, oid text, key text, fingerprint text, status bigint, headers text,
        body text, created_at text, expires_at text) ${unlessExisting}`);
  return changedRows === rows.length;
}

const columns = raw(
  "workspace_id, oid, key, fingerprint, status, headers, body, created_at, expires_at",
);

const unlessExisting = raw(`on conflict (workspace_id, oid, key) do update
  set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
    body = excluded.body, created_at = excluded.created_at, expires_at = excluded.expires_at
  where idempotency_keys.expires_at <= excluded.created_at`);

export async function addResponse(
  writer: Writer,
  identity: KeyIdentity,
  response: Pick<IdempotencyKey, "status" | "headers" | "body">,
): Promise<void> {
  await writer.run(statement`update idempotency_keys
    set status = ${response.status}, headers = ${response.headers}, body = ${response.body}
    where workspace_id = ${identity.workspace_id} and oid = ${identity.oid}
      and key = ${identity.key}`);
}

/** Replaces the outcomes so far; false when they are no longer those of `before`. */
export async function replacePart(
  writer: Writer,
  identity: KeyIdentity,
  { before, body }: { readonly before: string; readonly body: string },
): Promise<boolean> {
  const { changedRows } = await writer.run(statement`update idempotency_keys set body = ${body}
    where workspace_id = ${identity.workspace_id} and oid = ${identity.oid}
      and key = ${identity.key} and status is null and body = ${before}`);
  return changedRows > 0;
}

/** Deletes at most `limit` expired records, so that other writes do not wait for long. */
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

/** The keys of a workspace, or of no workspace, whose kept answers quote one of these texts. */
export function keysQuoting(
  reader: Reader,
  workspaceId: string,
  texts: readonly string[],
  limit: number,
): Promise<KeyIdentity[]> {
  const answer = raw("coalesce(body, '') || coalesce(headers, '')");
  const quotes = join(
    texts.map((text) => textContains(answer, text)),
    " or ",
  );
  return reader.all<KeyIdentity>(statement`select workspace_id, oid, key from idempotency_keys
    where workspace_id in ('', ${workspaceId}) and (${quotes}) limit ${limit}`);
}

export async function deleteKey(
  writer: Writer,
  { workspace_id, oid, key }: KeyIdentity,
): Promise<void> {
  await writer.run(statement`delete from idempotency_keys
    where workspace_id = ${workspace_id} and oid = ${oid} and key = ${key}`);
}
