import { jsonReading } from "#lib/json/loss.ts";
import { faultAt, invalid } from "../faults.ts";

export interface FieldOrder<Field extends string> {
  readonly field: Field;
  readonly isDescending: boolean;
}

/** Parses `-created_at,filename`; 422 for a field that is not one of `fields`. */
export function sortOf<Field extends string>(
  text: string,
  fields: readonly Field[],
): FieldOrder<Field>[] {
  return text.split(",").map((part) => {
    const isDescending = part.startsWith("-");
    const name = isDescending ? part.slice(1) : part;
    const field = fields.find((known) => known === name);
    if (field !== undefined) return { field, isDescending };
    const detail = `has ${JSON.stringify(name)}; expected ${fields.join(", ")}`;
    throw invalid([faultAt("query", ["sort"], detail)]);
  });
}

/** Parses a `where` parameter; 422 for text that is not JSON or that loses values as JSON. */
export function whereOf(text: string): unknown {
  const { value, loss } = jsonReading(text);
  if (loss !== undefined) {
    throw invalid([faultAt("query", ["where", ...loss.path], loss.detail)]);
  }
  if (value === undefined) throw invalid([faultAt("query", ["where"], "is not JSON")]);
  return value;
}
