import { expect, test } from "vitest";
import { definitionFaults } from "#contract/object-types/definition.ts";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";

function faults(properties: object): string[] {
  const creation = objectTypeCreation.parse({ name: "Thing", slug: "thing", properties });
  return definitionFaults(creation).map(({ pointer, detail }) => `${pointer} ${detail}`);
}

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
  expect(faults(fitting)).toEqual([]);
});

test("names each meaning, currency and closed state that does not fit", () => {
  expect(
    faults({
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
  expect(faults(twice)).toEqual(['#/properties/label/meaning can\'t be title: "name" already is']);
});
