import { expect, test } from "vitest";
import { RecentShares } from "#server/kit/turns/recent-shares.ts";

test("another share counts for 50 ms after its last request", () => {
  const recent = new RecentShares();
  expect(recent.hasOther("a", 0)).toBe(false);
  recent.note("a", 0);
  expect(recent.hasOther("a", 1)).toBe(false);
  recent.note("b", 10);
  recent.note("a", 20);
  recent.note("a", 30);
  expect(recent.hasOther("a", 59)).toBe(true);
  expect(recent.hasOther("b", 59)).toBe(true);
  expect(recent.hasOther("a", 60)).toBe(false);
});
