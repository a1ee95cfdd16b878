import type { Reader } from "../../../database/database.ts";
import { isOneOf } from "../../../database/dialect.ts";
import type { Gathered } from "../../../database/gathering.ts";
import { GroupedGathering } from "../../../database/grouped-gathering.ts";
import { raw, statement } from "../../../database/statement.ts";
import type { TypeKey } from "../../object-types/service.ts";
import type { StoredRecord } from "./record-types.ts";

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
  readonly #reader: Reader;
  readonly #ids = new GroupedGathering<TypeKey, string, StoredRecord | undefined>({
    nameOf: ({ workspaceId, number }) => `${number} ${workspaceId}`,
    work: (type, gathered) => this.#readAll(type, gathered),
    worksAtOnce: statementsAtOnce,
    itemsAtOnce: idsAtOnce,
    queueLimit,
  });

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** The record; undefined when the type has none with this id. */
  find(type: TypeKey, id: string): Promise<StoredRecord | undefined> {
    return this.#ids.add(type, id);
  }

  async #readAll(
    type: TypeKey,
    gathered: readonly Gathered<string, StoredRecord | undefined>[],
  ): Promise<void> {
    const ids = gathered.map(({ item }) => item);
    let found: ReadonlyMap<string, StoredRecord>;
    try {
      found = ids.length === 1 ? new Map() : await this.#small(type, ids);
    } catch (error) {
      for (const { reject } of gathered) reject(error);
      return;
    }
    for (const { item, resolve, reject } of gathered) {
      const record = found.get(item);
      if (record === undefined) void oneRecord(this.#reader, type, item).then(resolve, reject);
      else resolve(record);
    }
  }

  /** Only the small ones. */
  async #small(
    { workspaceId, number }: TypeKey,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, StoredRecord>> {
    const rows = await this.#reader.all<StoredRecord>(statement`select ${columns}
      from resources
      where workspace_id = ${workspaceId} and type_number = ${number}
        and ${isOneOf(raw("id"), ids)} and pg_column_size(data) <= ${smallBytes}`);
    return new Map(rows.map((row) => [row.id, row]));
  }
}

/** The record, by its own statement. */
export async function oneRecord(
  reader: Reader,
  { workspaceId, number }: TypeKey,
  id: string,
): Promise<StoredRecord | undefined> {
  return reader.first<StoredRecord>(statement`select ${columns} from resources
    where workspace_id = ${workspaceId} and type_number = ${number} and id = ${id}`);
}
