import { expect, test } from "vitest";
import { Refusal } from "#contract/problems.ts";
import { RenamedFields } from "#server/domains/verticals/renamed-fields.ts";

const fields = new RenamedFields({ holder: "licence_holder", until: "valid_until" });
const plain = new RenamedFields(undefined);

test("names of the route become properties, and back", () => {
  expect(fields.toData({ holder: "a" })).toEqual({ licence_holder: "a" });
  expect(fields.toAnswer({ id: "1", data: { licence_holder: "a", other: 1 } })).toEqual({
    id: "1",
    data: { holder: "a" },
  });
  expect(fields.toSort("-holder,created_at")).toBe("-licence_holder,created_at");
  expect(fields.toWhere({ $or: [{ "holder.name": "a" }, { id: "1" }] })).toEqual({
    $or: [{ "licence_holder.name": "a" }, { id: "1" }],
  });
  expect([fields.properties, plain.properties]).toEqual([
    ["licence_holder", "valid_until"],
    undefined,
  ]);
  expect(plain.toData({ any: 1 })).toEqual({ any: 1 });
});

test.each([
  [() => fields.toData({ licence_holder: 1 }), "#/licence_holder"],
  [() => fields.toSort("other"), "#/query/sort/other"],
  [() => fields.toWhere({ constructor: 1 }), "#/query/where/constructor"],
])("case %#: other names are refused", (call, pointer) => {
  expect(call).toThrow(
    expect.objectContaining({
      options: expect.objectContaining({ errors: [expect.objectContaining({ pointer })] }),
    }),
  );
});

test.each([
  ["#/data/licence_holder/name", "body", "#/holder/name"],
  ["#/where/valid_until/$gt", "query", "#/query/where/until/$gt"],
  ["#/where/valid_until", "body", "#/where/until"],
  ["#/other", "body", "#/other"],
] as const)("the pointer %s of the records' route is %s of the %s", (pointer, place, shown) => {
  const refusal = new Refusal("validation-failed", { errors: [{ pointer, detail: "x" }] });
  expect(fields.toRefusal(refusal, place).options.errors).toEqual([
    { pointer: shown, detail: "x" },
  ]);
});
