import { isOneOf, textContains, textStartsWith } from "../dialect.ts";
import { byDialect, join, raw, statement, type Statement } from "../statement.ts";
import type { Condition, FieldTest } from "./condition.ts";
import { always, leavesRemainder, matches, never } from "./test-node.ts";

/** A text or a number that has its own column or expression; null where the value is missing. */
export interface WhereColumn {
  readonly kind: "text" | "number";
  readonly expression: Statement;
}

type TestField = (path: readonly string[], test: FieldTest) => Statement<boolean>;

/** A condition as SQL, in which `testField` compiles the test of each field. */
export function compileCondition(condition: Condition, testField: TestField): Statement<boolean> {
  switch (condition.kind) {
    case "and":
    case "or": {
      if (condition.conditions.length === 0) return condition.kind === "and" ? always : never;
      const parts = condition.conditions.map((part) => compileCondition(part, testField));
      return statement<boolean>`(${join(parts, condition.kind === "and" ? " and " : " or ")})`;
    }
    case "not":
      // A test of a missing value may be null, which counts as false.
      return statement<boolean>`(${compileCondition(condition.condition, testField)} is not true)`;
    case "field":
      return testField(condition.path, condition.test);
  }
}

/** The same over plain columns by the names of the fields; each path is one name. */
export function compileColumns(
  condition: Condition | undefined,
  columns: Readonly<Record<string, WhereColumn>>,
): Statement<boolean> {
  if (condition === undefined) return always;
  return compileCondition(condition, ([name = ""], test) => {
    const column = columns[name];
    if (column === undefined) throw new TypeError(`There is no column for the field "${name}"`);
    return testColumn(column, test);
  });
}

/** True if a column's value passes a test. A value of another kind never does. */
export function testColumn({ kind, expression }: WhereColumn, test: FieldTest): Statement<boolean> {
  switch (test.kind) {
    case "equal":
      if (test.value === null) return statement<boolean>`(${expression} is null)`;
      return typeof test.value === jsonKinds[kind] && isBindable(test.value)
        ? statement<boolean>`(${expression} = ${test.value})`
        : never;
    case "compare": {
      const { operator, value } = test;
      if (value === null || typeof value !== jsonKinds[kind]) return never;
      const bound = typeof value === "number" ? asDouble(value) : statement`${String(value)}`;
      return statement<boolean>`(${expression}${raw(` ${operator} `)}${bound})`;
    }
    case "in": {
      const among = isAmong(expression, kind, test.values);
      return test.values.includes(null)
        ? statement<boolean>`(${expression} is null or ${among})`
        : among;
    }
    case "exists":
      return statement<boolean>`(${expression} is not null)`;
    case "type":
      return test.kinds.includes(jsonKinds[kind]) ? always : never;
    case "remainder":
      return kind === "number" ? leavesRemainder(expression, test) : never;
    case "contains":
      return kind === "text" ? textContains(expression, test.text) : never;
    case "starts-with":
      return kind === "text" ? textStartsWith(expression, test.text) : never;
    case "pattern":
      return kind === "text" ? matches(expression, test.source, test.flags) : never;
    default:
      return never;
  }
}

const jsonKinds = { text: "string", number: "number" } as const;

function isBindable(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function isAmong(
  expression: Statement,
  kind: WhereColumn["kind"],
  values: readonly unknown[],
): Statement<boolean> {
  if (kind === "text") {
    const texts = values.filter((value) => typeof value === "string");
    return texts.length === 0 ? never : isOneOfTexts(expression, texts);
  }
  const numbers = values.filter((value) => typeof value === "number");
  return numbers.length === 0 ? never : isOneOfNumbers(expression, numbers);
}

/**
 * Up to this many values are bound one by one, so that PostgreSQL can estimate the rows. More are
 * bound as one list: an engine takes a bounded number of values.
 */
const boundOneByOne = 20;

export function isOneOfTexts(column: Statement, values: readonly string[]): Statement<boolean> {
  return values.length <= boundOneByOne
    ? statement<boolean>`(${column} in (${join(values)}))`
    : statement<boolean>`(${isOneOf(column, values)})`;
}

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

/** A bound number with its type, which PostgreSQL would otherwise take from the column. */
export function asDouble(value: number): Statement {
  return byDialect({ sqlite: statement`${value}`, postgresql: statement`${value}::float8` });
}
