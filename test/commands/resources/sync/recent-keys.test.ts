import { expect, test } from "vitest";
import { RecentKeys } from "#commands/resources/sync/recent-keys.ts";

test("a key is new until it was added, and is forgotten after many others", () => {
  const keys = new RecentKeys();
  expect([keys.add("a"), keys.add("a"), keys.add("b")]).toEqual([true, false, true]);
  for (let number = 0; number < 9_999; number += 1) keys.add(String(number));
  expect(keys.add("a")).toBe(false);
  for (let number = 10_000; number < 20_000; number += 1) keys.add(String(number));
  expect(keys.add("a")).toBe(true);
});
