import { expect, test } from "vitest";
import { because, firstOf, needs, roleReason } from "#ui/kit/keys/reasons.ts";

test.each([
  ["tenant-staff", "tenant-viewer", "needs the role tenant-staff; yours is tenant-viewer"],
  ["tenant-staff", "tenant-staff", undefined],
  ["tenant-staff", "tenant-admin", undefined],
  ["tenant-staff", undefined, undefined],
  ["tenant-staff", "carrier", undefined],
])("%s for %s", (needed, role, reason) => {
  expect(roleReason(needed, role)).toBe(reason);
});

test("the platform's answer comes before the role", () => {
  const reason = needs("members.invite", "tenant-admin");
  expect(reason.of({ role: "tenant-viewer" })).toMatch(/needs the role/);
  expect(reason.of({ role: "tenant-viewer", refusals: {} })).toBe(undefined);
  expect(reason.of({ refusals: { "members.invite": "full" } })).toBe("full");
});

test("the first of several reasons is given", () => {
  const one = because(({ rows }) => (rows === 0 ? "empty" : undefined), ["a"]);
  const both = firstOf(
    one,
    because(() => "always", ["b"]),
  );
  expect([both.of({ rows: 0 }), both.of({ rows: 1 }), both.capabilities]).toEqual([
    "empty",
    "always",
    ["a", "b"],
  ]);
});
