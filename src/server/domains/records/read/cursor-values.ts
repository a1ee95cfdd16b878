import { pointer, Refusal } from "#contract/problems.ts";
import type { SortValue } from "../store/read/sort.ts";

/** Characters of a cursor's values; what is longer is looked up by the record's id instead. */
const maximumCursorValues = 2_000;

/** What a record is sorted by as a part of a cursor; empty when it is too long for one. */
export function cursorText(values: readonly SortValue[]): string {
  const text = JSON.stringify(values);
  return text.length <= maximumCursorValues ? text : "";
}

/** 422 for a cursor whose record has to be looked up and is not there; `place` is the request's. */
export function cursorGone(place: readonly string[]): Refusal {
  const detail = "stands on a record that is gone: begin again";
  return new Refusal("validation-failed", {
    detail: `cursor ${detail}`,
    errors: [{ pointer: pointer(...place, "cursor"), detail }],
  });
}
