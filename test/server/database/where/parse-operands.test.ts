import { expect, test } from "vitest";
import { parseKinds, parseRemainder } from "#server/database/where/parse-operands.ts";

test.each([
  ["string", ["string"]],
  [
    [1 + 1, "string", "bool"],
    ["string", "boolean"],
  ],
  [10, ["null"]],
  ["text", undefined],
  [["string", 99], undefined],
  [[], undefined],
])("$type %j names %j", (operand, kinds) => {
  expect(parseKinds(operand)).toEqual(kinds);
});

test.each([
  [[4, 1], { divisor: 4, remainder: 1 }],
  [[4.9, -1.2], { divisor: 4, remainder: -1 }],
  [[4, -0.5], { divisor: 4, remainder: 0 }],
  [[0.5, 1], undefined],
  [[2 ** 53, 1], undefined],
  [[4], undefined],
  [[4, "1"], undefined],
  [4, undefined],
])("$mod %j is %j", (operand, test) => {
  const found = parseRemainder(operand);
  expect(found).toEqual(test === undefined ? undefined : { kind: "remainder", ...test });
  expect(Object.is(found?.remainder, -0)).toBe(false);
});
