import { jsonReading } from "#lib/json-loss.ts";
import { faultAt, invalid } from "../faults.ts";

/** One of the fields that a list is sorted by. */
export interface FieldOrder<Field extends string> {
  readonly field: Field;
  readonly isDescending: boolean;
}

/** `-created_at,filename` of a list that can be sorted by these fields; 422 for another one. */
export function sortOf<Field extends string>(
  text: string,
  fields: readonly Field[],
): FieldOrder<Field>[] {
  return text.split(",").map((part) => {
    const isDescending = part.startsWith("-");
    const name = isDescending ? part.slice(1) : part;
    const field = fields.find((known) => known === name);
    if (field !== undefined) return { field, isDescending };
    const detail = `names ${JSON.stringify(name)}: wanted ${fields.join(", ")}`;
    throw invalid([faultAt("query", ["sort"], detail)]);
  });
}

/** The value of a `where` parameter, whatever it is; 422 for text that is no JSON or says more. */
export function whereOf(text: string): unknown {
  const { value, loss } = jsonReading(text);
  if (loss !== undefined) {
    throw invalid([faultAt("query", ["where", ...loss.path], loss.detail)]);
  }
  if (value === undefined) throw invalid([faultAt("query", ["where"], "is not JSON")]);
  return value;
}
