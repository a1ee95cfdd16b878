import { textContains, textStartsWith } from "../dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../statement.ts";
import { compilePattern } from "#lib/pattern.ts";
import type {
  ComparableValue,
  Comparison,
  ElementTest,
  FieldTest,
  RemainderTest,
} from "./condition.ts";
import { withinArea, withinDistance } from "./geo.ts";
import type { JsonNode } from "./json-node.ts";

export const never: Statement<boolean> = raw("(1 = 0)");
export const always: Statement<boolean> = raw("(1 = 1)");

/** True if one JSON value itself passes a test; the caller tests the items of lists. */
export function testNode(
  node: JsonNode,
  test: Exclude<FieldTest, ElementTest>,
): Statement<boolean> {
  switch (test.kind) {
    case "equal":
      return equalNode(node, test.value);
    case "compare":
      return compareNode(node, test.operator, test.value);
    case "in":
      return inNode(node, test.values);
    case "exists":
      return statement<boolean>`(not ${node.isMissing()})`;
    case "contains":
      return node.textTest((text) => textContains(text, test.text));
    case "starts-with":
      return node.textTest((text) => textStartsWith(text, test.text));
    case "pattern":
      return node.textTest((text) => matches(text, test.source, test.flags));
    case "near":
      return withinDistance(node, test.near, test.values);
    case "within":
      return withinArea(node, test);
    case "size":
      // SQLite counts 0 items in a value that is not a list.
      return statement<boolean>`(${node.is("array")} and ${node.hasLength(test.length)})`;
    case "remainder":
      return leavesRemainder(node.asDecimal(), test);
    case "type":
      return statement<boolean>`(${join(
        test.kinds.map((kind) => node.is(kind)),
        " or ",
      )})`;
  }
}

/** The test of a number or null. The bounds are the least and the greatest 64-bit double. */
export function leavesRemainder(
  number: Statement,
  { divisor, remainder }: RemainderTest,
): Statement<boolean> {
  return byDialect<boolean>({
    sqlite: statement`(${number} between -9223372036854775808.0 and 9223372036854774784.0
      and cast(${number} as integer) % ${divisor} = ${remainder})`,
    postgresql: statement`(${number} between -9223372036854775808 and 9223372036854774784
      and mod(trunc((${number})::numeric), ${divisor}::numeric) = ${remainder}::numeric)`,
  });
}

/** True if text matches a pattern; plain SQL for a pattern without special characters. */
export function matches(text: Statement, source: string, flags: string): Statement<boolean> {
  const pattern = compilePattern(source, flags);
  const { literal } = pattern;
  if (literal !== undefined) {
    if (literal.isAtStart && literal.isAtEnd)
      return statement<boolean>`(${text} = ${literal.text})`;
    if (literal.isAtStart) return textStartsWith(text, literal.text);
    if (!literal.isAtEnd) return textContains(text, literal.text);
  }
  return byDialect<boolean>({
    sqlite: statement`(pattern_matches(${text}, ${source}, ${flags}) = 1)`,
    postgresql: statement`((${text}) ~ ${pattern.postgresql}::text)`,
  });
}

function equalNode(node: JsonNode, value: unknown): Statement<boolean> {
  if (value === null) return statement<boolean>`(${node.isMissing()} or ${node.is("null")})`;
  return sameNode(node, value);
}

/** Equal as JSON: null equals only null, and the order of an object's names does not count. */
function sameNode(node: JsonNode, value: unknown): Statement<boolean> {
  switch (typeof value) {
    case "string":
      return node.equalsText(value);
    case "number":
      return node.equalsNumber(value);
    case "boolean":
      return node.equalsFlag(value);
    default:
  }
  if (value === null) return node.is("null");
  if (Array.isArray(value)) {
    return node.equalsWhole(value, () => [
      node.is("array"),
      node.hasLength(value.length),
      ...value.map((item: unknown, index) => sameNode(node.at(index), item)),
    ]);
  }
  const members = typeof value === "object" ? Object.entries(value) : [];
  return node.equalsWhole(value, () => [
    node.is("object"),
    node.hasMemberCount(members.length),
    ...members.map(([name, member]) => sameNode(node.member(name), member)),
  ]);
}

function inNode(node: JsonNode, values: readonly unknown[]): Statement<boolean> {
  const texts = values.filter((value) => typeof value === "string");
  const numbers = values.filter((value) => typeof value === "number");
  const others = values.filter((value) => typeof value !== "string" && typeof value !== "number");
  const tests = [
    ...(texts.length > 0 ? [node.isAmong("string", texts)] : []),
    ...(numbers.length > 0 ? [node.isAmong("number", numbers)] : []),
    ...others.map((value) => equalNode(node, value)),
  ];
  return tests.length === 0 ? never : statement<boolean>`(${join(tests, " or ")})`;
}

function compareNode(
  node: JsonNode,
  operator: Comparison,
  value: ComparableValue,
): Statement<boolean> {
  switch (typeof value) {
    case "string":
      return node.compareText(operator, value);
    case "number":
      return node.compareNumber(operator, value);
    case "boolean": {
      const passing = [false, true].filter((flag) => comparisons[operator](flag, value));
      if (passing.length === 0) return never;
      const tests = passing.map((flag) => node.equalsFlag(flag));
      return statement<boolean>`(${join(tests, " or ")})`;
    }
    default:
      // Null is neither before nor after itself.
      return operator === ">=" || operator === "<=" ? equalNode(node, null) : never;
  }
}

type CompareFlags = (one: boolean, other: boolean) => boolean;

const comparisons: Readonly<Record<Comparison, CompareFlags>> = {
  ">": (one, other) => one && !other,
  ">=": (one, other) => one || !other,
  "<": (one, other) => !one && other,
  "<=": (one, other) => !one || other,
};
