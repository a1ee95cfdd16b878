import { pointer } from "#contract/problems.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import type { JsonObject } from "#contract/values.ts";
import type { MergeableUnit } from "../../../database/database.ts";
import type { Facts, Work } from "../../../work/work.ts";
import type { MergedWrite } from "../../../work/works.ts";
import type { RecordWrite } from "../store/record-types.ts";
import { insertRecords, isOneInsert } from "../store/write/write-records.ts";
import { linkChange, revisionOf, type CompiledType } from "../../object-types/service.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import { indexedValues, keysOf } from "../../../fields/slots.ts";
import { Overtaken, requireType, underType } from "../current-type.ts";
import { duplicateAt, textOf, unwrapped, writtenText, type ShownRecord } from "../record.ts";
import { PatternTests } from "./pattern-tests.ts";
import { Outcomes, singleWrite, type WriteRequest } from "./outcomes.ts";
import { refuseMissingReferences } from "./references.ts";
import { checkedAsPermitted, defaultsOf, requireWritable } from "../rights/permitted-data.ts";
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

export interface MadeRecord {
  readonly id: string;
  readonly version: number;
  /** The JSON text of the record. */
  readonly text: string;
}

/** Writes checked records: 422 for a reference to nothing, 409 for a unique value that is taken. */
export type WriteCreations = MergedWrite<WriteUnit<CheckedItem>>;

const created = 201;

export class RecordCreations {
  readonly #services: WriteServices;
  readonly #write: WriteCreations;

  /** `write` replaces the write to this database, for a thread that only reads. */
  constructor(services: WriteServices, write?: WriteCreations) {
    this.#services = services;
    this.#write = write ?? services.merged(creationUnits);
  }

  /** `isWrapped`: the body is `{ data }`, also where the type has a property `data`. */
  single(
    work: Work,
    { workspaceId, slug }: WriteScope,
    body: JsonObject,
    remember?: (made: MadeRecord, facts: Facts) => void,
    isWrapped = false,
  ): Promise<MadeRecord> {
    return underType(work, this.#services.objectTypes, workspaceId, slug, async (type) => {
      const items = await this.#check(work, type, singleWrite(body), isWrapped);
      const { record } = onlyItem(items);
      const text = writtenText(items.view, record);
      const made = { id: record.id, version: record.version, text };
      await this.#write(work, (facts) => ({
        ...items,
        facts,
        remember: () => remember?.(made, facts),
      }));
      return made;
    });
  }

  batch(
    work: Work,
    { workspaceId, slug }: WriteScope,
    batch: WriteRequest<JsonObject>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
  ): Promise<BatchAnswer> {
    return underType(work, this.#services.objectTypes, workspaceId, slug, async (type) =>
      batchAnswer(work, await this.#check(work, type, batch), this.#write, remember),
    );
  }

  /** Writes a record that was checked under this revision of its type; else `Overtaken`. */
  async insert(
    work: Work,
    under: { readonly workspaceId: string; readonly slug: string; readonly revision: number },
    { requestId, ...write }: RecordWrite & { readonly requestId: string | undefined },
  ): Promise<void> {
    const type = await requireType(this.#services.objectTypes, under.workspaceId, under.slug);
    if (type.revision !== under.revision) throw new Overtaken();
    const checked = new Outcomes(singleWrite(write.record), created);
    const items = [{ ...write, index: 0, base: [], references: [] }];
    const { whole: view } = type;
    const unit = { type, view, items, references: undefined, checked, remember: () => {} };
    const origin = requestId === undefined ? {} : { request: requestId };
    await this.#write(work, (facts) => ({
      ...unit,
      facts: {
        event: (kind, subject, id, details) =>
          facts.event(kind, subject, id, { ...details, ...origin }),
        storable: (kind, subject, id, details) =>
          facts.storable(kind, subject, id, { ...details, ...origin }),
        stored: (change) => facts.stored(change),
      },
    }));
  }

  async #check(
    work: Work,
    type: CompiledType,
    request: WriteRequest<JsonObject>,
    isWrapped = request.isSingle !== true,
  ): Promise<CheckedItems<CheckedItem>> {
    const checked = new Outcomes(request, created);
    const tests = new PatternTests(type.workspaceId, request.piece);
    const { placeOf } = request;
    const entries = request.items.entries();
    const items = await this.checkAll(work, type, entries, { placeOf, checked, tests, isWrapped });
    return checkedItems(this.#services, work, type, items, checked);
  }

  /** The records to create at these places of a request; the others have their refusal. */
  async checkAll(
    work: Work,
    type: CompiledType,
    bodies: Iterable<readonly [index: number, body: JsonObject]>,
    { placeOf, checked, tests, isWrapped }: ItemChecks & { readonly isWrapped: boolean },
  ): Promise<CheckedItem[]> {
    const { ids, now } = this.#services;
    const date = now();
    const at = date.toISOString();
    const { caller } = work.scope;
    const rights = requireWritable(work, type);
    const before = rights === undefined ? {} : defaultsOf(type);
    const common = { created_at: at, updated_at: at, created_by: caller, updated_by: caller };
    const items: CheckedItem[] = [];
    const patterns = tests.budget;
    const ticks = new TickShare(type.workspaceId);
    for (const [index, body] of bodies) {
      if (ticks.isUsed) await ticks.begin();
      const { data, base: within } = unwrapped(type, body, isWrapped);
      const base = [...placeOf(index), ...within];
      let result: ShownRecord | undefined;
      checked.attempt(index, () => {
        result = checkedAsPermitted(rights, { data, base, before }, (known) =>
          type.check(known, { isCreation: true, base, patterns }),
        );
      });
      const testing = tests.run();
      if (testing !== undefined) await testing;
      checked.attempt(index, () => {
        if (result === undefined) return;
        const text = textOf(result, base);
        items.push({
          index,
          base,
          record: { id: ids.next(date), version: 1, data: text, ...common },
          keys: keysOf(type.columns, result.data),
          indexed: indexedValues(type.columns, result.data),
          entry: type.entryOf(result.data),
          links: linkChange(type.rules, {}, result.data),
          references: result.references,
        });
      });
    }
    return items;
  }
}

export const creationUnits: MergeableUnit<WriteUnit<CheckedItem>> = {
  isMergeable,
  weight: weightOf,
  async one(writer, unit) {
    const { type } = unit;
    const outcomes = unit.checked.copy();
    let items = await refuseMissingReferences(writer, unit, outcomes);
    // A merged statement has left it out, probably for a value that is taken. To see that before
    // the write leaves nothing to roll back.
    if (isMergeable(unit)) items = await refuseTaken(writer, unit, items, outcomes);
    outcomes.requireNoneFailed();
    const made = await insertRecords(writer, type, items, () => unit.facts);
    const left = items.filter(({ record }) => !made.has(record.id));
    if (left.length > 0) {
      const revision = await revisionOf(writer, type.workspaceId, type.number);
      if (revision !== type.revision) throw new Overtaken();
      for (const { index, base } of await refuseTaken(writer, unit, left, outcomes)) {
        outcomes.refuse(index, duplicateAt(pointer(...base)));
      }
    }
    endUnit(
      unit,
      outcomes,
      items.filter(({ record }) => made.has(record.id)),
    );
  },
  async all(writer, units) {
    const written = new Set<CheckedItem>();
    for (const [type, ofType] of Map.groupBy(units, (unit) => unit.type)) {
      const factsOf = new Map(ofType.map((unit) => [onlyItem(unit), unit.facts]));
      const items = [...factsOf.keys()];
      const made = await insertRecords(writer, type, items, (item) => factsIn(factsOf, item));
      for (const item of items) if (made.has(item.record.id)) written.add(item);
    }
    return endMergedUnits(units, written);
  },
  isOneStatement: (units) => {
    const [type, ...others] = new Set(units.map((unit) => unit.type));
    if (type === undefined || others.length > 0) return false;
    return isOneInsert(
      type,
      units.map((unit) => onlyItem(unit)),
    );
  },
};
