import type { Fault } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { notAProperty } from "../../../fields/path-fields.ts";
import type { AnswerHold } from "../../../kit/answer-budget.ts";
import { faultAt, invalid, type Place } from "../../../kit/faults.ts";
import type { TextPieces } from "../../../kit/lists/json-text.ts";
import type { Work } from "../../../work/work.ts";
import type { ReadableType, ObjectTypeService } from "../../object-types/service.ts";
import {
  memberNames,
  projectionOf,
  type FieldChoice,
  type Projection,
} from "../store/read/projection.ts";
import { addResources } from "../record.ts";
import type { StoredRecord } from "../store/record-types.ts";
import { expandedTexts, expandRecords, type Expandable } from "./expand.ts";
import { expansionFault, parseExpansion, type Expansion } from "./expansion-names.ts";

/** The parts of records that a request names. */
export interface Wanted {
  readonly fields?: string | undefined;
  readonly expand?: string | undefined;
}

export interface Selection {
  /** The properties that the answer has; all if absent. */
  readonly choice: FieldChoice | undefined;
  /** The columns to read, which include the references that are followed. */
  readonly projection: Projection | undefined;
  readonly expansions: readonly Expansion[];
}

/** `fields` and `expand` of reads of these types; 422 for a name that none of them has. */
export async function selectionOf(
  objectTypes: ObjectTypeService,
  work: Work,
  types: readonly ReadableType[],
  { fields, expand }: Wanted,
  place: Place,
): Promise<Selection> {
  const part = fields === undefined ? undefined : partOf(types, fields, place);
  if (expand === undefined) {
    return { choice: part?.choice, projection: part?.projection, expansions: [] };
  }
  const expansions: Expansion[] = [];
  const faults: Fault[] = [];
  for (const name of new Set(expand.split(","))) {
    const expansion = await parseExpansion(objectTypes, work, types, name);
    if (expansion === undefined) faults.push(faultAt(place, ["expand"], expansionFault(name)));
    else expansions.push(expansion);
  }
  if (faults.length > 0) throw invalid(faults);
  const followed = expansions.flatMap(({ kind, name }) => (kind === "forward" ? [name] : []));
  const choice = part?.choice;
  const read = choice && withNames(choice, followed);
  return { choice, projection: read && projectionOf(read), expansions };
}

/** The properties that `fields` names, and the columns which they need. */
interface Part {
  readonly choice: FieldChoice;
  readonly projection: Projection;
}

/** The parts that requests for one type have named; callers repeat the same few. */
const parts = new WeakMap<ReadableType, Map<string, Part>>();
const partsOfType = 32;

/** The part of a record that `fields` names; 422 for a name that none of the types has. */
export function partOf(types: readonly ReadableType[], fields: string, place: Place): Part {
  const [type] = types;
  const isKept = type !== undefined && types.length === 1;
  const known = isKept ? parts.get(type) : undefined;
  const found = known?.get(fields);
  if (found !== undefined) return found;
  const choice = choiceOf(types, fields, place);
  const part = { choice, projection: projectionOf(choice) };
  if (isKept) {
    parts.set(type, new Map([...[...(known ?? [])].slice(1 - partsOfType), [fields, part]]));
  }
  return part;
}

function choiceOf(types: readonly ReadableType[], fields: string, place: Place): FieldChoice {
  const given = [...new Set(fields.split(","))];
  const isInclusive = given[0]?.startsWith("-") !== true;
  if (given.some((name) => name.startsWith("-") === isInclusive)) {
    const words = "must name either the properties to return or, each with `-`, those to leave out";
    throw invalid([faultAt(place, ["fields"], words)]);
  }
  const names = isInclusive ? given : given.map((name) => name.slice(1));
  const unknown = names.filter((name) => !types.some((type) => hasMember(type, name)));
  if (unknown.length > 0) {
    throw invalid(unknown.map((name) => faultAt(place, ["fields"], notAProperty(name))));
  }
  if (!isInclusive || names.length === 1) return { isInclusive, names };
  // The definition's order is that of the answer.
  const wanted = new Set(names);
  const ordered = new Set(types.flatMap(memberNames).filter((name) => wanted.has(name)));
  return { isInclusive, names: [...ordered] };
}

function hasMember({ properties, linkTypes }: ReadableType, name: string): boolean {
  return Object.hasOwn(properties, name) || linkTypes.some((link) => link.name === name);
}

function withNames({ isInclusive, names }: FieldChoice, read: readonly string[]): FieldChoice {
  return isInclusive
    ? { isInclusive, names: [...new Set([...names, ...read])] }
    : { isInclusive, names: names.filter((name) => !read.includes(name)) };
}

/** The part of the data that an answer shows. */
export function chosen(choice: FieldChoice | undefined, data: JsonObject): JsonObject {
  if (choice === undefined) return data;
  const { isInclusive, names } = choice;
  const entries = Object.entries(data).filter(([name]) => names.includes(name) === isInclusive);
  return Object.fromEntries(entries);
}

interface Bounds {
  readonly hold: AnswerHold;
  readonly signal: AbortSignal;
  /** The part of the request that has `fields` and `expand`. */
  readonly place: Place;
}

/** The records with their expansions, and with the properties that the request names. */
export async function selected<Item extends Pick<Resource, "id" | "data">>(
  objectTypes: ObjectTypeService,
  work: Work,
  { choice, expansions }: Selection,
  found: readonly { readonly type: ReadableType; readonly item: Item }[],
  bounds: Bounds,
): Promise<Item[]> {
  if (expansions.length === 0) {
    return found.map(({ item }) => ({ ...item, data: chosen(choice, item.data) }));
  }
  const records = found.map(({ type, item }): Expandable => ({
    type,
    id: item.id,
    data: item.data,
    dataLength: JSON.stringify(item.data).length,
  }));
  const expanded = await expandRecords(objectTypes, work, expansions, records, bounds);
  return found.map(({ item }, at) => ({
    ...item,
    data: chosen(choice, item.data),
    expanded: expanded[at] ?? {},
  }));
}

/** Adds the JSON text of {@link selected} for stored records with expansions. */
export async function addExpanded(
  pieces: TextPieces,
  objectTypes: ObjectTypeService,
  work: Work,
  { choice, expansions }: Selection,
  { type, records }: { readonly type: ReadableType; readonly records: readonly StoredRecord[] },
  bounds: Bounds,
): Promise<void> {
  const followed = records.map(({ id, data }): Expandable => {
    return { type, id, data: JSON.parse(data) as JsonObject, dataLength: data.length };
  });
  const texts = await expandedTexts(objectTypes, work, expansions, followed, bounds);
  const shown = records.map((record, at) => {
    const { data = {} } = followed[at] ?? {};
    return choice === undefined
      ? record
      : { ...record, data: JSON.stringify(chosen(choice, data)) };
  });
  addResources(pieces, type, shown, (at) => `,"expanded":${texts[at] ?? "{}"}`);
}
