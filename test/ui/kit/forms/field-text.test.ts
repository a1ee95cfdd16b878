import { expect, test } from "vitest";
import { itemLines, parsedText, textOf, textsIn } from "#ui/kit/forms/field-text.ts";
import { formField, textChoices, type FieldKind } from "#ui/kit/forms/form-field.ts";

const field = (kind: FieldKind, more: object = {}) => formField("a", "A", { kind, ...more });
const yesNo = {
  choices: [
    { text: "yes", value: true },
    { text: "no", value: false },
  ],
};

test.each<[ReturnType<typeof field>, unknown, string]>([
  [field("line"), "wall", "wall"],
  [field("line"), undefined, ""],
  [field("number"), 1.5, "1.5"],
  [field("list"), ["a", "b"], "a\nb"],
  [field("list"), ["a\nb"], '["a\\nb"]'],
  [field("choice", yesNo), false, "no"],
  [field("json"), { a: 1 }, '{"a":1}'],
  [field("json"), "text", '"text"'],
])("the text of %j", (one, value, text) => {
  expect(textOf(one, value)).toBe(text);
  if (value !== undefined) expect(parsedText(one, text).value).toEqual(value);
});

test.each<[ReturnType<typeof field>, string, unknown]>([
  [field("line"), "  ", undefined],
  [field("lines"), "  ", "  "],
  [field("lines"), "", undefined],
  [field("number"), " -1.5e3 ", -1500],
  [field("number"), "ten", "ten"],
  [field("choice", yesNo), "maybe", "maybe"],
  [field("list"), "[draft] a\n\n b ", ["[draft] a", "b"]],
  [field("list"), '["x"]', ["x"]],
])("%j reads a text", (one, text, value) => {
  expect(parsedText(one, text)).toEqual({ value });
});

test("digits that a number loses, and text that is not JSON, are problems", () => {
  expect(parsedText(field("number"), "12345678901234567890")).toMatchObject({
    problem: "has more digits than a number keeps",
  });
  expect(parsedText(field("json"), "{a}").problem).toMatch(/^is not JSON/);
  expect(parsedText(field("json"), '{"a":1,"a":2}').problem).toMatch(/^a /);
  expect([itemLines(" a \n\n"), textsIn(["a", 1]), textsIn("a")]).toEqual([["a"], ["a"], []]);
  expect(textChoices(["x"])).toEqual([{ text: "x", value: "x" }]);
});
