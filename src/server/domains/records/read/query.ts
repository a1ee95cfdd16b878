import { defaultPageLimit } from "#contract/limits.ts";
import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources.ts";
import type { ResourceQuery } from "#contract/resources/query.ts";
import { faultAt, invalid } from "../../../http/faults.ts";
import type { Database } from "../../../database/database.ts";
import { listRecords, sortValuesOf } from "../store/read/list.ts";
import { parseOrder, type SortKey, type SortValue } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { parseWhere } from "../../../database/where/parse.ts";
import type { ListCursors } from "../../../http/lists/cursors.ts";
import type { ObjectTypeService, CompiledType } from "../../object-types/service.ts";
import { readUnderTypes } from "../current-type.ts";
import { cursorGone, cursorText } from "./cursor-values.ts";
import { resourceOf } from "../record.ts";
import type { SlowFilters } from "./slow-filters.ts";

interface Sorted {
  readonly type: CompiledType;
  readonly keys: readonly SortKey[];
}

interface Found {
  readonly type: CompiledType;
  readonly resource: Resource;
  readonly values: readonly SortValue[];
}

/**
 * Records of several types in one order (spec 4.2). Each type gives its own first records behind
 * the cursor by its own indexes; what is kept of them is never more than a page and one type's.
 */
export class ResourceQueries {
  readonly #database: Database;
  readonly #objectTypes: ObjectTypeService;
  readonly #cursors: ListCursors;
  readonly #slowFilters: SlowFilters;

  constructor(options: {
    database: Database;
    objectTypes: ObjectTypeService;
    cursors: ListCursors;
    slowFilters: SlowFilters;
  }) {
    this.#slowFilters = options.slowFilters;
    this.#database = options.database;
    this.#objectTypes = options.objectTypes;
    this.#cursors = options.cursors;
  }

  /** 422 with a pointer for a type that is not there, and for an order that a type has not. */
  run(workspaceId: string, query: ResourceQuery, signal: AbortSignal): Promise<ListBody<Resource>> {
    return readUnderTypes(this.#objectTypes, workspaceId, query.types, (types) =>
      this.#page(workspaceId, types, query, signal),
    );
  }

  async #page(
    workspaceId: string,
    types: readonly CompiledType[],
    query: ResourceQuery,
    signal: AbortSignal,
  ): Promise<ListBody<Resource>> {
    const limit = query.limit ?? defaultPageLimit;
    const condition = query.where === undefined ? undefined : conditionOf(types, query.where);
    const sorted = orderOf(types, query.sort, condition);
    const identity = [
      "query",
      workspaceId,
      sorted.map(({ type }) => type.number),
      query.sort ?? "",
      JSON.stringify(query.where ?? {}),
    ];
    const after =
      query.cursor === undefined ? undefined : await this.#after(sorted, identity, query.cursor);
    const order = sorted[0]?.keys ?? [];
    let found: Found[] = [];
    for (const { type, keys } of sorted) {
      const page = { type, condition, keys, after, offset: 0, limit: limit + 1 };
      const { records, valuesAt } = await this.#slowFilters.watch(type, page, () =>
        listRecords(this.#database, page, { signal }),
      );
      const more = records.map((record, index) => ({
        type,
        resource: resourceOf(type, record),
        values: valuesAt(index),
      }));
      found = [...found, ...more]
        .toSorted((one, other) => compareRows(order, one.values, other.values))
        .slice(0, limit + 1);
    }
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const hasNextPage = found.length > limit;
    return {
      items: shown.map(({ resource }) => resource),
      limit,
      hasNextPage,
      nextCursor:
        hasNextPage && last !== undefined
          ? this.#cursors.write(identity, [
              cursorText(last.values),
              last.resource.id,
              last.type.number,
            ])
          : null,
    };
  }

  async #after(
    sorted: readonly Sorted[],
    identity: unknown,
    cursor: string,
  ): Promise<readonly SortValue[]> {
    const [text = "", id, number] = this.#cursors.read(identity, cursor, []);
    // Written by `run`, and signed since.
    if (text !== "") return JSON.parse(String(text)) as SortValue[];
    const place = sorted.find(({ type }) => type.number === number);
    const values =
      place && (await sortValuesOf(this.#database.read, place.type, place.keys, String(id)));
    if (values === undefined) throw cursorGone([]);
    return values;
  }
}

/** The order in each type's own words; values of two kinds have no common one. */
function orderOf(
  types: readonly CompiledType[],
  sort: string | undefined,
  condition: Condition | undefined,
): Sorted[] {
  const sorted = types.map((type): Sorted => {
    const parsed = parseOrder(sort, type, condition);
    if (parsed.fault === undefined) return { type, keys: parsed.keys };
    throw invalid([faultAt("body", ["sort"], `${parsed.fault} (${type.slug})`)]);
  });
  const kindsOf = ({ keys }: Sorted): string => keys.map(({ kind }) => kind).join();
  const [first] = sorted;
  const other = sorted.find((one) => first !== undefined && kindsOf(one) !== kindsOf(first));
  if (first === undefined || other === undefined) return sorted;
  const words = `names values of different kinds in ${first.type.slug} and ${other.type.slug}`;
  throw invalid([faultAt("body", ["sort"], words)]);
}

function conditionOf(
  types: readonly CompiledType[],
  where: NonNullable<ResourceQuery["where"]>,
): Condition | undefined {
  const parsed = parseWhere(where, ["where"], types);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return parsed.condition;
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

/** As the engines order: nothing first, texts by code points and not by UTF-16 units. */
function compareValues(one: SortValue, other: SortValue): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}
