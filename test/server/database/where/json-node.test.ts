import { expect, test } from "vitest";
import { Database } from "bun:sqlite";
import { render, statement, type Statement } from "#server/database/statement.ts";
import { JsonNode } from "#server/database/where/json-node.ts";

const database = new Database(":memory:");
const rows = JSON.stringify([
  { v: "text", n: { "it's": 1 } },
  { v: 1, n: [1, { k: "x" }] },
  { v: true },
  { v: null },
  { v: [1, 2, "a"] },
  { v: { a: 1, b: 2.5 } },
  { v: { b: 2.5, a: 1 } },
  { v: '{"a":1,"b":2.5}' },
  {},
  { v: 1.5 },
]);

/** The value of an expression in each row. */
function valuesOf(expression: Statement): unknown[] {
  const query = statement`select ${expression} from (
    select value as data from json_each(${rows}) order by key)`;
  const { text, parameters } = render(query, "sqlite");
  return database
    .query(text)
    .values(...(parameters as string[]))
    .flat();
}

/** The numbers of the rows where a condition holds. */
function holds(condition: Statement): number[] {
  return valuesOf(condition).flatMap((value, row) => (value === 1 ? [row] : []));
}

const v = JsonNode.column("data").member("v");
const n = JsonNode.column("data").member("n");

test.each([
  ["string", [0, 7]],
  ["number", [1, 9]],
  ["boolean", [2]],
  ["null", [3]],
  ["array", [4]],
  ["object", [5, 6]],
] as const)("rows of the kind %s", (kind, found) => {
  expect(holds(v.is(kind))).toEqual(found);
});

test("values are equal only to those of their kind", () => {
  expect(holds(v.equalsNumber(1))).toEqual([1]);
  expect(holds(v.equalsFlag(true))).toEqual([2]);
  expect(holds(v.equalsText("text"))).toEqual([0]);
  expect(holds(v.equalsText('{"a":1,"b":2.5}'))).toEqual([7]);
  expect(holds(v.isAmong("number", [1, 2]))).toEqual([1]);
  expect(holds(v.compareNumber(">", 1))).toEqual([9]);
  expect(holds(v.compareText("<", "~"))).toEqual([0, 7]);
  expect(holds(v.isMissing())).toEqual([8]);
});

test("lists and objects are measured, and their items are tested", () => {
  expect(holds(v.hasLength(3))).toEqual([4]);
  expect(holds(v.hasMemberCount(2))).toContain(5);
  expect(holds(v.someItem("item", (item) => item.equalsText("a")))).toEqual([4]);
  expect(holds(n.someItem("item", (item) => item.member("k").equalsText("x")))).toEqual([1]);
  expect(valuesOf(v.leastOfItems("item", (item) => item.asNumber()))[4]).toBe(1);
  expect(holds(n.at(0).equalsNumber(1))).toEqual([1]);
});

test("equal objects have one key in any order of their names", () => {
  const keys = valuesOf(v.asKey());
  expect(keys[5]).toBe(keys[6]);
  expect(keys[7]).not.toBe(keys[5]);
  expect([keys[3], keys[8]]).toEqual([null, null]);
  expect(valuesOf(v.asFlag()).slice(1, 4)).toEqual([null, 1, null]);
});

test("a name is quoted, and one that a path can't have is refused", () => {
  expect(holds(n.member("it's").equalsNumber(1))).toEqual([0]);
  for (const name of ['a"b', "a\\b", "a\nb"]) expect(() => v.member(name)).toThrow(TypeError);
});
