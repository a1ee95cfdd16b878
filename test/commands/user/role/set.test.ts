import { expect, test } from "vitest";
import { id, sent, workspace } from "../../stub-platform.ts";

test("a member is named by id or address", async () => {
  expect(await sent(`user role set --member-id ${id} --role tenant-staff`)).toMatchObject({
    exitCode: 0,
    requests: [
      ["members.setRole", { tenantId: workspace, memberId: id }, { role: "tenant-staff" }],
    ],
    stdout: "member  0198f0a0-2222-7000-8000-000000000002\ne-mail  ada@example.org\nrole    word\n",
  });
});

test.each(["user role set --role tenant-staff", `user role set --member-id ${id}`])(
  "%s is refused before any request",
  async (words) => {
    expect(await sent(words)).toMatchObject({ exitCode: 2, requests: [] });
  },
);
