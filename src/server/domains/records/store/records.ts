import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import type { Promisable } from "../../../kit/promisable.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf, jsonText } from "../../../database/dialect.ts";
import { byDialect, nothing, raw, statement, type Statement } from "../../../database/statement.ts";
import type { TypeKey } from "../../object-types/service.ts";
import type { SlotColumn } from "../../../fields/slots.ts";
import { isOneOfRecords, isRecord } from "./record-numbers.ts";
import type { StoredRecord } from "./record-types.ts";
import { BatchQueue, type QueuedItem } from "../../../database/batch-queue.ts";

/** The columns to select from `resources`. */
export const recordColumns: Statement = statement`resources.id, resources.version,
  ${jsonText("resources.data")} as data, resources.created_at, resources.updated_at,
  resources.created_by, resources.updated_by`;

/** The record with this id; undefined when the type has none. */
export function recordById(
  reader: Reader,
  type: TypeKey,
  id: string,
  projection?: ReadColumns,
): Promisable<StoredRecord | undefined> {
  if (projection !== undefined && reader.dialect === "sqlite") {
    return reader.first<StoredRecord>(statement`select ${projection.columns} from resources
      where ${isRecord(id)} and workspace_id = ${type.workspaceId} and type_number = ${type.number}`);
  }
  if (reader.dialect === "sqlite") {
    // The condition of `isRecord`, in a text that is rendered once.
    return reader.first<StoredRecord>(statement`select id, version, json(data) as data, created_at,
      updated_at, created_by, updated_by from resources
      where record_number = coalesce((select record_number from shared_numbers where id = ${id}),
          ${uuidNumber(id)})
        and id = ${id} and workspace_id = ${type.workspaceId} and type_number = ${type.number}`);
  }
  // Only a unit sees its own writes.
  if ("run" in reader || reader.tuning?.batchesReads === false)
    return oneRecord(reader, type, id, projection);
  let ofReader = lookups.get(reader);
  if (ofReader === undefined) lookups.set(reader, (ofReader = new RecordLookups(reader)));
  return ofReader.find({ type, id, projection });
}

const lookups = new WeakMap<Reader, RecordLookups>();

/** Records by their ids; without those that the type does not have. */
export async function recordsByIds(
  reader: Reader,
  type: TypeKey,
  ids: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  const [id] = ids;
  if (id !== undefined && ids.length === 1) {
    const record = await recordById(reader, type, id);
    if (record !== undefined) found.set(id, record);
    return found;
  }
  const rows = await reader.all<StoredRecord>(statement`select ${recordColumns} from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOfRecords(ids)}`);
  for (const row of rows) found.set(row.id, row);
  return found;
}

/** Which of these ids are records of the type; to a writer they stay so until its unit ends. */
export async function presentIds(
  reader: Reader | Writer,
  type: TypeKey,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.all<{ id: string }>(statement`select id from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOfRecords(ids)} ${"run" in reader ? keyShare : nothing}`);
  return new Set(rows.map((row) => row.id));
}

/** Keeps a referenced row from deletion until the reference is written; readers don't wait. */
const keyShare = byDialect({ sqlite: nothing, postgresql: raw("for key share") });

/** Which keys of a unique column are taken, and by which record. */
export async function takenKeys(
  reader: Reader,
  type: TypeKey,
  { column }: SlotColumn,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const name = raw(column);
  const rows = await reader.all<{ key: string; id: string }>(statement`select ${name} as key, id
    from resources where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${isOneOf(name, keys)} and ${name} is not null`);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** The columns of a read that needs only a part of each record. */
interface ReadColumns {
  readonly columns: Statement;
  readonly key: string;
}

interface Lookup {
  readonly type: TypeKey;
  readonly id: string;
  readonly projection: ReadColumns | undefined;
}

const statementsAtOnce = 2;
const idsAtOnce = 64;
const queueLimit = 10_000;
/** Stored bytes of one record's data: 64 large records never come in one answer. */
const smallBytes = 2_000;

const columns = raw(
  "id, version, data::text as data, created_at, updated_at, created_by, updated_by",
);

/** PostgreSQL: reads records requested at the same time in one statement, which costs less. */
class RecordLookups {
  readonly #ids = new BatchQueue<Lookup, StoredRecord | undefined>({
    groupOf: ({ type, projection }) =>
      `${type.number} ${type.workspaceId} ${projection?.key ?? ""}`,
    work: (batch, lookup) => this.#readAll(lookup, batch),
    batchesAtOnce: statementsAtOnce,
    itemsAtOnce: idsAtOnce,
    queueLimit,
  });

  constructor(private readonly reader: Reader) {}

  /** The record; undefined when the type has none with this id. */
  find(lookup: Lookup): Promise<StoredRecord | undefined> {
    return this.#ids.add(lookup);
  }

  async #readAll(
    { type, projection }: Lookup,
    batch: readonly QueuedItem<Lookup, StoredRecord | undefined>[],
  ): Promise<void> {
    let found: ReadonlyMap<string, StoredRecord> = new Map();
    try {
      if (batch.length > 1) found = await this.#small(type, batch, projection);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const { item, resolve, reject } of batch) {
      const record = found.get(item.id);
      if (record === undefined)
        oneRecord(this.reader, type, item.id, projection).then(resolve, reject);
      else resolve(record);
    }
  }

  async #small(
    { workspaceId, number }: TypeKey,
    lookups: readonly { readonly item: Lookup }[],
    projection: ReadColumns | undefined,
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const ids = lookups.map(({ item }) => item.id);
    const rows = await this.reader.all<StoredRecord>(statement`select
      ${projection?.columns ?? columns} from resources
      where workspace_id = ${workspaceId} and type_number = ${number}
        and ${isOneOf(raw("id"), ids)} and pg_column_size(data) <= ${smallBytes}`);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** Reads one record of a type from PostgreSQL. */
async function oneRecord(
  reader: Reader,
  { workspaceId, number }: TypeKey,
  id: string,
  projection: ReadColumns | undefined,
): Promise<StoredRecord | undefined> {
  return reader.first<StoredRecord>(statement`select ${projection?.columns ?? columns} from resources
    where workspace_id = ${workspaceId} and type_number = ${number} and id = ${id}`);
}
