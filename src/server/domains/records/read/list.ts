import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { ResourceListQuery } from "#contract/resources/reads/selection.ts";
import type { Caller } from "../../../work/caller.ts";
import type { Work } from "../../../work/work.ts";
import type { AnswerBudget, AnswerHold } from "../../../kit/answer-budget.ts";
import { faultAt, invalid } from "../../../kit/faults.ts";
import {
  recordCount,
  type ObjectTypeService,
  type ReadableType,
} from "../../object-types/service.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { countRecords } from "../store/read/record-pages.ts";
import type { Projection } from "../store/read/projection.ts";
import { nameOfKey, parseOrder, type SortKey } from "../store/read/sort.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { ListCursors } from "../../../kit/lists/cursors.ts";
import { ListPages, type ListEnvelope } from "../../../kit/lists/pages.ts";
import { TextPieces } from "../../../kit/lists/json-text.ts";
import { whereOf } from "../../../kit/lists/parameters.ts";
import { listBounded, type BoundedRecords } from "./bounded-page.ts";
import { recordPosition, valuesAtPosition } from "./record-positions.ts";
import { addResources, parsedRecords } from "../record.ts";
import { addExpanded, selected, selectionOf } from "./selection.ts";
import type { SlowFilters } from "./slow-filters.ts";

/** Lists of a type's records, by the list conventions of the interface. */
export class ResourceList {
  constructor(
    private readonly parts: {
      readonly objectTypes: ObjectTypeService;
      readonly cursors: ListCursors;
      readonly slowFilters: SlowFilters;
      readonly answers: AnswerBudget;
    },
  ) {}

  async page(
    work: Work,
    type: ReadableType,
    query: ResourceListQuery,
    caller?: Caller,
  ): Promise<ListBody<Resource>> {
    const { objectTypes, answers } = this.parts;
    const selection = await selectionOf(objectTypes, work, [type], query, "query");
    return answers.during(type.workspaceId, async (hold) => {
      const { records, envelope } = await this.#read(work, type, query, {
        caller,
        hold,
        projection: selection.projection,
      });
      const found = await parsedRecords(type, records);
      const signal = caller?.signal ?? neverAborted;
      const bounds = { hold, signal, place: "query" } as const;
      return { items: await selected(objectTypes, work, selection, found, bounds), ...envelope };
    });
  }

  /** The JSON text of {@link page}, in pieces. */
  async pageText(
    work: Work,
    type: ReadableType,
    query: ResourceListQuery,
    caller: Caller,
  ): Promise<readonly string[]> {
    const { objectTypes, answers } = this.parts;
    const selection = await selectionOf(objectTypes, work, [type], query, "query");
    return answers.during(type.workspaceId, async (hold) => {
      const reading = { caller, hold, projection: selection.projection };
      const { records, envelope } = await this.#read(work, type, query, reading);
      const pieces = new TextPieces();
      pieces.add(`{"items":[`);
      if (selection.expansions.length === 0) addResources(pieces, type, records);
      else {
        // The signal is made when it is read, which has a price.
        const bounds = { hold, signal: caller.signal, place: "query" } as const;
        await addExpanded(pieces, objectTypes, work, selection, { type, records }, bounds);
      }
      pieces.add(`],${JSON.stringify(envelope).slice(1)}`);
      return pieces.end();
    });
  }

  async #read(
    work: Work,
    type: ReadableType,
    query: ResourceListQuery,
    { caller, hold, projection }: PageReading,
  ): Promise<{ records: readonly StoredRecord[]; envelope: ListEnvelope }> {
    const { cursors, slowFilters, answers } = this.parts;
    const condition =
      query.where === undefined
        ? undefined
        : requireCondition(whereOf(query.where), ["query", "where"], [type]);
    const keys = sortKeys(query, type, condition);
    const pages = new ListPages(cursors, [
      "resources",
      type.workspaceId,
      type.number,
      keys.map(nameOfKey),
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
      projection,
    };
    const page = (): Promise<BoundedRecords> =>
      listBounded(work, selection, { answers, hold, caller });
    const [{ records, valuesAt, shown }, total] =
      query.count === true
        ? await slowFilters.watch(type, selection, () =>
            Promise.all([page(), totalOf(work, type, condition, caller)]),
          )
        : [await slowFilters.watch(type, selection, page), undefined];
    const positionOf = ({ id }: StoredRecord, index: number) =>
      recordPosition(id, type, valuesAt(index));
    return {
      records: records.slice(0, shown),
      envelope: pages.envelope(start, { rows: records, positionOf, total, shown }),
    };
  }
}

interface PageReading {
  readonly caller: Caller | undefined;
  readonly hold: AnswerHold;
  readonly projection: Projection | undefined;
}

const neverAborted = new AbortController().signal;

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
  { sort, collation }: ResourceListQuery,
  type: ReadableType,
  condition: Condition | undefined,
): readonly SortKey[] {
  const parsed = parseOrder(sort, type, condition, collation);
  if (parsed.fault !== undefined) throw invalid([faultAt("query", ["sort"], parsed.fault)]);
  return parsed.keys;
}
