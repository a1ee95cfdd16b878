import { expect, test } from "vitest";
import { shuttingDown } from "#server/work/refusals.ts";

test("the clients of a platform that stops come back at different times, within 3 to 8 s", () => {
  const seconds = Array.from({ length: 300 }, () =>
    Number(shuttingDown().options.headers?.["retry-after"]),
  );
  expect(new Set(seconds)).toEqual(new Set([3, 4, 5, 6, 7, 8]));
});
