import { expect, test } from "vitest";
import { answerShape, objectOfShape } from "#mcp/compact-schema.ts";

const definitions = {
  Item: {
    type: "object",
    properties: { id: { type: "string" }, parts: { type: "array", items: { type: "string" } } },
    required: ["id"],
    additionalProperties: false,
  },
};
const page = {
  type: "object",
  properties: {
    items: { type: "array", items: { $ref: "#/$defs/Item" } },
    cursor: { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
    state: { enum: ["open", "closed"] },
    value: { anyOf: [{ type: "string" }, { $ref: "#/$defs/Item" }] },
    first: { $ref: "#/$defs/Item" },
    anything: {},
  },
  required: ["items"],
};

test("a shape has types and names, and requires nothing", () => {
  expect(answerShape(page, definitions)).toEqual({
    type: "object",
    properties: {
      items: { type: "array", items: { type: "object", properties: { id: {}, parts: {} } } },
      cursor: { type: ["string", "null"] },
      state: { type: "string" },
      value: { type: ["string", "object"] },
      first: { type: "object" },
      anything: {},
    },
  });
});

test("members of another type are left out, and unknown ones stay", () => {
  const shape = answerShape(page, definitions);
  const answer = { items: [{ id: 1, extra: 2 }, "no item"], cursor: 7, state: null, more: [1] };
  expect(objectOfShape(answer, shape)).toEqual({ items: [{ id: 1, extra: 2 }], more: [1] });
  const whole = { items: [], cursor: null, state: "other", value: {}, anything: [null] };
  expect(objectOfShape(whole, shape)).toEqual(whole);
});
