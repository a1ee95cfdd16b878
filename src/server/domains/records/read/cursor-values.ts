import { pointer, Refusal } from "#contract/problems.ts";
import type { SortValue } from "../store/read/sort.ts";

/** Characters of the values in a cursor; longer ones are looked up by the record's id instead. */
const maximumCursorValues = 2_000;

/** The sort values of a record as part of a cursor; empty when they are too long. */
export function cursorText(values: readonly SortValue[]): string {
  const text = JSON.stringify(values);
  return text.length <= maximumCursorValues ? text : "";
}

/** The 422 for a cursor whose record no longer exists; `place` is where the request has it. */
export function cursorGone(place: readonly string[]): Refusal {
  const detail = "belongs to a record that no longer exists: start again without it";
  return new Refusal("validation-failed", {
    detail: `cursor ${detail}`,
    errors: [{ pointer: pointer(...place, "cursor"), detail }],
  });
}
