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

test("a meaning fits its type, and has its currency and its closed states", () => {
  const fitting = {
    reference: { type: "string", meaning: "title" },
    due: { type: "date", meaning: "due" },
    fee: { type: "number", meaning: "money", currency: "GBP" },
    deposit: { type: "integer", meaning: "money", currency: "JPY" },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { price: { type: "number", meaning: "money", currency: "EUR" } },
      },
    },
    status: { type: "enum", enum: ["open", "done"], meaning: "status", closed: ["done"] },
  };
  expect(faults([], fitting)).toEqual([]);
});

test("names each meaning, currency and closed state that does not fit", () => {
  expect(
    faults([], {
      name: { type: "integer", meaning: "title" },
      due: { type: "string", meaning: "due" },
      fee: { type: "number", meaning: "money" },
      deposit: { type: "number", meaning: "money", currency: "ABC" },
      weight: { type: "number", currency: "GBP" },
      state: { type: "string", meaning: "status" },
      stage: { type: "enum", enum: ["a", "b"], meaning: "status", closed: ["b", "c", "b"] },
      kind: { type: "enum", enum: ["a"], closed: ["a"] },
      place: { type: "object", properties: { until: { type: "date", meaning: "due" } } },
    }),
  ).toEqual([
    "#/properties/name/meaning can't be title: the type must be string or text or email or url",
    "#/properties/due/meaning can't be due: the type must be date or datetime",
    "#/properties/fee/currency is required for the meaning money",
    "#/properties/deposit/currency must be a code of ISO 4217, e.g. GBP",
    "#/properties/weight/currency applies only to the meaning money",
    "#/properties/state/meaning can't be status: the type must be enum",
    "#/properties/stage/closed has a state twice",
    "#/properties/stage/closed/1 must be one of the property's choices",
    "#/properties/kind/closed applies only to the meaning status",
    "#/properties/place/properties/until/meaning can't be due: the property must be at the top level",
    '#/properties/stage/meaning can\'t be status: "state" already is',
  ]);
});

test("a type has one title, one due date and one status, and any number of amounts", () => {
  const twice = {
    name: { type: "string", meaning: "title" },
    label: { type: "string", meaning: "title" },
    fee: { type: "number", meaning: "money", currency: "GBP" },
    deposit: { type: "number", meaning: "money", currency: "GBP" },
  };
  expect(faults([], twice)).toEqual([
    '#/properties/label/meaning can\'t be title: "name" already is',
  ]);
});
