import { expect, test } from "vitest";
import { inlinedSchema } from "#server/domains/verticals/inlined-schema.ts";

test("definitions replace the references to them, with what stands next to these", () => {
  expect(
    inlinedSchema({
      $defs: { name: { type: "string" }, "a/b": { items: { $ref: "#/$defs/name" } } },
      properties: {
        $ref: { const: { $ref: "data" } },
        names: { $ref: "#/$defs/a~1b" },
        short: { $ref: "#/$defs/name", maxLength: 3 },
      },
    }),
  ).toEqual({
    properties: {
      $ref: { const: { $ref: "data" } },
      names: { items: { type: "string" } },
      short: { allOf: [{ type: "string" }, { maxLength: 3 }] },
    },
  });
});

const doubling = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => {
    const next = at === 39 ? {} : { $ref: `#/$defs/a${at + 1}` };
    return [`a${at}`, { anyOf: [next, next] }];
  }),
);
const self = { properties: { child: { $ref: "#" } } };
const circle = {
  $defs: { a: { items: { $ref: "#/$defs/b" } }, b: { not: { $ref: "#/$defs/a" } } },
};
test.each([
  ["itself", self, "must not use $ref to a schema within itself: #"],
  ["a circle", { ...circle, $ref: "#/$defs/a" }, "must not use $ref to a schema within itself"],
  ["many doublings", { $defs: doubling, $ref: "#/$defs/a0" }, "at most 2000 objects"],
  ["another document", { $ref: "http://127.0.0.1/" }, "must use $ref only within itself"],
  ["nothing", { $ref: "#/$defs/none" }, "has no schema at #/$defs/none"],
  ["an inherited name", { $ref: "#/constructor" }, "has no schema at #/constructor"],
  ["a number", { $ref: 1 }, "must have texts as $ref"],
  ["no schema", { $defs: { a: "text" }, $ref: "#/$defs/a" }, "must be an object"],
])("a reference to %s is refused", (_, schema, reason) => {
  expect(() => inlinedSchema(schema)).toThrow(reason);
});
