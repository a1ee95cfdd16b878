import { expect, test } from "vitest";
import { PropertyTypes } from "#server/domains/geo/property-types.ts";

test.each([
  [[1, -7, null], { type: "integer" }],
  [[1, 2.5], { type: "number" }],
  [[1, 2 ** 31], { type: "number" }],
  [[true, false], { type: "boolean" }],
  [["2026-01-02"], { type: "string", format: "date" }],
  [["2026-01-02T03:04:05Z"], { type: "string", format: "date-time" }],
  [["2026-01-02", "2026-01-02T03:04:05Z"], { type: "string" }],
  [["2026-01-02", "soon"], { type: "string" }],
  [[["a"], [], ["b", "c"]], { type: "array", items: { type: "string" } }],
  [[[1], [2]], { type: "array", items: { type: "integer" } }],
  [[1, "1"], undefined],
  [[[1, "a"]], undefined],
  [[{ a: 1 }], undefined],
  [[null], undefined],
])("values such as %j have the schema %j", (values, schema) => {
  const first = PropertyTypes.of();
  const [value, ...others] = values;
  first.add({ a: value });
  const types = PropertyTypes.of(first.text);
  for (const each of others) types.add({ a: each });
  expect(types.schemas()["a"]).toEqual(schema);
});

test("names are bounded", () => {
  const types = PropertyTypes.of();
  types.add(Object.fromEntries(Array.from({ length: 600 }, (_each, at) => [`p${at}`, at])));
  types.add({ ["x".repeat(201)]: 1 });
  expect(Object.keys(types.schemas())).toHaveLength(500);
});
