import { expect, test } from "vitest";
import {
  canonicalText,
  compareKeys,
  foldsForSqlite,
  foldsFromSqlite,
  keyOf,
  valueOf,
} from "#server/platform/move/row-values.ts";
import type { MovedTable } from "#server/platform/move/tables.ts";

const table: MovedTable = {
  name: "things",
  columns: [
    { name: "id", kind: "text" },
    { name: "data", kind: "json" },
    { name: "size", kind: "integer" },
    { name: "content", kind: "bytes" },
  ],
  key: [0],
};

test("a row has the same text on both engines, whatever the order of its JSON is", () => {
  const bytes = new Uint8Array([1, 2]);
  const one = canonicalText(table, ["a", '{"b":1,"a":[{"d":1,"c":1e2}]}', 5, bytes]);
  const other = canonicalText(table, ["a", '{"a": [{"c": 100, "d": 1}], "b": 1}', 5, bytes]);
  expect(one).toBe(other);
  expect(canonicalText(table, ["a", '{"a":2}', 5, null])).not.toBe(
    canonicalText(table, ["a", '{"a":"2"}', 5, null]),
  );
  expect(canonicalText(table, ["a", null, 9_007_199_254_740_993n, null])).toContain("740993");
  expect(() => canonicalText(table, ["a", "no JSON", 5, null])).toThrow("cannot be read");
});

test("keys are in the order of code points and numbers", () => {
  const keys = [["\u{1f600}"], ["b", 10], ["\uffee"], ["b", 9], ["a", 1]];
  expect(keys.toSorted(compareKeys)).toEqual([
    ["a", 1],
    ["b", 9],
    ["b", 10],
    ["\uffee"],
    ["\u{1f600}"],
  ]);
  expect(keyOf(table, ["a", null, 1, null])).toEqual(["a"]);
  expect(() => keyOf(table, [null, null, 1, null])).toThrow("no key");
});

test("values keep large integers, and refuse what no column has", () => {
  const column = { name: "size", kind: "integer" } as const;
  expect(valueOf(column, 5n)).toBe(5);
  expect(valueOf(column, 9_007_199_254_740_993n)).toBe(9_007_199_254_740_993n);
  expect(valueOf(column, undefined)).toBeNull();
  expect(() => valueOf(column, true)).toThrow("boolean");
});

test("sort keys of texts change their names between the engines", () => {
  const folds = JSON.stringify({ Ärger: "arger", "a'b": "x" });
  expect(foldsFromSqlite(foldsForSqlite(folds))).toBe(folds);
  expect(foldsForSqlite('{"Ä":"a"}')).toBe('{"xC384":"a"}');
});
