import type { Reader } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import { BatchQueue, type QueuedItem } from "../../../database/batch-queue.ts";
import { raw, statement } from "../../../database/statement.ts";
import type { TypeKey } from "../../object-types/service.ts";
import type { StoredRecord } from "./record-types.ts";

interface Lookup {
  readonly type: TypeKey;
  readonly id: string;
}

const statementsAtOnce = 2;
const idsAtOnce = 64;
const queueLimit = 10_000;
/** Stored bytes of one record's data: 64 large records never come in one answer. */
const smallBytes = 2_000;

const columns = raw(
  "id, version, data::text as data, created_at, updated_at, created_by, updated_by",
);

/**
 * PostgreSQL: finds records by their ids, those of one type requested at the same time in one
 * statement. Sending a statement takes longer than finding a record.
 */
export class RecordLookups {
  readonly #ids = new BatchQueue<Lookup, StoredRecord | undefined>({
    groupOf: ({ type }) => `${type.number} ${type.workspaceId}`,
    work: (batch, { type }) => this.#readAll(type, batch),
    batchesAtOnce: statementsAtOnce,
    itemsAtOnce: idsAtOnce,
    queueLimit,
  });

  constructor(private readonly reader: Reader) {}

  /** The record; undefined when the type has none with this id. */
  find(type: TypeKey, id: string): Promise<StoredRecord | undefined> {
    return this.#ids.add({ type, id });
  }

  async #readAll(
    type: TypeKey,
    batch: readonly QueuedItem<Lookup, StoredRecord | undefined>[],
  ): Promise<void> {
    let found: ReadonlyMap<string, StoredRecord> = new Map();
    try {
      if (batch.length > 1) found = await this.#small(type, batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { item, resolve, reject } of batch) {
      const record = found.get(item.id);
      if (record === undefined) void oneRecord(this.reader, type, item.id).then(resolve, reject);
      else resolve(record);
    }
  }

  async #small(
    { workspaceId, number }: TypeKey,
    lookups: readonly { readonly item: Lookup }[],
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const ids = lookups.map(({ item }) => item.id);
    const rows = await this.reader.all<StoredRecord>(statement`select ${columns}
      from resources
      where workspace_id = ${workspaceId} and type_number = ${number}
        and ${isOneOf(raw("id"), ids)} and pg_column_size(data) <= ${smallBytes}`);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

export async function oneRecord(
  reader: Reader,
  { workspaceId, number }: TypeKey,
  id: string,
): Promise<StoredRecord | undefined> {
  return reader.first<StoredRecord>(statement`select ${columns} from resources
    where workspace_id = ${workspaceId} and type_number = ${number} and id = ${id}`);
}
