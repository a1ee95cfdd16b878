import { expect, test } from "vitest";
import { atOnce } from "#lib/time/stepwise.ts";

test("all parts run at once, and their result is returned", () => {
  const parts: number[] = [];
  const result = atOnce(
    (function* work() {
      for (let part = 0; part < 3; part += 1) yield void parts.push(part);
      return "result";
    })(),
  );
  expect([parts, result]).toEqual([[0, 1, 2], "result"]);
});
