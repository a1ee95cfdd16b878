import type { ObjectType } from "#contract/object-types/object-types.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Field } from "../../kit/output/rows.ts";
import type { Cell } from "../imports/source.ts";

/**
 * The cells of a record: numbers and truth values as they are, dates as dates, lists and objects as
 * JSON. A time with its zone is text, so that an import reads the same instant.
 */
export function recordCells(
  record: Resource,
  fields: readonly Field<Resource>[],
  { properties }: Pick<ObjectType, "properties">,
): Cell[] {
  return fields.map(({ name, value: valueOf }) => {
    const value = valueOf(record);
    if (typeof value === "number" || typeof value === "boolean") return value;
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string") return JSON.stringify(value);
    const property = ownMember(properties, name.replace(/^data\./, ""));
    return property?.type === "date" ? { date: value } : value;
  });
}
