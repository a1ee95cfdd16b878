import { expect, test } from "vitest";
import { headersOf, isUsable } from "#server/domains/webhook-sources/wire.ts";

test.each([
  ["active", "tenant-staff", true],
  ["disabled", "tenant-staff", false],
  // The key has ended with the membership of its maker.
  ["active", null, false],
] as const)("a source that is %s with the role %j receives calls: %j", (state, role, expected) => {
  expect(isUsable({ state, role })).toBe(expected);
});

test("stored headers that are no texts are refused", () => {
  expect(headersOf({ headers: '{"x-event":"push"}' })).toEqual({ "x-event": "push" });
  expect(() => headersOf({ headers: '{"x-event":1}' })).toThrow("expected string");
});
