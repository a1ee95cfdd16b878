import { defaultPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Resource } from "#contract/resources.ts";
import type { Caller } from "../../../http/handler.ts";
import { JsonText } from "../../../http/response/json-text.ts";
import { faultAt, invalid } from "../../../http/faults.ts";
import type { Database } from "../../../database/database.ts";
import { recordCount, type CompiledType } from "../../object-types/service.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { countRecords, listRecords, sortValuesOf } from "../store/read/list.ts";
import { parseOrder, type SortKey, type SortValue } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { parseWhere } from "../../../database/where/parse.ts";
import type { ListCursors } from "../../../http/lists/cursors.ts";
import { whereOf } from "../../../http/lists/parameters.ts";
import { cursorGone, cursorText } from "./cursor-values.ts";
import { resourceOf, resourceText } from "../record.ts";
import type { SlowFilters } from "./slow-filters.ts";

/** A type's records, by the list conventions (interface: list query, list body). */
export class ResourceList {
  readonly #database: Database;
  readonly #cursors: ListCursors;
  readonly #slowFilters: SlowFilters;

  constructor(options: {
    readonly database: Database;
    readonly cursors: ListCursors;
    readonly slowFilters: SlowFilters;
  }) {
    this.#database = options.database;
    this.#cursors = options.cursors;
    this.#slowFilters = options.slowFilters;
  }

  async page(type: CompiledType, query: ListQuery, caller?: Caller): Promise<ListBody<Resource>> {
    const { records, place } = await this.#read(type, query, caller);
    return { items: records.map((record) => resourceOf(type, record)), ...place };
  }

  /** The JSON text of {@link page}. */
  async pageText(
    type: CompiledType,
    query: ListQuery,
    caller: Caller,
  ): Promise<JsonText<ListBody<Resource>>> {
    const { records, place } = await this.#read(type, query, caller);
    const items = records.map((record) => resourceText(type, record));
    return new JsonText(`{"items":[${items.join()}],${JSON.stringify(place).slice(1)}`);
  }

  async #read(
    type: CompiledType,
    query: ListQuery,
    caller: Caller | undefined,
  ): Promise<{ records: readonly StoredRecord[]; place: Omit<ListBody<Resource>, "items"> }> {
    const limit = query.limit ?? defaultPageLimit;
    const condition = query.where === undefined ? undefined : conditionOf(type, query.where);
    const keys = sortKeys(query.sort, type, condition);
    const identity = [
      "resources",
      type.workspaceId,
      type.number,
      keys.map((key) => `${key.isDescending ? "-" : ""}${key.name}`),
      query.where ?? "",
    ];
    const position =
      query.cursor === undefined
        ? undefined
        : await this.#position(type, keys, this.#cursors.read(identity, query.cursor));
    const page = position?.page ?? query.page ?? 1;
    const wanted = {
      type,
      condition,
      keys,
      after: position?.values,
      offset: position === undefined ? (page - 1) * limit : 0,
      limit: limit + 1,
    };
    const [listed, total] = await this.#slowFilters.watch(type, wanted, () =>
      Promise.all([
        listRecords(this.#database, wanted, caller),
        query.count === true ? this.#total(type, condition, caller) : undefined,
      ]),
    );
    const { records, valuesAt } = listed;
    const hasNextPage = records.length > limit;
    const last = records[limit - 1];
    return {
      records: hasNextPage ? records.slice(0, limit) : records,
      place: {
        page,
        limit,
        hasNextPage,
        nextCursor:
          hasNextPage && last !== undefined
            ? this.#cursors.write(identity, [last.id, page + 1, cursorText(valuesAt(limit - 1))])
            : null,
        ...(total === undefined ? {} : { total }),
      },
    };
  }

  #total(
    type: CompiledType,
    condition: Condition | undefined,
    caller: Caller | undefined,
  ): Promise<number> {
    return condition === undefined
      ? recordCount(this.#database.read, type.workspaceId, type.number)
      : countRecords(this.#database, type, condition, caller);
  }

  async #position(
    type: CompiledType,
    keys: readonly SortKey[],
    [id = "", page = 1, text = ""]: readonly (string | number)[],
  ): Promise<{ page: number; values: readonly SortValue[] }> {
    if (text !== "") {
      // Written by `page`, and signed since.
      return { page: Number(page), values: JSON.parse(String(text)) as SortValue[] };
    }
    const values = await sortValuesOf(this.#database.read, type, keys, String(id));
    if (values !== undefined) return { page: Number(page), values };
    throw cursorGone(["query"]);
  }
}

function sortKeys(
  sort: string | undefined,
  type: CompiledType,
  condition: Condition | undefined,
): readonly SortKey[] {
  const parsed = parseOrder(sort, type, condition);
  if (parsed.fault !== undefined) throw invalid([faultAt("query", ["sort"], parsed.fault)]);
  return parsed.keys;
}

function conditionOf(type: CompiledType, text: string): Condition | undefined {
  const parsed = parseWhere(whereOf(text), ["query", "where"], [type]);
  if (parsed.faults !== undefined) throw invalid(parsed.faults);
  return parsed.condition;
}
