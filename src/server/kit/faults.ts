import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { pointerWords } from "#lib/json/pointer.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { shortText } from "#lib/text/short.ts";
import type * as z from "zod";

const maximumFaults = 50;

/** The part of the request that a fault is in; it prefixes the pointer, except for the body. */
export type Place = "path" | "query" | "header" | "body";

/** The value as its schema parses it, or 422 with a pointer to each fault. */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: Place,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    schemaFaults(result.error).map(({ path, detail }) =>
      faultAt(place, path, place === "path" ? withGiven(detail, given(value, path)) : detail),
    ),
  );
}

const maximumGiven = 100;

/**
 * The value that a path has at a parameter. The one secret in a path, the token of a signed file,
 * has no form that could be wrong.
 */
function given(value: unknown, [name = ""]: readonly (string | number)[]): unknown {
  return isJsonObject(value) ? ownMember(value, String(name)) : undefined;
}

/** A detail such as "must be a UUID" with the value that was given. */
export function withGiven(detail: string, value: unknown): string {
  if (typeof value !== "string" || !detail.startsWith("must be")) return detail;
  return `${detail}, not ${JSON.stringify(shortText(value, maximumGiven))}`;
}

/** 422 with these faults; the detail has the first one. */
export function invalid(faults: readonly Fault[]): Refusal {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  return new Refusal("validation-failed", {
    detail:
      first === undefined
        ? "The request is not valid"
        : `${pointerWords(first.pointer)} ${first.detail}${more}`,
    errors: faults.slice(0, maximumFaults),
  });
}

/** A fault of the request; the detail completes the pointer to a sentence. */
export function faultAt(place: Place, path: readonly (string | number)[], detail: string): Fault {
  return {
    pointer: place === "body" ? pointer(...path) : pointer(place, ...path),
    detail,
  };
}
