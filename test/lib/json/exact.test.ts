import { expect, test } from "vitest";
import fc from "fast-check";
import { inexactNumberIn, keepsDigits } from "#lib/json/exact.ts";

test.each([
  "0",
  "-9007199254740991",
  "9007199254740992",
  // JavaScript's own text of a large number, and a power of two in full.
  "123456789012345680000",
  "1180591620717411303424",
])("%s comes back as it is", (digits) => {
  expect(keepsDigits(digits)).toBe(true);
});

test.each(["9007199254740993", "-9007199254740993", "12345678901234567890", "9".repeat(400)])(
  "%s would come back as another number",
  (digits) => {
    expect(keepsDigits(digits)).toBe(false);
  },
);

test("fractions and powers of ten are rounded as everywhere", () => {
  expect(["0.30000000000000004441", "1234567890123456789.5", "1e22"].map(keepsDigits)).toEqual([
    true,
    true,
    true,
  ]);
});

test("what a number of ours is written as is always kept", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      expect(inexactNumberIn(JSON.stringify([number]))).toBeUndefined();
    }),
  );
});

test("the first such number is found wherever it stands", () => {
  expect(inexactNumberIn("9007199254740993")).toEqual([]);
  expect(inexactNumberIn('{"a":[1,{"b/c": 9007199254740993}],"d":9007199254740993}')).toEqual([
    "a",
    1,
    "b/c",
  ]);
  expect(inexactNumberIn("[1,\n-9007199254740993]")).toEqual([1]);
});

test("digits in texts and in names are none", () => {
  expect(inexactNumberIn('{"9007199254740993":"id:9007199254740993,[9007199254740993]"}')).toBe(
    undefined,
  );
});
