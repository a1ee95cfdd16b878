import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import type * as z from "zod";

const maximumFaults = 50;

/** Where a part of the request stands in front of a fault's own path; a body has no such word. */
export type Place = "path" | "query" | "header" | "body";

/** A value by its schema, or 422 with a pointer to each fault. */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: Place,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(result.error.issues.flatMap((issue) => faultsOf(issue, place)));
}

/** 422 with these faults; the detail names the first of them. */
export function invalid(faults: readonly Fault[]): Refusal {
  const [first] = faults;
  const more = faults.length > 1 ? `, and ${faults.length - 1} more` : "";
  return new Refusal("validation-failed", {
    detail:
      first === undefined ? "The request is not valid" : `${first.pointer} ${first.detail}${more}`,
    errors: faults.slice(0, maximumFaults),
  });
}

/**
 * A fault at a place of the request; the detail is the rest of a sentence that the pointer begins.
 */
export function faultAt(place: Place, path: readonly (string | number)[], detail: string): Fault {
  return {
    pointer: place === "body" ? pointer(...path) : pointer(place, ...path),
    detail,
  };
}

type Issue = z.core.$ZodIssue;

function faultsOf(issue: Issue, place: Place, parent: readonly (string | number)[] = []): Fault[] {
  const path = [...parent, ...issue.path.map((part) => (typeof part === "symbol" ? "" : part))];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => faultAt(place, [...path, key], "is not known here"));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const [meant = []] = issue.errors.toSorted(
      (one, other) => depthOf(other) - depthOf(one) || misfitsOf(one) - misfitsOf(other),
    );
    if (depthOf(meant) > 0) return meant.flatMap((inner) => faultsOf(inner, place, path));
    const messages = new Set(issue.errors.flat().map(plainMessage));
    return [faultAt(place, path, [...messages].join(" or "))];
  }
  return [faultAt(place, path, plainMessage(issue))];
}

/** The alternative of a union that was meant is the one in which the value went deepest. */
function depthOf(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** Of equally deep ones it is the one whose names are those that were sent. */
function misfitsOf(issues: readonly Issue[]): number {
  return issues.filter((issue) => issue.code === "unrecognized_keys" || isMissing(issue)).length;
}

/** Only zod's own words tell a missing value from one of another type. */
function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

/** What JSON calls the types that zod names otherwise. */
const typeWords: Readonly<Record<string, string>> = { int: "integer", record: "object" };

/** zod's message as the rest of a sentence that the pointer begins. */
function plainMessage(issue: Issue): string {
  if (issue.code === "invalid_type") {
    return isMissing(issue)
      ? "is required"
      : `must be of type ${typeWords[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") {
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
  }
  if (issue.code === "too_small") return sizeMessage(issue, "at least", Number(issue.minimum));
  if (issue.code === "too_big") return sizeMessage(issue, "at most", Number(issue.maximum));
  return issue.message.replace(/^Invalid input: /, "");
}

function sizeMessage(issue: { readonly origin: string }, words: string, bound: number): string {
  if (issue.origin === "string") return `must have ${words} ${bound} characters`;
  if (issue.origin === "array" || issue.origin === "set") {
    return `must have ${words} ${bound} items`;
  }
  return `must be ${words} ${bound}`;
}
