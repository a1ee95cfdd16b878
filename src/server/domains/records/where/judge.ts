import { pointer } from "#contract/problems.ts";
import { invalid } from "../../../kit/faults.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import { compilePattern } from "#lib/pattern.ts";
import type { ComparableValue, Comparison, Condition } from "../../../database/where/condition.ts";
import type { FieldTest } from "../../../database/where/condition.ts";
import type { FieldSource } from "../../../fields/path-fields.ts";
import { normalTest } from "./compile-where.ts";
import { requireCondition } from "./record-filter.ts";

type Values = Readonly<Record<string, unknown>>;

/** A filter that is judged in memory, by the values of indexed properties and `id`. */
export interface Judge {
  matches(values: Values): boolean;
  /** Names that the filter tests. */
  readonly names: ReadonlySet<string>;
  /** A matching record has one of these values in this property; undefined without such a term. */
  readonly term: { readonly name: string; readonly values: readonly Scalar[] } | undefined;
}

export type Scalar = string | number | boolean;

const judgedKinds: ReadonlySet<FieldTest["kind"]> = new Set([
  ...(["equal", "compare", "in", "exists", "pattern"] as const),
  ...(["contains", "starts-with", "remainder", "type"] as const),
]);

/**
 * Compiles a filter with the meaning of a list's `where`. It may name `id` and properties that all
 * of the types index; others are 422 with their pointers, as are `$near`, `$geoWithin`,
 * `$geoIntersects`, `$size` and `$elemMatch`.
 */
export function judgeOf(
  where: unknown,
  base: readonly (string | number)[],
  sources: readonly FieldSource[],
): Judge {
  const condition = requireCondition(where, base, sources) ?? { kind: "and", conditions: [] };
  const names = new Set<string>();
  const faults = fieldTests(condition).flatMap(({ path, test }) => {
    const name = nameOf(path);
    names.add(name);
    const detail = faultOf(name, test, sources);
    return detail === undefined ? [] : [{ pointer: pointer(...base, name), detail }];
  });
  if (faults.length > 0) throw invalid(faults);
  const [source] = sources;
  const normal = source === undefined ? condition : normalCondition(condition, source);
  return { matches: (values) => holds(normal, values), names, term: termOf(normal) };
}

function faultOf(
  name: string,
  test: FieldTest,
  sources: readonly FieldSource[],
): string | undefined {
  if (!judgedKinds.has(test.kind)) return "has an operator that a stream of changes cannot judge";
  const isIndexed = sources.every(({ properties }) => {
    const property = ownMember(properties, name);
    return property?.indexed === true || property?.unique === true;
  });
  if (name === "id" || isIndexed) return undefined;
  return "is not an indexed property of each type, so that a stream of changes cannot filter by it";
}

/** A property in a list's filter may have the prefix `data`. */
function nameOf(path: readonly string[]): string {
  return path.length === 2 && path[0] === "data" ? (path[1] ?? "") : path.join(".");
}

function fieldTests(condition: Condition): (Condition & { readonly kind: "field" })[] {
  switch (condition.kind) {
    case "field":
      return [condition];
    case "not":
      return fieldTests(condition.condition);
    case "and":
    case "or":
      return condition.conditions.flatMap(fieldTests);
  }
}

function normalCondition(condition: Condition, source: FieldSource): Condition {
  switch (condition.kind) {
    case "field":
      return { ...condition, test: normalTest(source, condition.path, condition.test) };
    case "not":
      return { kind: "not", condition: normalCondition(condition.condition, source) };
    case "and":
    case "or":
      return {
        kind: condition.kind,
        conditions: condition.conditions.map((each) => normalCondition(each, source)),
      };
  }
}

function termOf(condition: Condition): Judge["term"] {
  if (condition.kind === "and") {
    for (const each of condition.conditions) {
      const term = termOf(each);
      if (term !== undefined) return term;
    }
    return undefined;
  }
  if (condition.kind !== "field") return undefined;
  const { test } = condition;
  const values = test.kind === "equal" ? [test.value] : test.kind === "in" ? test.values : [];
  const scalars = values.filter(isScalar);
  if (scalars.length === 0 || scalars.length < values.length) return undefined;
  return { name: nameOf(condition.path), values: scalars };
}

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "boolean"].includes(typeof value);
}

function holds(condition: Condition, values: Values): boolean {
  switch (condition.kind) {
    case "field":
      return passes(ownMember(values, nameOf(condition.path)), condition.test);
    case "not":
      return !holds(condition.condition, values);
    case "and":
      return condition.conditions.every((each) => holds(each, values));
    case "or":
      return condition.conditions.some((each) => holds(each, values));
  }
}

/** A list passes when one of its items passes. */
function passes(value: unknown, test: FieldTest): boolean {
  if (passesItself(value, test)) return true;
  return Array.isArray(value) && value.some((item: unknown) => passesItself(item, test));
}

function passesItself(value: unknown, test: FieldTest): boolean {
  switch (test.kind) {
    case "equal":
      return isEqual(value, test.value);
    case "in":
      return test.values.some((each) => isEqual(value, each));
    case "exists":
      return value !== undefined;
    case "compare":
      return compares(value, test.operator, test.value);
    case "contains":
      return typeof value === "string" && value.includes(test.text);
    case "starts-with":
      return typeof value === "string" && value.startsWith(test.text);
    case "pattern":
      return typeof value === "string" && compilePattern(test.source, test.flags).test(value);
    case "remainder":
      return typeof value === "number" && Math.trunc(value) % test.divisor === test.remainder;
    case "type":
      return value !== undefined && test.kinds.includes(kindOf(value));
    default:
      return false;
  }
}

function isEqual(value: unknown, expected: unknown): boolean {
  return expected === null ? (value ?? null) === null : sameJson(value, expected);
}

function compares(value: unknown, operator: Comparison, bound: ComparableValue): boolean {
  if (bound === null) return operator.endsWith("=") && (value ?? null) === null;
  if (typeof value !== typeof bound) return false;
  const order = orderOf(value, bound);
  if (order === 0) return operator.endsWith("=");
  return operator.startsWith(">") ? order > 0 : order < 0;
}

/** Text in code point order, which is the order of its UTF-8 bytes. */
function orderOf(value: unknown, bound: string | number | boolean): number {
  if (typeof bound === "string")
    return Buffer.compare(Buffer.from(String(value)), Buffer.from(bound));
  return Number(value) - Number(bound);
}

function kindOf(value: unknown) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : "object";
}
