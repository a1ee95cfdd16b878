import { maximumPageBytes } from "#contract/limits.ts";
import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { ResourceQuery } from "#contract/resources/reads/query.ts";
import type { AnswerBudget, AnswerHold } from "../../../kit/answer-budget.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import type { Work } from "../../../work/work.ts";
import { nameOfKey, parseOrder, type SortKey, type SortValue } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages } from "../../../kit/lists/pages.ts";
import type { ObjectTypeService, ReadableType } from "../../object-types/service.ts";
import { readUnderTypes } from "../current-type.ts";
import { listBounded } from "./bounded-page.ts";
import { recordPosition, valuesAtPosition, type SortedType } from "./record-positions.ts";
import { parsedRecords } from "../record.ts";
import { selected, selectionOf } from "./selection.ts";
import type { SlowFilters } from "./slow-filters.ts";

interface ListedResource {
  readonly type: ReadableType;
  readonly resource: Resource;
  readonly values: readonly SortValue[];
  readonly bytes: number;
}

interface Parts {
  readonly objectTypes: ObjectTypeService;
  readonly cursors: ListCursors;
  readonly slowFilters: SlowFilters;
  readonly answers: AnswerBudget;
}

/**
 * Records of several types in one order (spec 4.2). The types are read one after the other by their
 * own indexes, and at most one page and one type's records are in memory.
 */
export class ResourceQueries {
  constructor(private readonly parts: Parts) {}

  /** Refuses 422 with a pointer for an unknown type and for an order that a type does not have. */
  run(
    work: Work,
    workspaceId: string,
    query: ResourceQuery,
    signal: AbortSignal,
  ): Promise<ListBody<Resource>> {
    const { objectTypes, answers } = this.parts;
    return readUnderTypes(work, objectTypes, workspaceId, query.types, (types) =>
      answers.during(workspaceId, (hold) =>
        this.#page(work, { workspaceId, types }, query, { signal, hold }),
      ),
    );
  }

  async #page(
    work: Work,
    { workspaceId, types }: { workspaceId: string; types: readonly ReadableType[] },
    query: ResourceQuery,
    { signal, hold }: { readonly signal: AbortSignal; readonly hold: AnswerHold },
  ): Promise<ListBody<Resource>> {
    const { objectTypes, cursors, slowFilters, answers } = this.parts;
    const { where } = query;
    const selection = await selectionOf(objectTypes, work, types, query, "body");
    const { projection } = selection;
    const condition = where === undefined ? undefined : requireCondition(where, ["where"], types);
    const sorted = orderOf(types, query, condition);
    const list = [
      "query",
      workspaceId,
      sorted.map(({ type }) => type.number),
      query.sort === undefined ? "" : (sorted[0]?.keys ?? []).map(nameOfKey),
      JSON.stringify(where ?? {}),
    ];
    const pages = new ListPages(cursors, list, []);
    const start = pages.start(query);
    const after = start.after && (await valuesAtPosition(work.read, sorted, start.after, []));
    const order = sorted[0]?.keys ?? [];
    let listed: ListedResource[] = [];
    for (const { type, keys } of sorted) {
      const page = { type, condition, keys, after, offset: 0, limit: start.rows, projection };
      const { records, valuesAt } = await slowFilters.watch(type, page, () =>
        listBounded(work, page, { answers, hold, caller: { signal } }),
      );
      const ofType = (await parsedRecords(type, records)).map(({ item }, index) => ({
        type,
        resource: item,
        values: valuesAt(index),
        bytes: records[index]?.data.length ?? 0,
      }));
      listed = [...listed, ...ofType]
        .toSorted((one, other) => compareRows(order, one.values, other.values))
        .slice(0, start.rows);
      listed = listed.slice(0, fitting(listed) + 1);
    }
    const shown = Math.min(fitting(listed), start.limit);
    const positionOf = ({ resource, type, values }: ListedResource) =>
      recordPosition(resource.id, type, values);
    const { page: _page, ...envelope } = pages.envelope(start, { rows: listed, positionOf, shown });
    const found = listed.slice(0, shown).map(({ type, resource }) => ({ type, item: resource }));
    const bounds = { hold, signal, place: "body" } as const;
    return { items: await selected(objectTypes, work, selection, found, bounds), ...envelope };
  }
}

/** The number of the first resources that a page has bytes for; at least one. */
function fitting(listed: readonly ListedResource[]): number {
  let bytes = 0;
  const over = listed.findIndex((one, index) => {
    bytes += one.bytes;
    return index > 0 && bytes > maximumPageBytes;
  });
  return over < 0 ? listed.length : over;
}

/** The order for each type; refuses values of different kinds. */
function orderOf(
  types: readonly ReadableType[],
  { sort, collation }: ResourceQuery,
  condition: Condition | undefined,
): SortedType[] {
  const sorted = types.map((type): SortedType => {
    const parsed = parseOrder(sort, type, condition, collation);
    if (parsed.fault === undefined) return { type, keys: parsed.keys };
    throw invalid([faultAt("body", ["sort"], `${parsed.fault} (${type.slug})`)]);
  });
  const kindsOf = ({ keys }: SortedType): string => keys.map(({ kind }) => kind).join();
  const [first] = sorted;
  const other = sorted.find((one) => first !== undefined && kindsOf(one) !== kindsOf(first));
  if (first === undefined || other === undefined) return sorted;
  const words = `has values of different kinds in ${first.type.slug} and ${other.type.slug}`;
  throw invalid([faultAt("body", ["sort"], words)]);
}

function compareRows(
  keys: readonly SortKey[],
  one: readonly SortValue[],
  other: readonly SortValue[],
): number {
  for (const [index, { isDescending }] of keys.entries()) {
    const order = compareValues(one[index] ?? null, other[index] ?? null);
    if (order !== 0) return isDescending ? -order : order;
  }
  return 0;
}

/** The order of the engines: nothing first, texts by code points and not by UTF-16 units. */
function compareValues(one: SortValue, other: SortValue): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
