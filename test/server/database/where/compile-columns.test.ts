import { expect, test } from "vitest";
import { Database } from "bun:sqlite";
import { raw, render } from "#server/database/statement.ts";
import { compileColumns, type WhereColumn } from "#server/database/where/compile-columns.ts";
import type { Condition, FieldTest } from "#server/database/where/condition.ts";

const database = new Database(":memory:");
database.run("create table things (id integer, name text, size real)");
database.run("insert into things values (1, 'wall', 3), (2, 'tower', null), (3, null, -7.5)");
const columns: Record<string, WhereColumn> = {
  name: { kind: "text", expression: raw("name") },
  size: { kind: "number", expression: raw("size") },
};

function found(condition: Condition | undefined): unknown[] {
  const { text, parameters } = render(compileColumns(condition, columns), "sqlite");
  const query = database.query(`select id from things where ${text} order by id`);
  return query.values(...(parameters as string[])).flat();
}

const where = (name: string, test: FieldTest): Condition => ({ kind: "field", path: [name], test });

test.each<[string, FieldTest, readonly number[]]>([
  ["name", { kind: "equal", value: "wall" }, [1]],
  ["name", { kind: "equal", value: null }, [3]],
  ["name", { kind: "equal", value: 3 }, []],
  ["size", { kind: "compare", operator: "<", value: 3.5 }, [1, 3]],
  ["size", { kind: "compare", operator: "<", value: "3" }, []],
  ["size", { kind: "in", values: [3, null, "x"] }, [1, 2]],
  [
    "name",
    {
      kind: "in",
      values: Array.from({ length: 30 }, (_, index) => (index === 7 ? "tower" : `${index}`)),
    },
    [2],
  ],
  ["size", { kind: "in", values: Array.from({ length: 30 }, (_, index) => index) }, [1]],
  ["name", { kind: "exists" }, [1, 2]],
  ["name", { kind: "contains", text: "owe" }, [2]],
  ["name", { kind: "starts-with", text: "wa" }, [1]],
  ["size", { kind: "contains", text: "3" }, []],
  ["size", { kind: "remainder", divisor: 2, remainder: 1 }, [1]],
  ["name", { kind: "size", length: 1 }, []],
])("%s with %j", (name, test, ids) => {
  expect(found(where(name, test))).toEqual(ids);
});

test("conditions are joined, and a test of a missing value counts as false", () => {
  const isLarge = where("size", { kind: "compare", operator: ">", value: 0 });
  const isWall = where("name", { kind: "equal", value: "wall" });
  expect(found({ kind: "not", condition: isLarge })).toEqual([2, 3]);
  expect(found({ kind: "and", conditions: [isLarge, isWall] })).toEqual([1]);
  expect(found({ kind: "or", conditions: [] })).toEqual([]);
  expect(found({ kind: "and", conditions: [] })).toEqual([1, 2, 3]);
  expect(found(undefined)).toEqual([1, 2, 3]);
  expect(() => found(where("other", { kind: "exists" }))).toThrow(TypeError);
});
