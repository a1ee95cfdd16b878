import { maximumPageBytes } from "#contract/limits.ts";
import { maximumExpanded } from "#contract/resources/reads/selection.ts";
import type { Expansion as Expansions } from "#contract/resources/record.ts";
import type { JsonObject } from "#contract/values.ts";
import { ownMember } from "#lib/own-member.ts";
import type { AnswerHold } from "../../../kit/answer-budget.ts";
import { faultAt, invalid, type Place } from "../../../kit/faults.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import type { Work } from "../../../work/work.ts";
import {
  readableFields,
  type ObjectTypeService,
  type ReadableType,
} from "../../object-types/service.ts";
import { resourceOf, resourceText } from "../record.ts";
import { recordsWithin, referringRecords, type BoundedRecord } from "../store/read/expansions.ts";
import { scannerOf } from "../store/read/scans.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { requireCondition } from "../where/record-filter.ts";
import type { Expansion } from "./expansion-names.ts";

/** A record that is read, whose references are followed. */
export interface Expandable {
  readonly type: ReadableType;
  readonly id: string;
  readonly data: JsonObject;
  /** Length of its data's JSON text. */
  readonly dataLength: number;
}

/** Makes the form in which the answer has a record: the record itself, or its JSON text. */
type Shown<Shape> = (type: ReadableType, record: StoredRecord) => Shape;

/** The records of one name of `expand`. */
type Expanded<Shape> = Shape | null | { items: (Shape | null)[]; total: number };

/** A record that an expansion has found. */
interface Found<Shape> {
  readonly id: string;
  readonly shown: Shape;
  readonly dataLength: number;
}

interface Bounds {
  readonly hold: AnswerHold;
  readonly signal: AbortSignal;
  /** The part of the request that has `expand`. */
  readonly place: Place;
}

/** Records that one statement looks up on the readers of short reads. */
const shortLookup = 500;
/** Records to which the references of one page may lead. */
const maximumTargets = 10_000;

/** The member `expanded` of each record. */
export function expandRecords(
  objectTypes: ObjectTypeService,
  work: Work,
  expansions: readonly Expansion[],
  records: readonly Expandable[],
  bounds: Bounds,
): Promise<Record<string, Expansions>[]> {
  return expand(objectTypes, work, { expansions, shown: resourceOf }, records, bounds);
}

/** The JSON texts of {@link expandRecords}, made without parsing the records that it finds. */
export async function expandedTexts(
  objectTypes: ObjectTypeService,
  work: Work,
  expansions: readonly Expansion[],
  records: readonly Expandable[],
  bounds: Bounds,
): Promise<string[]> {
  const shown = resourceText;
  const expanded = await expand(objectTypes, work, { expansions, shown }, records, bounds);
  return expanded.map((names) => {
    const members = Object.entries(names).map(
      ([name, found]) => `${JSON.stringify(name)}:${expansionText(found)}`,
    );
    return `{${members.join()}}`;
  });
}

function expansionText(expanded: Expanded<string>): string {
  if (expanded === null || typeof expanded === "string") return expanded ?? "null";
  const items = expanded.items.map((item) => item ?? "null");
  return `{"items":[${items.join()}],"total":${expanded.total}}`;
}

/** All references are followed in one statement, and each `type.reference` takes one more. */
async function expand<Shape>(
  objectTypes: ObjectTypeService,
  work: Work,
  {
    expansions,
    shown,
  }: { readonly expansions: readonly Expansion[]; readonly shown: Shown<Shape> },
  records: readonly Expandable[],
  bounds: Bounds,
): Promise<Record<string, Expanded<Shape>>[]> {
  const [first] = records;
  if (first === undefined) return [];
  const { workspaceId } = first.type;
  const ownBytes = records.reduce((sum, { dataLength }) => sum + dataLength, 0);
  bounds.hold.need(ownBytes + maximumPageBytes);
  const reading = new ExpandedReads(work, { objectTypes, workspaceId, shown }, bounds);
  const expanded = records.map((): Record<string, Expanded<Shape>> => ({}));
  const forward = expansions.filter((one) => one.kind === "forward");
  const found = await reading.targets(idsByType(forward, records));
  for (const { name, references } of forward) {
    for (const [at, { type, data }] of records.entries()) {
      const reference = references.get(type);
      const into = expanded[at];
      if (reference === undefined || into === undefined) continue;
      const recordOf = (id: string) => reading.sent(found.get(reference.target)?.get(id));
      const ids = idsIn(data, name);
      const [one] = ids;
      if (reference.isList) {
        const items = ids.slice(0, maximumExpanded).map(recordOf);
        into[name] = { items, total: ids.length };
      } else into[name] = one === undefined ? null : recordOf(one);
    }
  }
  for (const expansion of expansions) {
    if (expansion.kind !== "backward") continue;
    const targets = records.filter(({ type }) => type.slug === expansion.reference.target);
    const referring = await reading.referring(expansion, targets);
    for (const [at, { type, id }] of records.entries()) {
      const into = expanded[at];
      if (type.slug !== expansion.reference.target || into === undefined) continue;
      into[expansion.name] = referring.get(id) ?? { items: [], total: 0 };
    }
  }
  bounds.hold.need(ownBytes + reading.bytes);
  return expanded;
}

/** The ids in a value of a reference, of a list of references, or of links. */
function idsIn(data: JsonObject, name: string): readonly string[] {
  const value = ownMember(data, name);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((id) => typeof id === "string");
}

function idsByType(
  forward: readonly Extract<Expansion, { readonly kind: "forward" }>[],
  records: readonly Expandable[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map<string, Set<string>>();
  for (const { name, references } of forward) {
    for (const { type, data } of records) {
      const target = references.get(type)?.target;
      if (target === undefined) continue;
      const ofType = ids.get(target) ?? new Set();
      ids.set(target, ofType);
      for (const id of idsIn(data, name).slice(0, maximumExpanded)) ofType.add(id);
    }
  }
  return ids;
}

function isWhole(record: BoundedRecord): record is StoredRecord {
  return record.data !== null;
}

/** The reads of one page's expansions, which share a number of bytes. */
class ExpandedReads<Shape> {
  /** Bytes of the answer: a record that is read once may be in it many times. */
  bytes = 0;

  constructor(
    private readonly work: Work,
    private readonly parts: {
      readonly objectTypes: ObjectTypeService;
      readonly workspaceId: string;
      readonly shown: Shown<Shape>;
    },
    private readonly bounds: Bounds,
  ) {}

  /** The records with these ids by the slug of their type; 422 where they are too many. */
  async targets(
    idsByType: ReadonlyMap<string, ReadonlySet<string>>,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, Found<Shape>>>> {
    const count = [...idsByType.values()].reduce((sum, { size }) => sum + size, 0);
    if (count > maximumTargets) throw this.#tooMuch(`leads to more than ${maximumTargets} records`);
    const found = new Map<string, Map<string, Found<Shape>>>();
    const types = new Map<number, ReadableType>();
    for (const [slug, ids] of idsByType) {
      const { objectTypes, workspaceId } = this.parts;
      const target = ids.size === 0 ? undefined : await objectTypes.find(workspaceId, slug);
      const type = target && readableFields(this.work, target);
      if (type !== undefined) types.set(type.number, type);
    }
    const [first] = types.values();
    if (first === undefined) return found;
    const ids = new Set(
      [...types.values()].flatMap(({ slug }) => [...(idsByType.get(slug) ?? [])]),
    );
    const reader = ids.size <= shortLookup ? this.work.read : this.#scanner(first);
    const { workspaceId } = first;
    const sources = [...types.values()];
    const rows = await recordsWithin(reader, workspaceId, sources, [...ids], this.#bytesLeft);
    const ticks = new TickShare(workspaceId);
    for (const row of rows) {
      await ticks.yieldWhenUsed();
      const type = types.get(row.type_number);
      if (type === undefined) continue;
      const record = this.#found(type, row);
      if (record === undefined) throw this.#tooManyBytes();
      const ofType = found.get(type.slug) ?? new Map<string, Found<Shape>>();
      found.set(type.slug, ofType.set(record.id, record));
    }
    return found;
  }

  /** The records that refer to each of the targets; fewer where they have too many bytes. */
  async referring(
    { source, property, reference }: Extract<Expansion, { readonly kind: "backward" }>,
    targets: readonly Expandable[],
  ): Promise<ReadonlyMap<string, { items: Shape[]; total: number }>> {
    const found = new Map<string, { items: Shape[]; total: number }>();
    if (targets.length === 0) return found;
    const ids = targets.map(({ id }) => id);
    const rows = await referringRecords(
      this.#scanner(source),
      {
        type: source,
        name: property,
        isList: reference.isList || source.mayHoldLists.has(property),
        condition: requireCondition({ [property]: { $in: ids } }, ["expand"], [source]),
      },
      ids,
      { limit: maximumExpanded, bytes: this.#bytesLeft },
    );
    for (const row of rows) {
      const ofTarget = found.get(row.target) ?? { items: [], total: Number(row.total) };
      found.set(row.target, ofTarget);
      const record = this.#found(source, row);
      if (record === undefined) continue;
      ofTarget.items.push(record.shown);
      this.bytes += record.dataLength;
    }
    return found;
  }

  /** Counts a record each time that the answer has it; 422 where it has too many bytes. */
  sent(record: Found<Shape> | undefined): Shape | null {
    if (record === undefined) return null;
    this.bytes += record.dataLength;
    if (this.bytes > maximumPageBytes) throw this.#tooManyBytes();
    return record.shown;
  }

  get #bytesLeft(): number {
    return Math.max(0, maximumPageBytes - this.bytes);
  }

  #scanner(type: ReadableType) {
    return scannerOf(this.work, type, { signal: this.bounds.signal });
  }

  #found(type: ReadableType, record: BoundedRecord): Found<Shape> | undefined {
    if (!isWhole(record)) return undefined;
    const { id, data } = record;
    return { id, shown: this.parts.shown(type, record), dataLength: data.length };
  }

  #tooManyBytes() {
    return this.#tooMuch(`leads to records of more than ${maximumPageBytes} bytes`);
  }

  #tooMuch(words: string) {
    return invalid([
      faultAt(this.bounds.place, ["expand"], `${words}: read fewer records at once`),
    ]);
  }
}
