import { pointer, Refusal } from "#contract/problems.ts";
import type { BatchAnswer, BatchOperation } from "#contract/resources/batch.ts";
import { KeyedLock } from "../../../kit/turns/keyed-lock.ts";
import type { Facts, Transaction, Work } from "../../../work/work.ts";
import type { CompiledType } from "../../object-types/service.ts";
import { Overtaken, underType } from "../current-type.ts";
import { creationUnits, type RecordCreations } from "./create-records.ts";
import { underAllTypes } from "../delete/under-all-types.ts";
import type { DeletionScope, RecordDeletions } from "./delete-records.ts";
import { Outcomes, type WriteRequest } from "./outcomes.ts";
import { PatternTests } from "./pattern-tests.ts";
import { requireWritable } from "../rights/permitted-data.ts";
import { nameOf } from "./pieces.ts";
import { resolvedItems, type Placed, type ResolvedItem } from "./resolved-items.ts";
import {
  mergePatch,
  repeated,
  replacement,
  updateUnits,
  type RecordUpdates,
  type Update,
} from "./update-records.ts";
import {
  checkedItems,
  type CheckedItem,
  type CheckedItems,
  type WriteServices,
} from "./write-unit.ts";

interface Writers {
  readonly creations: RecordCreations;
  readonly updates: RecordUpdates;
  readonly deletions: RecordDeletions;
}

/** One item that has passed its checks. */
type Step =
  | { readonly kind: "create"; readonly index: number; readonly item: CheckedItem }
  | { readonly kind: "change"; readonly index: number; readonly item: Update }
  | { readonly kind: "delete"; readonly index: number; readonly item: Deletion };

type Deletion = Extract<ResolvedItem, { readonly op: "delete" }>;

interface CheckedBatch {
  readonly type: CompiledType;
  readonly steps: readonly Step[];
  readonly written: CheckedItems<CheckedItem>;
  /** The places of the values by which items are to create records. */
  readonly upserted: ReadonlySet<string>;
  /** True if a refused deletion may name the records that forbid it. */
  readonly mayRead?: boolean | undefined;
}

/** Runs at the end of a batch's transaction, with its outcomes; a failure rolls it back. */
export type WithinBatch = (tx: Transaction, answer: BatchAnswer) => Promise<void>;

/** Writes of several kinds in the order of their items, in one transaction. */
export class RecordBatches {
  /** Batches that were overtaken take turns, so that one of them proceeds. */
  readonly #overtaken = new KeyedLock();

  constructor(
    private readonly services: WriteServices,
    private readonly writers: Writers,
  ) {}

  run(
    work: Work,
    { workspaceId, slug, mayRead }: DeletionScope,
    request: WriteRequest<BatchOperation>,
    remember?: (answer: BatchAnswer, facts: Facts) => void,
    within?: WithinBatch,
  ): Promise<BatchAnswer> {
    let isFirst = true;
    return underType(work, this.services.objectTypes, workspaceId, slug, (type) => {
      const attempt = () =>
        this.#attempt(work, { type, mayRead }, request, async (tx, answer) => {
          remember?.(answer, tx);
          await within?.(tx, answer);
        });
      if (!isFirst) return this.#overtaken.run(`${workspaceId} ${slug}`, attempt);
      isFirst = false;
      return attempt();
    });
  }

  async #attempt(
    work: Work,
    { type, mayRead }: Pick<CheckedBatch, "type" | "mayRead">,
    request: WriteRequest<BatchOperation>,
    within: WithinBatch,
  ): Promise<BatchAnswer> {
    const batch = { ...(await this.#check(work, type, request)), mayRead };
    const { objectTypes } = this.services;
    try {
      return await underAllTypes(objectTypes, work, type.workspaceId, async (tx, types) => {
        const outcomes = await this.#write(tx, work, batch, types);
        const answer = outcomes.answer();
        await within(tx, answer);
        return answer;
      });
    } catch (error) {
      throw isOvertaken(error, batch.upserted) ? new Overtaken() : error;
    }
  }

  async #check(
    work: Work,
    type: CompiledType,
    request: WriteRequest<BatchOperation>,
  ): Promise<CheckedBatch> {
    const { placeOf, piece } = request;
    requireWritable(work, type);
    const statuses: number[] = [];
    const checked = new Outcomes(request, (index) => statuses[index] ?? 200);
    const resolved = await this.#namedOnce(work, type, request, checked);
    const tests = new PatternTests(type.workspaceId, piece);
    const { creations, updates } = this.writers;
    const places = { placeOf, checked, tests };
    const created = await creations.checkAll(
      work,
      type,
      resolved.flatMap(({ index, item }) =>
        item.op === "create" ? [[index, { data: item.data }] as const] : [],
      ),
      { ...places, isWrapped: true },
    );
    const changed = await updates.checkAll(
      work,
      type,
      resolved.flatMap(({ index, item }) =>
        item.op === "update" || item.op === "patch" ? [[index, item] as const] : [],
      ),
      { ...places, seen: new Set() },
      {
        rightsOf: requireWritable,
        next: (item, stored, check) =>
          (item.op === "patch" ? mergePatch(type) : replacement(type)).next(item, stored, check),
      },
    );
    const deleted = resolved.flatMap(({ index, item }): Step[] =>
      item.op === "delete" ? [{ kind: "delete", index, item }] : [],
    );
    const upserted = upsertPlaces(type, resolved, [...created, ...changed]);
    const steps = [
      ...created.map((item): Step => ({ kind: "create", index: item.index, item })),
      ...changed.map((item): Step => ({ kind: "change", index: item.index, item })),
      ...deleted,
    ].toSorted((one, other) => one.index - other.index);
    for (const { kind, index } of steps) statuses[index] = statusOf[kind];
    const items = steps.flatMap((step) => (step.kind === "delete" ? [] : [step.item]));
    const written = await checkedItems(this.services, work, type, items, checked);
    return { type, steps, written, upserted };
  }

  /** The items that name a record as the first of the batch; upserts look it up. */
  async #namedOnce(
    work: Work,
    type: CompiledType,
    { items, placeOf, piece }: WriteRequest<BatchOperation>,
    checked: Outcomes,
  ): Promise<readonly Placed<ResolvedItem>[]> {
    const seen = new Set(piece?.earlier);
    const isFirst = (name: string | undefined, index: number, member: string): boolean => {
      if (name !== undefined && seen.has(name)) {
        checked.refuse(index, repeated([...placeOf(index), member]));
        return false;
      }
      if (name !== undefined) seen.add(name);
      return true;
    };
    const memberOf = (index: number) => (items[index]?.op === "upsert" ? "value" : "id");
    const keyed = [...items.entries()].flatMap(([index, item]) =>
      item.op === "upsert" && !isFirst(nameOf(item), index, "value") ? [] : [{ index, item }],
    );
    const resolved = await resolvedItems(work, type, keyed, { placeOf, checked });
    return resolved.filter(({ index, item }) =>
      isFirst("id" in item ? item.id : undefined, index, memberOf(index)),
    );
  }

  async #write(
    tx: Transaction,
    work: Work,
    batch: CheckedBatch,
    types: readonly CompiledType[],
  ): Promise<Outcomes> {
    const { type, written, mayRead } = batch;
    let outcomes = written.checked.copy();
    const unitOf = <Item extends CheckedItem>(items: readonly Item[]) => ({
      type,
      view: written.view,
      items,
      references: referencesOf(items, written.references),
      checked: outcomes,
      facts: tx,
      remember: (after: Outcomes) => {
        outcomes = after;
      },
    });
    const touched = new Set<string>();
    for (const run of runsOf(batch.steps)) {
      if (run.kind === "create") {
        await creationUnits.one(tx, unitOf(run.items));
        const refusals = run.items.map(({ index }) => outcomes.refusalOf(index));
        if (refusals.some((refusal) => isOvertaken(refusal, batch.upserted))) throw new Overtaken();
      } else if (run.kind === "change") {
        // These were checked against the record from before the deletion.
        for (const { index, record } of run.items) {
          if (touched.has(record.id)) outcomes.refuse(index, changedByItem());
        }
        outcomes.requireNoneFailed();
        const items = run.items.filter(({ record }) => !touched.has(record.id));
        if (items.length > 0) await updateUnits.one(tx, unitOf(items));
      } else {
        const given = { type, types, mayRead };
        const { deletions } = this.writers;
        const ids = await deletions.within(tx, given, work, run.entries, outcomes);
        for (const id of ids) touched.add(id);
      }
    }
    return outcomes;
  }
}

function changedByItem(): Refusal {
  return new Refusal("conflict", {
    detail:
      "Cannot change this record: an earlier item of the batch deletes it, or a record that it " +
      "refers to; change it before that item, or in another batch",
  });
}

const statusOf = { create: 201, change: 200, delete: 204 } as const;

type Run =
  | { readonly kind: "create"; readonly items: CheckedItem[] }
  | { readonly kind: "change"; readonly items: Update[] }
  | { readonly kind: "delete"; readonly entries: (readonly [number, Deletion])[] };

/** Items of one kind that follow each other are written in one statement. */
function runsOf(steps: readonly Step[]): readonly Run[] {
  const runs: Run[] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (step.kind === "create") {
      if (last?.kind === "create") last.items.push(step.item);
      else runs.push({ kind: "create", items: [step.item] });
    } else if (step.kind === "change") {
      if (last?.kind === "change") last.items.push(step.item);
      else runs.push({ kind: "change", items: [step.item] });
    } else if (last?.kind === "delete") last.entries.push([step.index, step.item]);
    else runs.push({ kind: "delete", entries: [[step.index, step.item]] });
  }
  return runs;
}

/** The references of these items; an earlier item of the batch may delete the target of one. */
function referencesOf(
  items: readonly CheckedItem[],
  all: CheckedItems<CheckedItem>["references"],
): CheckedItems<CheckedItem>["references"] {
  const own = new Set(items.flatMap(({ references }) => references));
  if (own.size === 0) return undefined;
  return all?.map(({ type, uses }) => ({ type, uses: uses.filter((use) => own.has(use)) }));
}

/**
 * The places of the values of upserts that are to create a record, without those whose value an
 * earlier item of the batch sets.
 */
function upsertPlaces(
  type: CompiledType,
  resolved: readonly Placed<ResolvedItem>[],
  items: readonly CheckedItem[],
): ReadonlySet<string> {
  const upserts = new Map(
    resolved.flatMap(({ index, item }) =>
      item.op === "create" && item.upsertedBy !== undefined ? [[index, item.upsertedBy]] : [],
    ),
  );
  const places = new Set<string>();
  if (upserts.size === 0) return places;
  const firstIndexes = new Map<string, number>();
  for (const { index, keys } of items) {
    for (const [at, { slot }] of type.columns.entries()) {
      const key = keys[at];
      if (slot.kind !== "unique" || typeof key !== "string") continue;
      const name = `${slot.property} ${key}`;
      firstIndexes.set(name, Math.min(index, firstIndexes.get(name) ?? index));
    }
  }
  for (const { index, base, keys } of items) {
    const property = upserts.get(index);
    if (property === undefined) continue;
    const at = type.columns.findIndex(
      ({ slot }) => slot.kind === "unique" && slot.property === property,
    );
    const place = pointer(...base, property);
    const first = firstIndexes.get(`${property} ${String(keys[at])}`);
    if (first === undefined || first >= index) places.add(place);
  }
  return places;
}

/** True if another request has created a record that an item was to create. */
function isOvertaken(error: unknown, upserted: ReadonlySet<string>): boolean {
  return (
    error instanceof Refusal &&
    error.code === "already-exists" &&
    error.options.errors?.some((fault) => upserted.has(fault.pointer)) === true
  );
}
