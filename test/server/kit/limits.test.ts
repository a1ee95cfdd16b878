import { expect, test } from "vitest";
import { restorableUntil } from "#server/kit/limits.ts";

test("what is deleted can be restored for the days of the trash, if there is one", () => {
  const now = new Date("2026-02-27T12:00:00Z");
  expect(restorableUntil(now, 7)).toBe("2026-03-06T12:00:00.000Z");
  expect(restorableUntil(now, 0)).toBe(undefined);
});
