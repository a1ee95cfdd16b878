import type { ObjectType, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { dataFields } from "../kit/data-fields/data-fields.ts";
import { targetOf, type AnyProperty } from "../kit/data-fields/property.ts";

/** A record that another one refers to. */
export interface RecordReference {
  readonly objectType: string;
  readonly id: string;
}

/** Of a list of references only the first are named in a table: its cell shows no more. */
const namedItems = 4;

function idsIn(value: unknown): string[] {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  return values.filter((id): id is string => typeof id === "string" && id !== "");
}

/** The records that these values of a property or link refer to, each once. */
export function referencesInValues(
  type: ObjectType,
  name: string,
  values: readonly unknown[],
): RecordReference[] {
  const field = ownMember(dataFields(type), name);
  const objectType = field === undefined ? undefined : targetOf(field);
  if (objectType === undefined) return [];
  const ids = values.flatMap((value) => idsIn(value).slice(0, namedItems));
  return [...new Set(ids)].map((id) => ({ objectType, id }));
}

/** The records that these properties and links of a table's rows refer to, each once. */
export function referencesInRows(
  type: ObjectType,
  names: readonly string[],
  rows: readonly (Resource | undefined)[],
): RecordReference[] {
  const valuesOf = (name: string) =>
    rows.map((row) => (row === undefined ? undefined : ownMember(row.data, name)));
  const found = names.flatMap((name) => referencesInValues(type, name, valuesOf(name)));
  return [...new Map(found.map((reference) => [reference.id, reference])).values()];
}

/** The records that a record's own properties, lists of them and links refer to, each once. */
export function referencesIn(type: ObjectType, record: Resource): RecordReference[] {
  const found = new Map<string, RecordReference>();
  for (const [name, property] of Object.entries<AnyProperty>(dataFields(type))) {
    const objectType = targetOf(property);
    if (objectType === undefined) continue;
    for (const id of idsIn(ownMember(record.data, name))) found.set(id, { objectType, id });
  }
  return [...found.values()];
}
