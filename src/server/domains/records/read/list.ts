import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { Caller } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import type { AnswerBudget, AnswerHold } from "../../../kit/answer-budget.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import { recordCount, type ReadableType } from "../../object-types/service.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { countRecords } from "../store/read/record-pages.ts";
import { parseOrder, type SortKey } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages, type ListEnvelope } from "../../../kit/lists/pages.ts";
import { whereOf } from "../../../kit/lists/parameters.ts";
import { listBounded } from "./bounded-page.ts";
import { recordPosition, valuesAtPosition } from "./record-positions.ts";
import { resourceOf, resourcePieces } from "../record.ts";
import type { SlowFilters } from "./slow-filters.ts";

/** Lists of a type's records, by the list conventions of the interface. */
export class ResourceList {
  constructor(
    private readonly parts: {
      readonly cursors: ListCursors;
      readonly slowFilters: SlowFilters;
      readonly answers: AnswerBudget;
    },
  ) {}

  async page(
    work: Work,
    type: ReadableType,
    query: ListQuery,
    caller?: Caller,
  ): Promise<ListBody<Resource>> {
    return this.parts.answers.during(type.workspaceId, async (hold) => {
      const { records, envelope } = await this.#read(work, type, query, { caller, hold });
      return { items: records.map((record) => resourceOf(type, record)), ...envelope };
    });
  }

  /** The JSON text of {@link page}, in pieces. */
  async pageText(
    work: Work,
    type: ReadableType,
    query: ListQuery,
    caller: Caller,
  ): Promise<readonly string[]> {
    return this.parts.answers.during(type.workspaceId, async (hold) => {
      const { records, envelope } = await this.#read(work, type, query, { caller, hold });
      const rest = JSON.stringify(envelope).slice(1);
      return [`{"items":[`, ...resourcePieces(type, records), `],${rest}`];
    });
  }

  async #read(
    work: Work,
    type: ReadableType,
    query: ListQuery,
    { caller, hold }: { readonly caller: Caller | undefined; readonly hold: AnswerHold },
  ): Promise<{ records: readonly StoredRecord[]; envelope: ListEnvelope }> {
    const { cursors, slowFilters, answers } = this.parts;
    const condition =
      query.where === undefined
        ? undefined
        : requireCondition(whereOf(query.where), ["query", "where"], [type]);
    const keys = sortKeys(query.sort, type, condition);
    const pages = new ListPages(cursors, [
      "resources",
      type.workspaceId,
      type.number,
      keys.map((key) => `${key.isDescending ? "-" : ""}${key.name}`),
      query.where ?? "",
    ]);
    const start = pages.start(query);
    const selection = {
      type,
      condition,
      keys,
      after:
        start.after &&
        (await valuesAtPosition(work.read, [{ type, keys }], start.after, ["query"])),
      offset: start.offset,
      limit: start.rows,
    };
    const [{ records, valuesAt, shown }, total] = await slowFilters.watch(type, selection, () =>
      Promise.all([
        listBounded(work, selection, { answers, hold, caller }),
        query.count === true ? totalOf(work, type, condition, caller) : undefined,
      ]),
    );
    const positionOf = ({ id }: StoredRecord, index: number) =>
      recordPosition(id, type, valuesAt(index));
    return {
      records: records.slice(0, shown),
      envelope: pages.envelope(start, { rows: records, positionOf, total, shown }),
    };
  }
}

function totalOf(
  work: Work,
  type: ReadableType,
  condition: Condition | undefined,
  caller: Caller | undefined,
): Promise<number> {
  return condition === undefined
    ? recordCount(work.read, type.workspaceId, type.number)
    : countRecords(work, type, condition, caller);
}

function sortKeys(
  sort: string | undefined,
  type: ReadableType,
  condition: Condition | undefined,
): readonly SortKey[] {
  const parsed = parseOrder(sort, type, condition);
  if (parsed.fault !== undefined) throw invalid([faultAt("query", ["sort"], parsed.fault)]);
  return parsed.keys;
}
