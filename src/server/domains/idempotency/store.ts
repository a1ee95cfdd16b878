import type { Reader, Writer } from "../../database/database.ts";
import { isOneOf } from "../../database/dialect.ts";
import { BatchQueue, type QueuedItem } from "../../database/batch-queue.ts";
import { raw, statement } from "../../database/statement.ts";

/** An `Idempotency-Key` that had an effect. */
export interface IdempotencyKey {
  /** Empty for a route with no workspace. */
  readonly workspace_id: string;
  /** The caller's oid: a key is only the caller's own. */
  readonly oid: string;
  readonly key: string;
  /** Digest of what was asked. */
  readonly fingerprint: string;
  /** Null while the effect stands and its answer is not known (or was lost). */
  readonly status: number | null;
  /** JSON object of the answer's own header fields, as text. */
  readonly headers: string | null;
  readonly body: string | null;
  readonly created_at: string;
  readonly expires_at: string;
}

export type KeyIdentity = Pick<IdempotencyKey, "workspace_id" | "oid" | "key">;
/** Whose a key is, and where. */
type KeyOwner = Omit<KeyIdentity, "key">;

const statementsAtOnce = 2;
const keysAtOnce = 64;
const queueLimit = 10_000;

interface KeyLookup extends KeyIdentity {
  readonly now: string;
}

/**
 * PostgreSQL's records of keys, those of one caller that are asked for at the same time in one
 * statement: nearly all are new, and to send a statement takes longer than to find that out.
 */
export class KeyLookups {
  readonly #reader: Reader;
  readonly #keys = new BatchQueue<KeyLookup, IdempotencyKey | undefined>({
    groupOf: ({ workspace_id, oid }) => `${workspace_id} ${oid}`,
    work: (batch, owner) => this.#readAll(owner, batch),
    batchesAtOnce: statementsAtOnce,
    itemsAtOnce: keysAtOnce,
    queueLimit,
  });

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** What is kept under a key that has not run out at `now`. */
  find(identity: KeyIdentity, now: string): Promise<IdempotencyKey | undefined> {
    if (this.#reader.dialect === "sqlite") return keyRecord(this.#reader, identity, now);
    return this.#keys.add({ ...identity, now });
  }

  async #readAll(
    owner: KeyOwner,
    batch: readonly QueuedItem<KeyLookup, IdempotencyKey | undefined>[],
  ): Promise<void> {
    let living: ReadonlySet<string> | undefined;
    try {
      if (batch.length > 1) living = await this.#living(owner, batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { item, resolve, reject } of batch) {
      if (living !== undefined && !living.has(item.key)) resolve(undefined);
      else void keyRecord(this.#reader, item, item.now).then(resolve, reject);
    }
  }

  /** Without their answers, which may be long. */
  async #living(
    { workspace_id, oid }: KeyOwner,
    batch: readonly { readonly item: KeyLookup }[],
  ): Promise<ReadonlySet<string>> {
    const keys = batch.map(({ item }) => item.key);
    const [first] = batch.map(({ item }) => item.now).toSorted();
    const rows = await this.#reader.all<{ key: string }>(statement`select key
      from idempotency_keys where workspace_id = ${workspace_id} and oid = ${oid}
        and ${isOneOf(raw("key"), keys)} and expires_at > ${first ?? ""}`);
    return new Set(rows.map(({ key }) => key));
  }
}

/** The same by a statement of its own. */
async function keyRecord(
  reader: Reader,
  identity: KeyIdentity,
  now: string,
): Promise<IdempotencyKey | undefined> {
  return reader.first<IdempotencyKey>(statement`select * from idempotency_keys
    where workspace_id = ${identity.workspace_id} and oid = ${identity.oid}
      and key = ${identity.key} and expires_at > ${now}`);
}

/**
 * Takes the place of an expired record; false when a living one is there. It reads nothing first:
 * on PostgreSQL a read of the keys would meet everybody else's new ones, and one unit be run again.
 */
async function insertKey(writer: Writer, row: IdempotencyKey): Promise<boolean> {
  const { workspace_id, oid, key, fingerprint, status, headers, body } = row;
  const { changedRows } = await writer.run(statement`insert into idempotency_keys (${columns})
    values (${workspace_id}, ${oid}, ${key}, ${fingerprint}, ${status}, ${headers}, ${body},
      ${row.created_at}, ${row.expires_at}) ${unlessLiving}`);
  return changedRows > 0;
}

/** The same for several different keys; false when one of them is living, say: nothing is to stay. */
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
        body text, created_at text, expires_at text) ${unlessLiving}`);
  return changedRows === rows.length;
}

const columns = raw(
  "workspace_id, oid, key, fingerprint, status, headers, body, created_at, expires_at",
);

const unlessLiving = raw(`on conflict (workspace_id, oid, key) do update
  set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers,
    body = excluded.body, created_at = excluded.created_at, expires_at = excluded.expires_at
  where idempotency_keys.expires_at <= excluded.created_at`);

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
