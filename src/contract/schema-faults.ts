import type * as z from "zod";
import { counted } from "#lib/text/counted.ts";

/** One fault of a value; `detail` completes a sentence that starts with the pointer. */
export interface SchemaFault {
  /** The path of the value; empty for the whole value. */
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

type Issue = z.core.$ZodIssue;

/** A schema's issues as faults. The details never have the given values, except unknown names. */
export function schemaFaults({ issues }: { readonly issues: readonly Issue[] }): SchemaFault[] {
  return issues.flatMap((issue) => faultsOf(issue, []));
}

function faultsOf(issue: Issue, parent: readonly (string | number)[]): SchemaFault[] {
  const path = [...parent, ...issue.path.map((part) => (typeof part === "symbol" ? "" : part))];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: [...path, key], detail: "is not known here" }));
  }
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const [meant = []] = issue.errors.toSorted(
      (one, other) =>
        depthOf(other) - depthOf(one) ||
        misfitsOf(one) - misfitsOf(other) ||
        Number(isOfSize(other)) - Number(isOfSize(one)),
    );
    if (depthOf(meant) > 0 || isOfSize(meant)) {
      return meant.flatMap((inner) => faultsOf(inner, path));
    }
    const messages = new Set(issue.errors.flat().map(plainMessage));
    return [{ path, detail: [...messages].join(" or ") }];
  }
  return [{ path, detail: plainMessage(issue) }];
}

/** The best alternative of a union is the one whose issues are deepest. */
function depthOf(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** Among equally deep alternatives, the one with the fewest missing and unknown names is best. */
function misfitsOf(issues: readonly Issue[]): number {
  return issues.filter((issue) => issue.code === "unrecognized_keys" || isMissing(issue)).length;
}

/** A value with only a wrong size has the right type, which no other alternative has. */
function isOfSize(issues: readonly Issue[]): boolean {
  return issues.every(({ code }) => code === "too_small" || code === "too_big");
}

/** True if a value is missing; zod reports that like a wrong type, except in the message. */
function isMissing(issue: Issue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

/** JSON's names of types that zod names differently. */
const typeWords: Readonly<Record<string, string>> = { int: "integer", record: "object" };

function plainMessage(issue: Issue): string {
  if (issue.code === "invalid_type") {
    return isMissing(issue)
      ? "is required"
      : `must be of type ${typeWords[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === "invalid_value") return choiceMessage(issue.values);
  if (issue.code === "invalid_union" && "options" in issue && issue.options !== undefined) {
    return choiceMessage(issue.options);
  }
  // The issues of an invalid name are nested one level deeper.
  if (issue.code === "invalid_key") return issue.issues.map(plainMessage).join(" and ");
  if (issue.code === "too_small") return sizeMessage(issue, "at least", Number(issue.minimum));
  if (issue.code === "too_big") return sizeMessage(issue, "at most", Number(issue.maximum));
  return issue.message.replace(/^Invalid input: /, "");
}

function choiceMessage(values: readonly z.core.util.Primitive[]): string {
  return `must be ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

function sizeMessage(issue: { readonly origin: string }, words: string, bound: number): string {
  if (issue.origin === "string") return `must have ${words} ${counted(bound, "character")}`;
  if (issue.origin === "array" || issue.origin === "set") {
    return `must have ${words} ${counted(bound, "item")}`;
  }
  return `must be ${words} ${bound}`;
}
