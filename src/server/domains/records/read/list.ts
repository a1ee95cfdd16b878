import { defaultPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Resource } from "#contract/resources.ts";
import type { Caller } from "../../../http/handler.ts";
import { JsonText } from "../../../http/response/json-text.ts";
import { faultAt, invalid } from "../../../http/faults.ts";
import type { Database } from "../../../database/database.ts";
import { recordCount, type CompiledType } from "../../object-types/service.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { countRecords, listRecords, sortValuesOf } from "../store/read/record-pages.ts";
import { parseOrder, type SortKey, type SortValue } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { ListCursors } from "../../../http/lists/cursors.ts";
import { whereOf } from "../../../http/lists/parameters.ts";
import { cursorGone, cursorText } from "./cursor-values.ts";
import { resourceOf, resourceText } from "../record.ts";
import type { SlowFilters } from "./slow-filters.ts";

interface Parts {
  readonly database: Database;
  readonly cursors: ListCursors;
  readonly slowFilters: SlowFilters;
}

/** A type's records, by the list conventions (interface: list query, list body). */
export class ResourceList {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
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
    const { database, cursors, slowFilters } = this.#parts;
    const { limit = defaultPageLimit } = query;
    const condition =
      query.where === undefined
        ? undefined
        : requireCondition(whereOf(query.where), ["query", "where"], [type]);
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
        : await this.#position(type, keys, cursors.read(identity, query.cursor));
    const page = position?.page ?? query.page ?? 1;
    const selection = {
      type,
      condition,
      keys,
      after: position?.values,
      offset: position === undefined ? (page - 1) * limit : 0,
      limit: limit + 1,
    };
    const [listed, total] = await slowFilters.watch(type, selection, () =>
      Promise.all([
        listRecords(database, selection, caller),
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
            ? cursors.write(identity, [last.id, page + 1, cursorText(valuesAt(limit - 1))])
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
    const { database } = this.#parts;
    return condition === undefined
      ? recordCount(database.read, type.workspaceId, type.number)
      : countRecords(database, type, condition, caller);
  }

  async #position(
    type: CompiledType,
    keys: readonly SortKey[],
    [id = "", page = 1, text = ""]: readonly (string | number)[],
  ): Promise<{ page: number; values: readonly SortValue[] }> {
    // The cursor is signed, so the text is what `#read` wrote.
    const values =
      text === ""
        ? await sortValuesOf(this.#parts.database.read, type, keys, String(id))
        : (JSON.parse(String(text)) as SortValue[]);
    if (values === undefined) throw cursorGone(["query"]);
    return { page: Number(page), values };
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
