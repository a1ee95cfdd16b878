import { expect, test } from "vitest";
import { jsonFault } from "#ui/kit/text/json-fault.ts";

test.each(['{"a": [1, -2.5e3, true, null, "x\\u00e9"]}', " [] ", "7", '""', "{}"])(
  "%s is JSON",
  (text) => {
    expect(jsonFault(text)).toBe(undefined);
    expect(() => JSON.parse(text)).not.toThrow();
  },
);

test.each([
  ["{a: 1}", 1, 'a name in quotes is missing, as in "status"'],
  ['{"a" 1}', 5, "a : is missing after the name"],
  ['{"a": 1', 7, "a , or } is missing"],
  ["[1 2]", 3, "a , or ] is missing"],
  ["[1,]", 3, 'a value is missing: "text", number, true or null'],
  ["[01]", 1, 'a value is missing: "text", number, true or null'],
  ['["open]', 1, "a closing quote is missing"],
  ["{} x", 3, "unexpected text after the closing bracket"],
  ["[".repeat(70), 65, "it is nested too deeply"],
])("the fault of %s is at %i", (text, at, words) => {
  expect(jsonFault(text)).toEqual({ at, words });
  expect(() => JSON.parse(text)).toThrow();
});
