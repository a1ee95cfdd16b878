import { describe, expect, test } from "vitest";
import { apiCases, faultyBodies } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { invite, membersPath, newMember, newRoot, text } from "./world.ts";

const path = "/v4/platform/tenants/{tenant}/members/invite";
const accept = "/v4/identity/invitations/accept";
const decline = "/v4/identity/invitations/decline";

describePlatform("invitations", (the) => {
  apiCases(the, [
    {
      name: "are pending, with the lowest role by default, and their link is shown",
      method: "POST",
      path,
      body: { email: "New.Person@example.org", firstName: "New", lastName: "Person" },
      expect: {
        status: 201,
        body: {
          member: { email: "New.Person@example.org", role: "tenant-viewer", status: "invited" },
          invitation: { status: "pending", delivery: "link", expiresAt: expect.any(String) },
          secret: expect.stringMatching(/^[\w-]{43}$/),
          link: expect.stringMatching(/\/auth\/invitation\?secret=[\w-]{43}$/),
        },
        excludes: ["assword"],
      },
    },
    {
      name: "of a member change the role at once",
      method: "POST",
      path,
      body: { email: "Tenant-Viewer@example.org", role: "tenant-viewer" },
      expect: {
        status: 201,
        body: { member: { role: "tenant-viewer", status: "active" } },
        excludes: ["secret", "link"],
      },
    },
    {
      name: "of a member without a role keep the role",
      method: "POST",
      path,
      body: { email: "tenant-builder@example.org" },
      expect: { status: 201, body: { member: { role: "tenant-builder", status: "active" } } },
    },
    ...faultyBodies({ path }, [
      [
        "with a role definition that is not of this workspace are refused",
        { email: "a@example.org", roleDefinitionId: "01900000-0000-7000-8000-00000000dead" },
        "#/roleDefinitionId",
      ],
      [
        "with two roles are refused",
        { email: "a@example.org", role: "tenant-staff", roleDefinitionId: "tenant-staff" },
        "#/roleDefinitionId",
      ],
      [
        "with faults point to each",
        { email: "no address", role: "king", redirectUri: "here" },
        "#/email",
        "#/role",
        "#/redirectUri",
      ],
    ]),
    ...["javascript:alert(1)", "https://bank@evil.example/"].map((redirectUri) => ({
      name: `refuse the redirect address ${redirectUri}`,
      method: "POST",
      path,
      body: { email: "a@example.org", redirectUri },
      expect: { status: 422, pointers: ["#/redirectUri"] },
    })),
    {
      name: "of a child need a membership there",
      method: "POST",
      path: "/v4/platform/tenants/{child}/members/invite",
      body: { email: "friend@example.org" },
      expect: { status: 404, code: "not-found" },
    },
    ...[accept, decline].map((address) => ({
      name: `${address} with an unknown secret`,
      method: "POST",
      path: address,
      body: { secret: "guess" },
      expect: { status: 404, code: "not-found" as const },
    })),
    ...[accept, decline].map((address) => ({
      name: `${address} without a secret`,
      method: "POST",
      path: address,
      body: {},
      expect: { status: 422, pointers: ["#/secret"] },
    })),
  ]);

  describe("give a role", () => {
    test("only once they are accepted", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, {
        email: "tenant-staff@example.org",
        role: "tenant-builder",
      });
      const staff = the().as("tenant-staff");
      expect((await staff.get(membersPath(root))).status).toBe(404);
      const before = await staff.get("/v4/identity/tenants");
      expect(before.text).not.toContain(root);
      const listed = await the().as("system-admin").get(membersPath(root));
      expect(listed.text).not.toContain("tenant-staff@");
      const accepted = await staff.post(accept, { secret });
      expect(accepted.json).toMatchObject({ id: root, role: "tenant-builder" });
      expect((await staff.get(membersPath(root))).status).toBe(200);
    });

    test("once: a used secret is void", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, { email: "once@example.org" });
      expect((await the().as("tenant-staff").post(accept, { secret })).status).toBe(200);
      expect((await the().as("outsider").post(accept, { secret })).status).toBe(404);
      expect((await the().as("outsider").post(decline, { secret })).status).toBe(404);
    });

    test("to one of two who use the secret at once", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, { email: "race@example.org" });
      const both = await Promise.all(
        (["tenant-staff", "outsider"] as const).map((user) =>
          the().as(user).post(accept, { secret }),
        ),
      );
      expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(both.filter(({ status }) => status === 404)).toHaveLength(1);
    });

    test("to no account that another workspace's admin has made", async () => {
      const [attackers, root] = [await newRoot(the()), await newRoot(the())];
      const squatter = await newMember(the(), attackers);
      const secret = await invite(the(), root, { email: squatter.email, role: "tenant-admin" });
      // The address of the account alone gives nothing.
      expect((await squatter.call.get(membersPath(root))).status).toBe(404);
      expect((await squatter.call.get("/v4/identity/tenants")).text).not.toContain(root);
      const invited = await the().as("tenant-viewer").post(accept, { secret });
      expect(invited.json).toMatchObject({ id: root, role: "tenant-admin" });
      expect((await squatter.call.get(membersPath(root))).status).toBe(404);
    });

    test("with fewer permissions to a member only with force", async () => {
      const root = await newRoot(the());
      const { email, memberId } = await newMember(the(), root, { role: "tenant-builder" });
      const admin = the().as("system-admin");
      const members = membersPath(root);
      const again = (body: object) => admin.post(`${members}/invite`, { email, ...body });
      const own = { key: "reader", displayName: "Reader", permissions: ["resources.list"] };
      const made = await admin.post(`/v4/platform/tenants/${root}/role-definitions`, own);
      for (const choice of [
        { role: "tenant-viewer" },
        { role: "tenant-staff", force: false },
        { roleDefinitionId: text(made, "id") },
      ]) {
        expect(await again(choice)).toMatchObject({
          status: 409,
          json: { code: "confirmation-required", detail: expect.stringContaining(email) },
        });
      }
      const where = encodeURIComponent(JSON.stringify({ memberId }));
      const listed = await admin.get(`${members}?where=${where}`);
      expect(listed.json).toMatchObject({ items: [{ role: "tenant-builder" }] });
      const lowered = await again({ role: "tenant-viewer", force: true });
      expect(lowered).toMatchObject({ status: 201, json: { member: { role: "tenant-viewer" } } });
      const raised = await again({ role: "tenant-builder" });
      expect(raised).toMatchObject({ status: 201, json: { member: { role: "tenant-builder" } } });
    });

    test("never a lower one than the member has", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, { email: "second@example.org" });
      const accepted = await the().as("system-admin").post(accept, { secret });
      expect(accepted.json).toMatchObject({ id: root, role: "tenant-admin" });
    });
  });

  describe("end", () => {
    test("when they are declined", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, { email: "no@example.org" });
      const staff = the().as("tenant-staff");
      expect((await staff.post(decline, { secret })).json).toMatchObject({ status: "declined" });
      expect((await staff.post(accept, { secret })).status).toBe(404);
    });

    test("when a later one replaces them", async () => {
      const root = await newRoot(the());
      const first = await invite(the(), root, { email: "twice@example.org" });
      const second = await invite(the(), root, {
        email: "TWICE@example.org",
        role: "tenant-staff",
      });
      const staff = the().as("tenant-staff");
      expect((await staff.post(accept, { secret: first })).status).toBe(404);
      expect((await staff.post(accept, { secret: second })).json).toMatchObject({
        role: "tenant-staff",
      });
    });

    test("when they are revoked, which only an admin of the workspace may", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, { email: "revoked@example.org" });
      const admin = the().as("system-admin");
      const list = `/v4/platform/tenants/${root}/invitations`;
      const [item] = field((await admin.get(list)).json, "items") as { invitationId: string }[];
      const one = `/${item?.invitationId ?? ""}`;
      expect(
        (
          await the()
            .as("outsider")
            .delete(list + one)
        ).status,
      ).toBe(404);
      const elsewhere = `/v4/platform/tenants/${the().workspaces.other}/invitations`;
      expect(
        (
          await the()
            .as("outsider")
            .delete(elsewhere + one)
        ).status,
      ).toBe(404);
      expect((await admin.delete(list + one)).json).toMatchObject({ status: "revoked" });
      expect((await admin.delete(list + one)).status).toBe(404);
      expect((await the().as("tenant-staff").post(accept, { secret })).status).toBe(404);
    });

    test("after seven days", async () => {
      const root = await newRoot(the());
      const secret = await invite(the(), root, { email: "late@example.org" });
      const { invitations } = the().platform.services;
      await expect(invitations.open(secret)).resolves.toMatchObject({ email: "late@example.org" });
      the().advance(7 * 24 * 60 * 60 * 1000 + 1);
      try {
        await expect(invitations.open(secret)).rejects.toThrow("has expired");
      } finally {
        the().advance(-(7 * 24 * 60 * 60 * 1000 + 1));
      }
    });
  });
});
