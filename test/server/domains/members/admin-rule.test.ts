import { expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { membersPath, newMember, newRoot, text } from "./world.ts";

/** The caller's own member id in a workspace. */
async function ownId(the: TestPlatform, workspace: string): Promise<string> {
  const path = `/v4/platform/tenants/${workspace}/users/by-email?email=admin@localhost`;
  return text(await the.as("system-admin").get(path), "memberId");
}

describePlatform("the last admin", (the) => {
  test("can not lose the role, be removed, be disabled or leave", async () => {
    const root = await newRoot(the());
    await newMember(the(), root, { role: "tenant-builder" });
    const admin = the().as("system-admin");
    const own = `${membersPath(root)}/${await ownId(the(), root)}`;
    const answers = [
      await admin.patch(`${own}/roles`, { role: "tenant-builder" }),
      await admin.post(`${membersPath(root)}/invite`, {
        email: "admin@localhost",
        role: "tenant-viewer",
        force: true,
      }),
      await admin.delete(own),
      await admin.post(`${own}/disable`),
      await admin.post(`${membersPath(root)}/leave`),
    ];
    for (const { json } of answers) expect(json).toMatchObject({ status: 409, code: "conflict" });
  });

  test("stays when two admins act at once", async () => {
    const rounds = 8;
    for (let round = 0; round < rounds; round += 1) {
      const root = await newRoot(the());
      const other = await newMember(the(), root, { role: "tenant-admin" });
      const own = await ownId(the(), root);
      const path = membersPath(root);
      const admin = the().as("system-admin");
      const acts = [
        [() => admin.post(`${path}/leave`), () => other.call.post(`${path}/leave`)],
        [
          () => admin.delete(`${path}/${other.memberId}`),
          () => other.call.delete(`${path}/${own}`),
        ],
        [
          () => admin.patch(`${path}/${other.memberId}/roles`, { role: "tenant-viewer" }),
          () => other.call.patch(`${path}/${own}/roles`, { role: "tenant-viewer" }),
        ],
        [
          () => admin.post(`${path}/${other.memberId}/disable`),
          () => other.call.post(`${path}/${own}/disable`),
        ],
      ][round % 4];
      const answers = await Promise.all((acts ?? []).map((act) => act()));
      const done = answers.filter(({ status }) => status === 200);
      expect(done, JSON.stringify(answers.map(({ text: body }) => body))).toHaveLength(1);
      const left = await Promise.all([admin.get(path), other.call.get(path)]);
      const [list] = left.filter(({ status }) => status === 200);
      const items = field(list?.json, "items") as { role: string; status: string }[];
      const admins = items.filter(
        ({ role, status }) => role === "tenant-admin" && status === "active",
      );
      expect(admins).toHaveLength(1);
    }
  });

  test("of many who leave at once stays", async () => {
    const root = await newRoot(the());
    const people = [];
    for (let count = 0; count < 6; count += 1) {
      people.push(await newMember(the(), root, { role: "tenant-admin" }));
    }
    const callers = [the().as("system-admin"), ...people.map(({ call }) => call)];
    const answers = await Promise.all(
      callers.map((each) => each.post(`${membersPath(root)}/leave`)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(callers.length - 1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  });
});
