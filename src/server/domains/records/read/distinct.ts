import type {
  DistinctAnswer,
  DistinctRequest,
  DistinctValue,
} from "#contract/resources/reads/distinct.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages } from "../../../kit/lists/pages.ts";
import type { Work } from "../../../work/work.ts";
import type { ReadableType } from "../../object-types/service.ts";
import { distinctRows } from "../store/read/distinct-rows.ts";
import { requireCondition } from "../where/record-filter.ts";
import { distinctFault, isListAt } from "./aggregate.ts";
import type { SlowFilters } from "./slow-filters.ts";

/** The values of a property with the number of records that have each. */
export async function distinctOf(
  work: Work,
  { cursors, slowFilters }: { readonly cursors: ListCursors; readonly slowFilters: SlowFilters },
  type: ReadableType,
  request: DistinctRequest,
  signal: AbortSignal,
): Promise<DistinctAnswer> {
  const { property, where, order = "count" } = request;
  const fault = distinctFault(type, property);
  if (fault !== undefined) throw invalid([faultAt("body", ["property"], fault)]);
  const condition = where === undefined ? undefined : requireCondition(where, ["where"], [type]);
  const list = ["distinct", type.workspaceId, type.number, property, order];
  const pages = new ListPages(cursors, [...list, JSON.stringify(where ?? {})], []);
  const start = pages.start(request);
  const rows = await slowFilters.watch(type, { condition, keys: [] }, () =>
    distinctRows(
      work,
      {
        type,
        condition,
        name: property,
        isList: isListAt(type, property),
        isByCount: order === "count",
        offset: start.offset,
        limit: start.rows,
      },
      signal,
    ),
  );
  const itemOf = (row: DistinctValue) => row;
  return pages.body(start, { rows, itemOf });
}
