import type { ObjectType, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { dataFields } from "../kit/data-fields/data-fields.ts";
import { targetOf } from "../kit/data-fields/property.ts";

export interface RecordReference {
  readonly objectType: string;
  readonly id: string;
}

const namedItems = 4;

function idsIn(value: unknown): string[] {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  return values.filter((id): id is string => typeof id === "string" && id !== "");
}

function unique(references: readonly RecordReference[]): RecordReference[] {
  return [...new Map(references.map((reference) => [reference.id, reference])).values()];
}

/** The records that these values of a property or link refer to. */
export function referencesInValues(
  type: ObjectType,
  name: string,
  values: readonly unknown[],
  maximumItems = namedItems,
): RecordReference[] {
  const field = ownMember(dataFields(type), name);
  const objectType = field === undefined ? undefined : targetOf(field);
  if (objectType === undefined) return [];
  const ids = values.flatMap((value) => idsIn(value).slice(0, maximumItems));
  return unique(ids.map((id) => ({ objectType, id })));
}

/** The records that these properties and links of a table's rows refer to. */
export function referencesInRows(
  type: ObjectType,
  names: readonly string[],
  rows: readonly (Resource | undefined)[],
): RecordReference[] {
  const valuesOf = (name: string) => rows.map((row) => ownMember(row?.data ?? {}, name));
  return unique(names.flatMap((name) => referencesInValues(type, name, valuesOf(name))));
}

// The details of each record ask for the same names.
const referring = new WeakMap<ObjectType, readonly string[]>();

/** The names of the properties and links of a type that refer to records. */
export function referringNames(type: ObjectType): readonly string[] {
  const known = referring.get(type);
  if (known !== undefined) return known;
  const fields = Object.entries(dataFields(type));
  const names = fields.flatMap(([name, field]) => (targetOf(field) === undefined ? [] : [name]));
  referring.set(type, names);
  return names;
}

export function referencesIn(type: ObjectType, { data }: Resource): RecordReference[] {
  const names = referringNames(type);
  return unique(
    names.flatMap((name) => referencesInValues(type, name, [ownMember(data, name)], Infinity)),
  );
}
