import type { JsonObject } from "#contract/values.ts";
import type { Reader } from "../../../../database/database.ts";
import { jsonText } from "../../../../database/dialect.ts";
import { join, raw, statement } from "../../../../database/statement.ts";
import type { SlotKeys } from "../record-types.ts";
import { idOrder, placeOf } from "../record-numbers.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import type { SlotColumn } from "../../../../fields/slots.ts";

/** A record with the keys in its index columns, in the columns' order. */
export interface KeyedRow {
  readonly id: string;
  readonly version: number;
  readonly data: string;
  /** The stored folded texts as JSON text. */
  readonly folds: string | null;
  readonly keys: SlotKeys;
}

export interface RowRange {
  readonly afterId: string;
  /** Undefined for no upper bound. */
  readonly upToId?: string | undefined;
  readonly limit: number;
}

/** The next records of a type in id order. */
export async function keyedRows(
  reader: Reader,
  type: TypeKey,
  columns: readonly Pick<SlotColumn, "column">[],
  { afterId, upToId, limit }: RowRange,
): Promise<KeyedRow[]> {
  const upTo = upToId === undefined ? raw("") : statement`and ${idOrder} <= ${placeOf(upToId)}`;
  const keys = columns.map(({ column }) => raw(`, ${column}`));
  const rows = await reader.all<Record<string, string | number | null>>(statement`select
    id, version, ${jsonText("data")} as data, ${jsonText("folds")} as folds
    ${join(keys, "")}
    from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${idOrder} > ${placeOf(afterId)} ${upTo}
    order by ${idOrder} limit ${limit}`);
  return rows.map((row) => ({
    id: String(row["id"]),
    version: Number(row["version"]),
    data: String(row["data"]),
    folds: row["folds"] ? String(row["folds"]) : null,
    keys: columns.map(({ column }) => row[column] ?? null),
  }));
}

/** The data of a row; only the platform writes the column, and only objects. */
export function dataOfRow({ data }: Pick<KeyedRow, "data">): JsonObject {
  return JSON.parse(data) as JsonObject;
}

const pageSize = 200;

/** Every record of a type in id order, read page by page. */
export async function* allKeyedRows(
  reader: Reader,
  type: TypeKey,
  columns: readonly Pick<SlotColumn, "column">[],
): AsyncGenerator<KeyedRow, void, undefined> {
  for (let afterId = ""; ;) {
    const rows = await keyedRows(reader, type, columns, { afterId, limit: pageSize });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    afterId = last.id;
  }
}
