import { faultAt, invalid } from "../../kit/faults.ts";
import type { ReadableType } from "../object-types/service.ts";
import { judgeOf, type Judge } from "../records/service.ts";
import { isOfRecord, type FeedEvent } from "./feed-event.ts";

/** The filter of a stream, an endpoint or a rule; without members it has every event. */
export interface FilterInput {
  readonly kinds?: readonly string[] | undefined;
  /** Slugs of Object Types; only changes of their records and files are left. */
  readonly types?: readonly string[] | undefined;
  /** A list's `where` on properties that all of the `types` index, and on `id`. */
  readonly where?: unknown;
}

/** `left`: the record matched before the change, and no longer does. */
export type Match = "in" | "left";

export interface FeedFilter {
  matches(event: FeedEvent): Match | undefined;
  /** Events outside these types and values never match: subscribers are found by them. */
  readonly types: ReadonlySet<string> | undefined;
  readonly term: Judge["term"];
  /** The type's indexed properties that it tests; their change resets the reader. */
  readonly names: ReadonlySet<string>;
}

/**
 * Compiles a filter once. `types` are those that the input names, as the reader may see them; the
 * filter refuses 422 with a pointer to each fault. `base` begins the pointers.
 */
export function compileFilter(
  input: FilterInput,
  types: readonly ReadableType[],
  base: readonly (string | number)[] = ["query"],
): FeedFilter {
  const { kinds, where } = input;
  if (where !== undefined && (input.types?.length ?? 0) === 0) {
    const place = base[0] === "query" ? "query" : "body";
    const path = [...base, "types"].slice(place === "query" ? 1 : 0);
    throw invalid([faultAt(place, path, "is required with where")]);
  }
  const judge = where === undefined ? undefined : judgeOf(where, [...base, "where"], types);
  const ofTypes = input.types === undefined ? undefined : new Set(input.types);
  const ofKinds = kinds === undefined ? undefined : new Set(kinds);
  return {
    types: ofTypes,
    term: judge?.term,
    names: judge?.names ?? new Set(),
    matches(event) {
      const { kind, type = "", before, after, subject: id } = event;
      if (ofKinds !== undefined && !ofKinds.has(kind)) return undefined;
      if (ofTypes === undefined) return "in";
      if (!isOfRecord(event) || !ofTypes.has(type)) return undefined;
      if (judge === undefined) return "in";
      const matched = before !== undefined && judge.matches({ ...before, id });
      // A deleted record leaves with its own event.
      if (after === undefined) return matched || before === undefined ? "in" : undefined;
      if (judge.matches({ ...after, id })) return "in";
      return matched ? "left" : undefined;
    },
  };
}
