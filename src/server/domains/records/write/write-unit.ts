import type { BatchAnswer } from "#contract/resources/batch.ts";
import type { ReferenceUse } from "#contract/object-types/record-run.ts";
import type { Database } from "../../../database/database.ts";
import type { Facts, Work } from "../../../work/work.ts";
import type { MergedWrite, Works } from "../../../work/works.ts";
import type { Reporter } from "../store/write/record-events.ts";
import type { RecordWrite } from "../store/record-types.ts";
import type { CompiledType, ObjectTypeService, ReadableType } from "../../object-types/service.ts";
import { Overtaken, readableIn } from "../current-type.ts";
import type { SearchWords } from "../../../search-index/word-list.ts";
import type { Outcomes } from "./outcomes.ts";
import type { PatternTests } from "./pattern-tests.ts";
import { resolveReferences, type ResolvedReferences } from "./references.ts";

/*
 * Every write of records takes three steps: the checks of its items, a unit that writes those that
 * passed, and the outcome of each item. A single record is a batch of one.
 */

export interface WriteServices {
  readonly merged: Works["merged"];
  readonly ids: Database["ids"];
  readonly objectTypes: ObjectTypeService;
  readonly words: SearchWords;
  readonly now: () => Date;
  /** Days for which what is deleted can be restored. */
  readonly trashDays: number;
}

/** The type whose records are written. */
export interface WriteScope {
  readonly workspaceId: string;
  readonly slug: string;
}

/** Where the checks of a request's items note what they find. */
export interface ItemChecks {
  /** The path of an item in the body, for pointers. */
  placeOf(index: number): readonly (string | number)[];
  readonly checked: Outcomes;
  readonly tests: PatternTests;
}

export interface CheckedItem extends RecordWrite {
  /** The place of the record in the request. */
  readonly index: number;
  /** The place of the record's data in the body. */
  readonly base: readonly (string | number)[];
  /** References that must lead to a record. */
  readonly references: readonly ReferenceUse[];
}

/** The items of one request that have passed their checks and only have to be written. */
export interface CheckedItems<Item extends CheckedItem> {
  readonly type: CompiledType;
  /** The type as the caller may read it. */
  readonly view: ReadableType;
  readonly items: readonly Item[];
  /** Undefined when no item refers to a record. */
  readonly references: ResolvedReferences | undefined;
  /** With the refusals of the checks. */
  readonly checked: Outcomes;
}

export interface WriteUnit<Item extends CheckedItem> extends CheckedItems<Item> {
  /** Takes the events of the unit. */
  readonly facts: Reporter;
  /** Called at the end of the unit, to keep the answer in its transaction. */
  readonly remember: (outcomes: Outcomes) => void;
}

/** Throws the request's refusal, or `Overtaken` when the definition is no longer current. */
export async function checkedItems<Item extends CheckedItem>(
  { objectTypes, words }: Pick<WriteServices, "objectTypes" | "words">,
  work: Work,
  type: CompiledType,
  items: readonly Item[],
  checked: Outcomes,
): Promise<CheckedItems<Item>> {
  checked.requireNoneFailed();
  if (checked.hasRefusals && (await objectTypes.isOutdated(type))) throw new Overtaken();
  const uses = items.flatMap((item) => item.references);
  const references =
    uses.length === 0 ? undefined : await resolveReferences(work, objectTypes, type, uses);
  const noted = words.note(
    type.workspaceId,
    items.map(({ entry }) => entry),
  );
  if (noted !== undefined) await noted;
  return { type, view: readableIn(work, type), items, references, checked };
}

export function onlyItem<Item extends CheckedItem>({ items: [item] }: CheckedItems<Item>): Item {
  if (item === undefined) throw new TypeError("Cannot write without an item");
  return item;
}

export async function batchAnswer<Item extends CheckedItem>(
  work: Work,
  items: CheckedItems<Item>,
  write: MergedWrite<WriteUnit<Item>>,
  remember?: (answer: BatchAnswer, facts: Facts) => void,
): Promise<BatchAnswer> {
  let outcomes = items.checked;
  await write(work, (facts) => ({
    ...items,
    facts,
    remember(written) {
      outcomes = written;
      remember?.(written.answer(), facts);
    },
  }));
  return outcomes.answer();
}

/** Ends a unit whose items were written; refuses it when another item fails it. */
export function endUnit<Item extends CheckedItem>(
  { remember }: WriteUnit<Item>,
  outcomes: Outcomes,
  written: readonly Item[],
): void {
  for (const { index, record } of written) outcomes.succeed(index, record);
  outcomes.requireNoneFailed();
  remember(outcomes);
}

/** True if a unit may be written together with others: it reads nothing that they write. */
export function isMergeable({ items, references }: WriteUnit<CheckedItem>): boolean {
  return items.length === 1 && references === undefined;
}

/** Ends units of one item each that were written together; returns for each whether it was. */
export function endMergedUnits<Item extends CheckedItem>(
  units: readonly WriteUnit<Item>[],
  written: ReadonlySet<CheckedItem>,
): boolean[] {
  return units.map((unit) => {
    const item = onlyItem(unit);
    const isWritten = written.has(item);
    if (isWritten) endUnit(unit, unit.checked.copy(), [item]);
    return isWritten;
  });
}

/** The facts of the unit that writes an item. */
export function factsIn<Item>(all: ReadonlyMap<Item, Reporter>, item: Item): Reporter {
  const facts = all.get(item);
  if (facts === undefined) throw new TypeError("this item belongs to no unit");
  return facts;
}

export function weightOf({ items }: WriteUnit<CheckedItem>): number {
  return items.reduce((sum, { record }) => sum + record.data.length, 0);
}
