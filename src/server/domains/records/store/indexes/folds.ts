import { sameJson } from "#lib/json/same.ts";
import type { Reader, Writer } from "../../../../database/database.ts";
import { jsonText } from "../../../../database/dialect.ts";
import { byDialect, statement, type Dialect } from "../../../../database/statement.ts";
import { foldsOf } from "../text-order.ts";
import type { TypeKey } from "../../../object-types/service.ts";
import { idOrder, isRecord, placeOf } from "../record-numbers.ts";
import type { RowRange } from "./keyed-rows.ts";

/** A record whose folded texts are not those of its data, and the right ones as JSON text. */
interface UnfoldedRow {
  readonly id: string;
  readonly version: number;
  readonly folds: string | null;
}

/** The next records without their folded texts, and the last id that was read. */
export async function unfoldedRows(
  reader: Reader,
  type: TypeKey,
  { afterId, limit }: RowRange,
): Promise<{ rows: UnfoldedRow[]; lastId: string | undefined }> {
  const looked = await reader.all<{
    id: string;
    version: number;
    data: string;
    folds: string | null;
  }>(statement`select id, version, ${jsonText("data")} as data, ${jsonText("folds")} as folds
    from resources
    where workspace_id = ${type.workspaceId} and type_number = ${type.number}
      and ${idOrder} > ${placeOf(afterId)} order by ${idOrder} limit ${limit}`);
  const rows = looked.flatMap(({ id, version, ...row }) => {
    if (isFolded(row, reader.dialect)) return [];
    return [{ id, version: Number(version), folds: foldsOf(row.data, reader.dialect) }];
  });
  return { rows, lastId: looked.at(-1)?.id };
}

/** True if a record's stored folded texts are those of its data. */
export function isFolded(
  { data, folds }: { readonly data: string; readonly folds: string | null },
  dialect: Dialect,
): boolean {
  return sameJson(valueOf(foldsOf(data, dialect)), valueOf(folds));
}

function valueOf(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

/** A record that was written since it was read keeps its newer folded texts. */
export async function writeFolds(
  writer: Writer,
  type: TypeKey,
  rows: readonly UnfoldedRow[],
): Promise<void> {
  for (const { id, version, folds } of rows) {
    await writer.run(statement`update resources set folds = ${byDialect({
      sqlite: statement`jsonb(${folds})`,
      postgresql: statement`${folds}::text::jsonb`,
    })}
      where workspace_id = ${type.workspaceId} and type_number = ${type.number}
        and ${isRecord(id)} and version = ${version}`);
  }
}
