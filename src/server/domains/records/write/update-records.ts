import type { PatternBudget, ReferenceUse } from "#contract/object-types/record-run.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { BatchAnswer, BatchUpdateItem } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import { requireMatch, type VersionMatch } from "../../../work/caller.ts";
import type { Facts, Work } from "../../../work/work.ts";
import type { MergedWrite } from "../../../work/works.ts";
import type { MergeableUnit, Writer } from "../../../database/database.ts";
import { KeyedLock } from "../../../kit/turns/keyed-lock.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import { changesSince } from "../store/history.ts";
import { changedNames, difference } from "../store/patch.ts";
import { droppedFiles } from "../store/record-files.ts";
import type { RecordChange, StoredRecord } from "../store/record-types.ts";
import { recordsByIds } from "../store/records.ts";
import type { Reporter } from "../store/write/record-events.ts";
import { updateRecords } from "../store/write/write-records.ts";
import { linkChange, type CompiledType } from "../../object-types/service.ts";
import { indexedValues, keysOf } from "../../../fields/slots.ts";
import { restorableUntil } from "../../../kit/limits.ts";
import { Overtaken, underType } from "../current-type.ts";
import { dataOf, textOf, versionConflict, type ShownRecord } from "../record.ts";
import { PatternTests } from "./pattern-tests.ts";
import { Outcomes, singleWrite, type WriteRequest } from "./outcomes.ts";
import { checkedPatch, checkedReplacement } from "./merged-data.ts";
import { newReferences, refuseMissingReferences } from "./references.ts";
import {
  checkedAsPermitted,
  readableNames,
  requireWritable,
  unreadableOf,
  type WriteRights,
} from "../rights/permitted-data.ts";
import { refuseTaken } from "./unique-values.ts";
import {
  batchAnswer,
  checkedItems,
  endMergedUnits,
  endUnit,
  factsIn,
  isMergeable,
  onlyItem,
  weightOf,
  type CheckedItem,
  type CheckedItems,
  type ItemChecks,
  type WriteScope,
  type WriteServices,
  type WriteUnit,
} from "./write-unit.ts";

/** Patches that are read to list the fields that changed since a version. */
const conflictPatches = 100;

interface Target {
  readonly id: string;
  /** The version that the change was made from; any if absent. */
  readonly version?: number | undefined;
  readonly ifMatch?: VersionMatch | undefined;
}

export interface RecordUpdate extends Target {
  /** The whole data of the next version. */
  readonly data: JsonObject;
  readonly version: number;
}

export interface RecordPatch extends Target {
  /** A JSON Merge Patch of the data (RFC 7396). */
  readonly data: JsonObject;
}

/** How a request changes records of a type. */
interface Edit<Item> {
  /** The operation's name in the history; `update` if absent. */
  readonly operation?: string;
  /** The rights of the caller; refuses 403 where they may not write records of the type. */
  rightsOf(work: Work, type: CompiledType): WriteRights | undefined;
  next(item: Item, stored: JsonObject, check: NextCheck): NextData;
}

/** How the next data is checked. */
export interface NextCheck {
  readonly base: readonly (string | number)[];
  readonly patterns: PatternBudget;
  readonly rights: WriteRights | undefined;
}

export interface NextData {
  readonly checked: ShownRecord;
  /** References outside the data, all of which must lead to a record. */
  readonly references?: readonly ReferenceUse[];
}

export interface Update extends CheckedItem, RecordChange {
  readonly data: JsonObject;
}

export class RecordUpdates {
  readonly #services: WriteServices;
  readonly #write: MergedWrite<WriteUnit<Update>>;
  /** Changes of any version would overtake each other until all attempts are used up. */
  readonly #unguarded = new KeyedLock();

  constructor(services: WriteServices) {
    this.#services = services;
    this.#write = services.merged(updateUnits);
  }

  /** Changes one record by the edit that `editOf` makes for its type. */
  single<Item extends Target>(
    work: Work,
    { workspaceId, slug }: WriteScope,
    item: Item,
    editOf: (type: CompiledType) => Edit<NoInfer<Item>>,
    remember?: (resource: Resource, facts: Facts) => void,
  ): Promise<Resource> {
    const attempts = () =>
      underType(work, this.#services.objectTypes, workspaceId, slug, (type) =>
        this.#change(work, type, item, editOf(type), remember),
      );
    return item.version === undefined && item.ifMatch === undefined
      ? this.#unguarded.run(item.id, attempts)
      : attempts();
  }

  async #change<Item extends Target>(
    work: Work,
    type: CompiledType,
    item: Item,
    edit: Edit<NoInfer<Item>>,
    remember?: (resource: Resource, facts: Facts) => void,
  ): Promise<Resource> {
    const items = await this.#check(work, type, singleWrite(item), edit);
    const { record, data } = onlyItem(items);
    const resource = { ...record, type: type.slug, data: items.view.inOrder(data) };
    await this.#write(work, (facts) => ({
      ...items,
      facts,
      remember: () => remember?.(resource, facts),
    }));
    return resource;
  }

  batch(
    work: Work,
    { workspaceId, slug }: WriteScope,
    batch: WriteRequest<BatchUpdateItem>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
  ): Promise<BatchAnswer> {
    return underType(work, this.#services.objectTypes, workspaceId, slug, async (type) => {
      const items = await this.#check(work, type, batch, replacement(type));
      return batchAnswer(work, items, this.#write, remember);
    });
  }

  async #check<Item extends Target>(
    work: Work,
    type: CompiledType,
    request: WriteRequest<Item>,
    edit: Edit<NoInfer<Item>>,
  ): Promise<CheckedItems<Update>> {
    const checked = new Outcomes(request, 200);
    const items = await this.checkAll(
      work,
      type,
      [...request.items.entries()],
      {
        placeOf: request.placeOf,
        checked,
        tests: new PatternTests(type.workspaceId, request.piece),
        seen: new Set(request.piece?.earlier),
      },
      edit,
    );
    return checkedItems(this.#services, work, type, items, checked);
  }

  /** The changes at these places of a request; the others have their refusal. */
  async checkAll<Item extends Target>(
    work: Work,
    type: CompiledType,
    entries: readonly (readonly [index: number, item: Item])[],
    { placeOf, checked, tests, seen }: ItemChecks & { readonly seen: Set<string> },
    edit: Edit<NoInfer<Item>>,
  ): Promise<Update[]> {
    const { now, trashDays } = this.#services;
    const { caller: oid } = work.scope;
    const rights = edit.rightsOf(work, type);
    const ids = entries.map(([, { id }]) => id);
    const present = await recordsByIds(work.read, type, ids);
    const date = now();
    const at = date.toISOString();
    const keepUntil = restorableUntil(date, trashDays);
    const items: Update[] = [];
    const stale: { index: number; current: StoredRecord; version: number }[] = [];
    const ticks = new TickShare(type.workspaceId);
    for (const [index, item] of entries) {
      if (ticks.isUsed) await ticks.begin();
      let found: { readonly current: StoredRecord; readonly stored: JsonObject } | undefined;
      let nextData: NextData | undefined;
      const base = [...placeOf(index), "data"];
      checked.attempt(index, () => {
        const { id, ifMatch, version } = item;
        const current = present.get(id);
        if (current === undefined) throw new Refusal("not-found");
        if (seen.has(id)) throw repeated([...placeOf(index), "id"]);
        seen.add(id);
        requireMatch(ifMatch, current.version);
        if (version !== undefined && version !== current.version) {
          stale.push({ index, current, version });
          return;
        }
        found = { current, stored: dataOf(type, current) };
        nextData = edit.next(item, found.stored, { base, patterns: tests.budget, rights });
      });
      const testing = tests.run();
      if (testing !== undefined) await testing;
      checked.attempt(index, () => {
        if (found === undefined || nextData === undefined) return;
        const { current, stored } = found;
        const { checked: result, references = [] } = nextData;
        const next = { current, stored, checked: result, base, at, oid, keepUntil };
        const change = nextVersion(type, next);
        const added = newReferences(type, stored, result.references);
        items.push({
          ...change,
          index,
          base,
          operation: edit.operation,
          references: references.length === 0 ? added : [...references, ...added],
          data: result.data,
        });
      });
    }
    for (const { index, current, version } of stale) {
      checked.refuse(index, await conflictSince(work, type, current, version));
    }
    return items;
  }
}

export function replacement(type: CompiledType): Edit<{ readonly data: JsonObject }> {
  return {
    rightsOf: requireWritable,
    next: ({ data }, stored, { base, patterns, rights }) => ({
      checked: checkedAsPermitted(rights, { data, base, before: stored }, (given) => {
        const kept = unreadableOf(rights, stored, given);
        return checkedReplacement(type, given, kept, { isCreation: false, base, stored, patterns });
      }),
    }),
  };
}

export function mergePatch(type: CompiledType): Edit<{ readonly data: JsonObject }> {
  return {
    rightsOf: requireWritable,
    next: ({ data }, stored, { base, patterns, rights }) => ({
      checked: checkedAsPermitted(rights, { data, base, before: stored }, (patch) =>
        checkedPatch(type, patch, { isCreation: false, base, stored, patterns }),
      ),
    }),
  };
}

/** The next version of a record, to be written: 422 with every fault of the data, 413. */
export function nextVersion(
  type: CompiledType,
  next: {
    readonly current: StoredRecord;
    /** The parsed data of `current`. */
    readonly stored: JsonObject;
    readonly checked: ShownRecord;
    readonly base: readonly (string | number)[];
    readonly at: string;
    readonly oid: string;
    readonly keepUntil: string | undefined;
  },
): RecordChange {
  const { current, stored, checked, base, at, oid, keepUntil } = next;
  const data = textOf(checked, base);
  const version = current.version + 1;
  return {
    record: { ...current, version, data, updated_at: at, updated_by: oid },
    keys: keysOf(type.columns, checked.data),
    indexed: indexedValues(type.columns, checked.data),
    indexedBefore: indexedValues(type.columns, stored),
    entry: type.entryOf(checked.data, stored),
    links: linkChange(type.rules, stored, checked.data),
    changes: difference(stored, checked.data),
    keepUntil,
  };
}

export const updateUnits: MergeableUnit<WriteUnit<Update>> = {
  // The removal of a file reads the files of other records, and links take further statements.
  isMergeable: (unit) =>
    isMergeable(unit) &&
    unit.items.every(
      ({ changes, links }) => links === undefined && droppedFiles(changes).length === 0,
    ),
  weight: weightOf,
  async one(writer, unit) {
    const { type } = unit;
    const outcomes = unit.checked.copy();
    const items = await refuseMissingReferences(writer, unit, outcomes);
    outcomes.requireNoneFailed();
    const { plain = [], moving = [] } = Object.groupBy(items, (item) =>
      movesUniqueValue(type, item) ? "moving" : "plain",
    );
    await requireUpdated(writer, unit, plain);
    const written = [...plain];
    // One at a time: a change may free the value that a later one takes.
    for (const item of moving) {
      const free = await refuseTaken(writer, unit, [item], outcomes);
      await requireUpdated(writer, unit, free);
      written.push(...free);
    }
    endUnit(unit, outcomes, written);
  },
  async all(writer, units) {
    const written = new Set<Update>();
    for (const [type, ofType] of Map.groupBy(units, (unit) => unit.type)) {
      // One of several next versions of a record is written; it overtakes the others.
      const byId = new Map<string, Update>();
      const factsOf = new Map<Update, Reporter>();
      for (const unit of ofType) {
        const item = onlyItem(unit);
        byId.set(item.record.id, item);
        factsOf.set(item, unit.facts);
      }
      // All transactions use one order, so that two never wait for each other.
      const items = [...byId.values()].toSorted(byRecordId);
      const updated = await updateRecords(writer, type, items, (item) => factsIn(factsOf, item));
      for (const item of items) if (updated.has(item.record.id)) written.add(item);
    }
    return endMergedUnits(units, written);
  },
  // The events are a second statement.
  isOneStatement: () => false,
};

function byRecordId({ record: one }: Update, { record: other }: Update): number {
  return one.id < other.id ? -1 : 1;
}

async function requireUpdated(
  writer: Writer,
  { type, facts }: WriteUnit<Update>,
  items: readonly Update[],
): Promise<void> {
  const updated = await updateRecords(writer, type, items, () => facts);
  if (updated.size < items.length) throw new Overtaken();
}

/** A column that is still being filled may have no key of the record yet. */
function movesUniqueValue({ columns }: CompiledType, { changes }: Update): boolean {
  const changed = changedNames(changes);
  return columns.some(
    ({ slot }) =>
      slot.kind === "unique" && (slot.state === "building" || changed.includes(slot.property)),
  );
}

/** 409 for a version that is not the current one, with the fields that changed since. */
async function conflictSince(
  work: Work,
  type: CompiledType,
  current: StoredRecord,
  version: number,
): Promise<Refusal> {
  const changes = await changesSince(work.read, type, current.id, version, conflictPatches);
  return versionConflict(current.version, readableNames(work, type, changedNames(changes)));
}

/** 422 for the second item of a batch that names a record. */
export function repeated(place: readonly (string | number)[]): Refusal {
  const fault = { pointer: pointer(...place), detail: "is given twice in this batch" };
  return new Refusal("validation-failed", {
    detail: `${fault.pointer} ${fault.detail}`,
    errors: [fault],
  });
}
