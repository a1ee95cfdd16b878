import { expect, test } from "vitest";
import {
  invitationLink,
  invitationOf,
  invitedOf,
  noted,
  onceWords,
} from "#server/domains/members/invitation-wire.ts";

const row = {
  id: "i",
  email: "a@b.test",
  role: "tenant-staff",
  role_definition_id: "r",
  role_key: "clerk",
  first_name: "Ada",
  last_name: null,
  delivery: "odd",
  invited_by: "u",
  created_at: "2026-01-01",
  expires_at: "2026-01-08",
} as never;

test("an invitation has its role and names, and an unknown delivery is a link", () => {
  expect(invitationOf(row)).toMatchObject({
    invitationId: "i",
    role: "tenant-staff",
    roleName: "clerk",
    firstName: "Ada",
    status: "pending",
    delivery: "link",
  });
  expect(invitationOf(row)).not.toHaveProperty("lastName");
  expect(invitedOf(row).member).toMatchObject({ memberId: "i", status: "invited" });
  expect(noted(row)).toEqual({ invitationId: "i", email: "a@b.test" });
});

test("the link has the secret, and a repeated answer has none", () => {
  expect(invitationLink("https://a.test", "s")).toMatch(/^https:\/\/a\.test\/auth\/.+\?secret=s$/);
  expect(onceWords({ delivery: "link" } as never)).toMatch(/invite again/);
  expect(onceWords({ delivery: "mail" } as never)).toMatch(/mail was handed over/);
});
