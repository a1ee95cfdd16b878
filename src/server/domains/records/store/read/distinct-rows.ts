import { byDialect, join, raw, statement, type Statement } from "../../../../database/statement.ts";
import type { Condition } from "../../../../database/where/condition.ts";
import { JsonNode } from "../../../../database/where/json-node.ts";
import { idOrder } from "../record-numbers.ts";
import { grouped, groupText, orderOf } from "./aggregate-groups.ts";
import { viewsOf } from "./field-views.ts";
import type { TypeSource } from "./list-plan.ts";
import { matching, scannerOf, type Readers } from "./scans.ts";

export interface DistinctSelection {
  readonly type: TypeSource;
  readonly condition: Condition | undefined;
  readonly name: string;
  /** True if the items of a list are the values. */
  readonly isList: boolean;
  readonly isByCount: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** One page of the values of a field, with the number of records that have each. */
export async function distinctRows(
  readers: Pick<Readers, "scan">,
  selection: DistinctSelection,
  signal: AbortSignal,
): Promise<{ value: unknown; count: number }[]> {
  const { type, condition, name, isList, isByCount, offset, limit } = selection;
  const source = isList
    ? groupedItems(selection)
    : grouped({
        type,
        condition,
        groupBy: [name],
        metrics: [{ op: "count", field: undefined }],
        limit,
      });
  const isValue = byDialect({
    sqlite: raw("coalesce(g0, 'null') <> 'null'"),
    postgresql: raw("coalesce(g0, 'null'::jsonb) <> 'null'::jsonb"),
  });
  const byValue = orderOf(JsonNode.column("g0"));
  const order = isByCount ? [raw("m0 desc"), ...byValue] : byValue;
  const rows = await scannerOf(readers, type, { signal }).all<{ g0: string; m0: number | string }>(
    statement`select ${groupText("g0")}, m0 from (${source}) as grouped where ${isValue}
      order by ${join(order)} limit ${limit} offset ${offset}`,
  );
  return rows.map(({ g0, m0 }) => ({ value: JSON.parse(g0) as unknown, count: Number(m0) }));
}

/** A record counts once for a value that its list has twice. */
function groupedItems({ type, condition, name }: DistinctSelection): Statement {
  const { json } = viewsOf(type, name);
  return statement`select g0, count(*) as m0 from (
    select distinct found.number, ${byDialect({
      // The arrow keeps all digits of a number.
      sqlite: raw(
        "(case when json_type(found.list) = 'array' then found.list -> item.key else found.list end)",
      ),
      postgresql: raw("item.value"),
    })} as g0
    from (select ${idOrder} as number, ${json} as list from ${matching(type, condition)}) as found
    ${byDialect({
      sqlite: raw(", json_each(found.list) as item"),
      postgresql: raw(`cross join lateral jsonb_array_elements(
        case when jsonb_typeof(found.list) = 'array' then found.list
          else jsonb_build_array(found.list) end) as item(value)`),
    })}) as looked group by g0`;
}
