import { expect, test } from "vitest";
import { ChangeCount } from "#server/kit/change-count.ts";

test("a count over the same memory has the same value", () => {
  const count = new ChangeCount();
  const follower = new ChangeCount(count.memory);
  count.raise();
  follower.raise();
  expect([count.value, follower.value, new ChangeCount().value]).toEqual([2, 2, 0]);
});
