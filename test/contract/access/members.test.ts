import { expect, test } from "vitest";
import { memberRoutes } from "#contract/access/members.ts";
import { schemaFaults } from "#contract/schema-faults.ts";

const faultOf = (body: unknown): string | undefined => {
  const { error } = memberRoutes.invite.body.schema.safeParse(body);
  const [first] = error === undefined ? [] : schemaFaults(error);
  return first === undefined ? undefined : `${first.path.join("/")} ${first.detail}`;
};
const invitation = { email: "a@b.test", role: "tenant-staff" };

test("an invitation has an address and one role", () => {
  expect(faultOf(invitation)).toBe(undefined);
  expect(faultOf({ ...invitation, roleDefinitionId: "r" })).toMatch(/exclude each other$/);
});

test.each([
  [{ email: "no" }, "email must be an e-mail address"],
  [{ redirectUri: "https://user@a.test/" }, "redirectUri"],
  [{ message: "x".repeat(2_001) }, "message must have at most 2,000 characters"],
  [{ firstName: "x".repeat(101) }, "firstName must have at most 100 characters"],
  [{ other: 1 }, "other is not known here"],
])("%j is refused", (more, fault) => {
  expect(faultOf({ ...invitation, ...more })).toContain(fault);
});
