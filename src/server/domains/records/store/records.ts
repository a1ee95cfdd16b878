import { uuidNumber } from "../../../kit/ordered-uuid.ts";
import type { Promisable } from "../../../kit/promisable.ts";
import type { Reader, Writer } from "../../../database/database.ts";
import { isOneOf, jsonText } from "../../../database/dialect.ts";
import { byDialect, nothing, raw, statement, type Statement } from "../../../database/statement.ts";
import type { SlotColumn, TypeKey } from "../../object-types/service.ts";
import { oneRecord, RecordLookups } from "./lookups.ts";
import { isOneOfRecords } from "./record-numbers.ts";
import type { StoredRecord } from "./record-types.ts";

/** After `select`, from `resources`. */
export const recordColumns: Statement = statement`resources.id, resources.version,
  ${jsonText("resources.data")} as data, resources.created_at, resources.updated_at,
  resources.created_by, resources.updated_by`;

/** The record with this id; undefined when the type has none. */
export function recordById(
  reader: Reader,
  type: TypeKey,
  id: string,
): Promisable<StoredRecord | undefined> {
  if (reader.dialect === "sqlite") {
    // The condition of `isRecord`, in a text that is rendered once.
    return reader.first<StoredRecord>(statement`select id, version, json(data) as data, created_at,
      updated_at, created_by, updated_by from resources
      where record_number = ${uuidNumber(id)} and id = ${id} and workspace_id = ${type.workspaceId} and type_number = ${type.number}`);
  }
  // Only a unit sees its own writes.
  if ("run" in reader || reader.batchesReads === false) return oneRecord(reader, type, id);
  let ofReader = lookups.get(reader);
  if (ofReader === undefined) lookups.set(reader, (ofReader = new RecordLookups(reader)));
  return ofReader.find(type, id);
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
