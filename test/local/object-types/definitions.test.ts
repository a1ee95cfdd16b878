import { expect, test } from "vitest";
import { definitionsIn } from "#local/object-types/definitions.ts";

const site = { name: "Site", properties: {} };

test.each<[unknown]>([
  [{ objectTypes: [site] }],
  [{ types: { site } }],
  [{ default: [site] }],
  [{ default: { objectTypes: [site] } }],
  [{ default: site }],
  [{ site, helper: 1 }],
  [[site]],
  [{ objectTypes: [{ ...site, note: undefined }] }],
])("case %#: the definitions are found", (value) => {
  expect(definitionsIn(value)).toEqual([site]);
});

test.each<[unknown, string]>([
  [{}, "it exports no Object Types"],
  [7, "it exports no Object Types"],
  [[{ ...site, fn: () => 1 }], "/0/fn is a function"],
  [[{ ...site, size: Number.NaN }], "/0/size is NaN"],
  [[{ ...site, all: new Map() }], "/0/all is a Map or a Set"],
  [[{ ...site, id: 1n }], "/0/id is a bigint"],
])("case %#: %s is refused", (value, message) => {
  expect(() => definitionsIn(value)).toThrow(message);
});

test("a circle is refused, the same part twice is not", () => {
  const circle: Record<string, unknown> = { ...site };
  circle["self"] = circle;
  expect(() => definitionsIn([circle])).toThrow("a circular reference");
  const part = { type: "string" };
  expect(definitionsIn([{ ...site, properties: { a: part, b: part } }])).toHaveLength(1);
});
