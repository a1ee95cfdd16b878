import { expect, test } from "vitest";
import { ownMember } from "#lib/own-member.ts";

test("only an own member is found", () => {
  expect(ownMember({ a: 1 }, "a")).toBe(1);
  expect(ownMember({ a: 1 }, "b")).toBe(undefined);
  expect(ownMember({}, "constructor")).toBe(undefined);
  expect(ownMember(JSON.parse('{"__proto__": 2}'), "__proto__")).toBe(2);
});
