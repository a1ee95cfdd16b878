import { expect, test } from "vitest";
import { chained } from "#server/kit/promisable.ts";

test("a value is passed on at once", () => {
  expect(chained(2, (value) => value + 1)).toBe(3);
});

test("a promise is waited for", async () => {
  expect(await chained(Promise.resolve(2), (value) => value + 1)).toBe(3);
});

test("a failure is thrown for a value, and a rejection for a promise", async () => {
  const fail = (): never => {
    throw new RangeError("too far");
  };
  expect(() => chained(2, fail)).toThrow(RangeError);
  await expect(chained(Promise.resolve(2), fail)).rejects.toThrow(RangeError);
  await expect(chained(Promise.reject(new RangeError("lost")), fail)).rejects.toThrow("lost");
});
