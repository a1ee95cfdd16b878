import { expect, test } from "vitest";
import { definitionFaults } from "#contract/object-types/definition.ts";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";

const properties = {
  title: { type: "string", required: true, maxLength: 5 },
  amount: { type: "integer" },
  status: { type: "enum", enum: ["open", "closed"] },
  closed: { type: "date" },
  plans: { type: "file" },
} as const;

function faults(actions: object, given: object = properties): string[] {
  const creation = { name: "Thing", slug: "thing", properties: given, actions };
  return definitionFaults(objectTypeCreation.parse(creation)).map(
    ({ pointer, detail }) => `${pointer} ${detail}`,
  );
}

test("checks the values that an action sets against its properties", () => {
  const set = {
    title: "too long",
    amount: "7",
    status: "lost",
    closed: "tomorrow",
    plans: { filename: "a.pdf" },
  };
  expect(faults([{ name: "close", set }])).toEqual([
    "#/actions/0/set/title has 8 characters; must have at most 5",
    "#/actions/0/set/amount must be an integer",
    '#/actions/0/set/status must be one of "open", "closed"',
    "#/actions/0/set/closed must be a date, as 2026-11-21",
    "#/actions/0/set/plans is a file, which no action can set",
  ]);
});

test("an action may remove optional values, and set valid values and parameters", () => {
  const parameters = { by: { type: "string" } };
  const set = { amount: null, status: "closed", title: { $parameter: "by" } };
  expect(faults([{ name: "close", parameters, set }])).toEqual([]);
  expect(faults([{ name: "close", set: { title: null } }])).toEqual([
    "#/actions/0/set/title is required and can't be removed",
  ]);
});

test("a transition is between states, which are text", () => {
  const transition = { property: "amount", from: ["1"], to: "2" };
  expect(faults([{ name: "raise", transition }])).toEqual([
    "#/actions/0/transition/property has the type integer; a state must be text",
  ]);
});

test("nothing is held to a property that is not sound itself", () => {
  const broken = { code: { type: "string", pattern: "(a" } };
  expect(faults([{ name: "set", set: { code: "a" } }], broken)).toEqual([
    expect.stringMatching(/^#\/properties\/code\/pattern /),
  ]);
});
