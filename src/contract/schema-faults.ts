import { counted } from "#lib/text/counted.ts";

/** One fault of a value; `detail` completes a sentence that starts with the pointer. */
export interface SchemaFault {
  /** The path of the value; empty for the whole value. */
  readonly path: readonly (string | number)[];
  readonly detail: string;
}

/** An issue of zod, or of a client that checks without it. */
export interface SchemaIssue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The names that an object may not have. */
  readonly keys?: readonly string[] | undefined;
  /** The issues of each option of a union. */
  readonly errors?: readonly (readonly SchemaIssue[])[] | undefined;
  /** The values that select an option of a union. */
  readonly options?: readonly unknown[] | undefined;
  readonly values?: readonly unknown[] | undefined;
  /** The issues of a name. */
  readonly issues?: readonly SchemaIssue[] | undefined;
  readonly expected?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  /** The type of a value that has a wrong size. */
  readonly origin?: string | undefined;
}

/** A schema's issues as faults. The details never have the given values, except unknown names. */
export function schemaFaults({
  issues,
}: {
  readonly issues: readonly SchemaIssue[];
}): SchemaFault[] {
  return issues.flatMap((issue) => faultsOf(issue, []));
}

function faultsOf(issue: SchemaIssue, parent: readonly (string | number)[]): SchemaFault[] {
  const path = [...parent, ...issue.path.map((part) => (typeof part === "symbol" ? "" : part))];
  const { code, keys = [], errors = [] } = issue;
  if (code === "unrecognized_keys") {
    return keys.map((key) => ({ path: [...path, key], detail: "is not known here" }));
  }
  if (code === "invalid_union" && errors.length > 0) {
    const [meant = []] = errors.toSorted(
      (one, other) =>
        depthOf(other) - depthOf(one) ||
        misfitsOf(one) - misfitsOf(other) ||
        Number(isOfSize(other)) - Number(isOfSize(one)),
    );
    if (depthOf(meant) > 0 || isOfSize(meant)) {
      return meant.flatMap((inner) => faultsOf(inner, path));
    }
    const messages = new Set(errors.flat().map(plainMessage));
    return [{ path, detail: [...messages].join(" or ") }];
  }
  return [{ path, detail: plainMessage(issue) }];
}

/** The best alternative of a union is the one whose issues are deepest. */
function depthOf(issues: readonly SchemaIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** Among equally deep alternatives, the one with the fewest missing and unknown names is best. */
function misfitsOf(issues: readonly SchemaIssue[]): number {
  return issues.filter((issue) => issue.code === "unrecognized_keys" || isMissing(issue)).length;
}

/** A value with only a wrong size has the right type, which no other alternative has. */
function isOfSize(issues: readonly SchemaIssue[]): boolean {
  return issues.every(({ code }) => code === "too_small" || code === "too_big");
}

/** True if a value is missing; zod reports that like a wrong type, except in the message. */
function isMissing(issue: SchemaIssue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

/** JSON's names of types that zod names differently. */
const typeWords: Readonly<Record<string, string>> = { int: "integer", record: "object" };

function plainMessage(issue: SchemaIssue): string {
  const { code, expected = "", values = [], options, issues = [] } = issue;
  if (code === "invalid_type") {
    return isMissing(issue) ? "is required" : `must be of type ${typeWords[expected] ?? expected}`;
  }
  if (code === "invalid_value") return choiceMessage(values);
  if (code === "invalid_union" && options !== undefined) return choiceMessage(options);
  // The issues of an invalid name are nested one level deeper.
  if (code === "invalid_key") return issues.map(plainMessage).join(" and ");
  if (code === "too_small") return sizeMessage(issue, "at least", Number(issue.minimum));
  if (code === "too_big") return sizeMessage(issue, "at most", Number(issue.maximum));
  return issue.message.replace(/^Invalid input: /, "");
}

function choiceMessage(values: readonly unknown[]): string {
  return `must be ${values.map((value) => JSON.stringify(value)).join(" or ")}`;
}

function sizeMessage({ origin }: SchemaIssue, words: string, bound: number): string {
  if (origin === "string") return `must have ${words} ${counted(bound, "character")}`;
  if (origin === "array" || origin === "set") {
    return `must have ${words} ${counted(bound, "item")}`;
  }
  return `must be ${words} ${bound}`;
}
