import { expect, test } from "vitest";
import { sortOf, whereOf } from "#server/kit/lists/parameters.ts";

const pointersOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as { options: { errors: unknown } }).options.errors;
  }
};

test("an order names known fields, each up or down", () => {
  expect(sortOf("-created_at,name", ["name", "created_at"])).toEqual([
    { field: "created_at", isDescending: true },
    { field: "name", isDescending: false },
  ]);
  expect(pointersOf(() => sortOf("name,-size", ["name"]))).toEqual([
    { pointer: "#/query/sort", detail: 'has "size"; expected name' },
  ]);
});

test("a filter is JSON that loses nothing", () => {
  expect(whereOf('{"a":1}')).toEqual({ a: 1 });
  expect(pointersOf(() => whereOf("{a}"))).toEqual([
    { pointer: "#/query/where", detail: "is not JSON" },
  ]);
  expect(pointersOf(() => whereOf('{"a":1,"a":2}'))).toMatchObject([
    { pointer: "#/query/where/a" },
  ]);
});
