import { expect, test } from "vitest";
import { answerMembers } from "#cli/pages/answer-members.ts";

const rowsOf = (schema: object): string[] =>
  answerMembers(schema as never).map(({ name, type, words }) => `${name}: ${type}; ${words}`);

test("members are listed with their way, type and description", () => {
  const schema = {
    type: "object",
    required: ["items"],
    properties: {
      items: { type: "array", description: "The rows", items: { $ref: "#/$defs/Row" } },
      total: { anyOf: [{ type: "integer" }, { type: "null" }] },
    },
    $defs: {
      Row: {
        type: "object",
        required: ["id"],
        properties: { id: { type: "string" }, state: { enum: ["on", "off"] }, kind: { const: 1 } },
      },
    },
  };
  expect(rowsOf(schema)).toEqual([
    "items: list of object; The rows",
    "items[].id: string; ",
    'items[].state: "on" or "off", optional; ',
    "items[].kind: 1, optional; ",
    "total: integer or null, optional; ",
  ]);
});

test("the choices of an answer are listed once, and a recursive type ends", () => {
  const node = { type: "object", properties: { name: {}, next: { $ref: "#/$defs/Node" } } };
  const schema = { anyOf: [node, { type: "null" }, node], $defs: { Node: node } };
  expect(rowsOf(schema).map((row) => row.split(":")[0])).toEqual([
    "name",
    "next",
    "next.name",
    "next.next",
    "next.next.name",
    "next.next.next",
  ]);
  expect(rowsOf({ type: "string" })).toEqual([]);
});
