import type { ObjectType, Resource } from "#client/index.ts";
import { ownMember } from "#lib/own-member.ts";
import { dataFields } from "./data-fields.ts";
import { targetOf, textIn, type AnyProperty } from "./property.ts";

/** A record that another one refers to. */
export interface RecordReference {
  readonly objectType: string;
  readonly id: string;
}

/** The records that the rows of a table refer to by properties that hold one reference, each once. */
export function referencesInRows(
  type: ObjectType,
  rows: readonly (Resource | undefined)[],
): RecordReference[] {
  const targets = Object.entries(type.properties).flatMap(([name, property]) => {
    const objectType =
      property.type === "reference" ? textIn(property, "targetObjectType") : undefined;
    return objectType === undefined ? [] : [{ name, objectType }];
  });
  const found = new Map<string, RecordReference>();
  for (const { name, objectType } of targets) {
    for (const row of rows) {
      const id = row === undefined ? undefined : ownMember(row.data, name);
      if (typeof id === "string" && id !== "") found.set(id, { objectType, id });
    }
  }
  return [...found.values()];
}

/** The records that a record's own properties, lists of them and links refer to, each once. */
export function referencesIn(type: ObjectType, record: Resource): RecordReference[] {
  const found = new Map<string, RecordReference>();
  for (const [name, property] of Object.entries<AnyProperty>(dataFields(type))) {
    const objectType = targetOf(property);
    if (objectType === undefined) continue;
    const value = ownMember(record.data, name);
    for (const id of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof id === "string" && id !== "") found.set(id, { objectType, id });
    }
  }
  return [...found.values()];
}
