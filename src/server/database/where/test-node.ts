import { isOneOf, textContains, textStartsWith } from "../dialect.ts";
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

/** Whether one JSON value itself passes a test; lists are unwrapped by the caller. */
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
      return withinDistance(node, test.near);
    case "within":
      return withinArea(node, test.area);
    case "size":
      // SQLite counts no items in what is no list.
      return statement<boolean>`(${node.is("array")} and ${node.hasLength(test.length)})`;
    case "remainder":
      return leaves(node.asDecimal(), test);
    case "type":
      return statement<boolean>`(${join(
        test.kinds.map((kind) => node.is(kind)),
        " or ",
      )})`;
  }
}

/** The same for text that stands in a column of its own. */
export function testText(text: Statement, test: FieldTest): Statement<boolean> {
  switch (test.kind) {
    case "equal":
      return typeof test.value === "string" ? statement<boolean>`(${text} = ${test.value})` : never;
    case "compare":
      return typeof test.value === "string"
        ? statement<boolean>`(${text}${raw(` ${test.operator} `)}${test.value})`
        : never;
    case "in": {
      const values = test.values.filter((value) => typeof value === "string");
      return values.length === 0 ? never : isOneOfTexts(text, values);
    }
    case "exists":
      return always;
    case "contains":
      return textContains(text, test.text);
    case "starts-with":
      return textStartsWith(text, test.text);
    case "pattern":
      return matches(text, test.source, test.flags);
    case "type":
      return test.kinds.includes("string") ? always : never;
    default:
      return never;
  }
}

/** The same for a number in a column of its own. */
export function testNumber(number: Statement, test: FieldTest): Statement<boolean> {
  switch (test.kind) {
    case "equal":
      return typeof test.value === "number"
        ? statement<boolean>`(${number} = ${test.value})`
        : never;
    case "compare":
      return typeof test.value === "number"
        ? statement<boolean>`(${number}${raw(` ${test.operator} `)}${asDouble(test.value)})`
        : never;
    case "in": {
      const values = test.values.filter((value) => typeof value === "number");
      return values.length === 0 ? never : isOneOfNumbers(number, values);
    }
    case "exists":
      return always;
    case "remainder":
      return leaves(number, test);
    case "type":
      return test.kinds.includes("number") ? always : never;
    default:
      return never;
  }
}

/**
 * So many values are bound one by one, which tells PostgreSQL how many rows have them; more are bound
 * as one value, since an engine takes a bounded number.
 */
const boundOneByOne = 20;

/** Whether a column is one of these texts. */
export function isOneOfTexts(column: Statement, values: readonly string[]): Statement<boolean> {
  return values.length <= boundOneByOne
    ? statement<boolean>`(${column} in (${join(values)}))`
    : statement<boolean>`(${isOneOf(column, values)})`;
}

/** Whether a column is one of these numbers. */
export function isOneOfNumbers(column: Statement, values: readonly number[]): Statement<boolean> {
  if (values.length <= boundOneByOne) {
    return statement<boolean>`(${column} in (${join(values.map(asDouble))}))`;
  }
  const list = JSON.stringify(values);
  return byDialect<boolean>({
    sqlite: statement`(${column} in (select value from json_each(${list})))`,
    postgresql: statement`(${column} = any (array(
      select value::float8 from jsonb_array_elements_text(${list}::text::jsonb) as value)))`,
  });
}

/** A bound number whose type PostgreSQL would otherwise take from the column beside it. */
export function asDouble(value: number): Statement {
  return byDialect({ sqlite: statement`${value}`, postgresql: statement`${value}::float8` });
}

/** Of a number, or null. The bounds are the least and the greatest double that 64 bits hold. */
function leaves(number: Statement, { divisor, remainder }: RemainderTest): Statement<boolean> {
  return byDialect<boolean>({
    sqlite: statement`(${number} between -9223372036854775808.0 and 9223372036854774784.0
      and cast(${number} as integer) % ${divisor} = ${remainder})`,
    postgresql: statement`(${number} between -9223372036854775808 and 9223372036854774784
      and mod(trunc((${number})::numeric), ${divisor}::numeric) = ${remainder}::numeric)`,
  });
}

/** Whether text matches a pattern, by plain SQL where the pattern is nothing but text. */
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

/** Equal as JSON: null is only null, and the order of an object's names does not count. */
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
    ...(texts.length > 0 ? [node.textIn(texts)] : []),
    ...(numbers.length > 0 ? [node.numberIn(numbers)] : []),
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
      const passing = [false, true].filter((flag) =>
        compares(Number(flag), operator, Number(value)),
      );
      if (passing.length === 0) return never;
      const tests = passing.map((flag) => node.equalsFlag(flag));
      return statement<boolean>`(${join(tests, " or ")})`;
    }
    default:
      // Null is neither before nor after itself.
      return operator === ">=" || operator === "<=" ? equalNode(node, null) : never;
  }
}

function compares(one: number, operator: Comparison, other: number): boolean {
  switch (operator) {
    case ">":
      return one > other;
    case ">=":
      return one >= other;
    case "<":
      return one < other;
    case "<=":
      return one <= other;
  }
}
