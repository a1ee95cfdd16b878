import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { membersPath, newMember, newRoot, text } from "./world.ts";

const path = "/v4/platform/tenants/{tenant}/role-definitions";
const absent = "01900000-0000-7000-8000-00000000dead";

describePlatform("role definitions", (the) => {
  apiCases(the, [
    {
      name: "begin with the base roles and their permissions",
      as: "tenant-viewer",
      method: "GET",
      path,
      expect: {
        status: 200,
        body: {
          items: [
            { id: "tenant-viewer", kind: "base" },
            {
              id: "tenant-staff",
              kind: "base",
              permissions: expect.arrayContaining(["resources.create", "resources.list"]),
            },
            { id: "tenant-builder", kind: "base" },
            { id: "tenant-admin", permissions: expect.arrayContaining(["members.invite"]) },
          ],
        },
      },
    },
    {
      name: "are made of permissions",
      method: "POST",
      path,
      body: {
        key: "importer",
        displayName: "Importer",
        permissions: ["resources.create", "documents.*"],
      },
      expect: {
        status: 201,
        body: {
          key: "importer",
          kind: "custom",
          role: "tenant-viewer",
          permissions: expect.arrayContaining(["resources.create", "documents.upload"]),
        },
        excludes: ['"resources.delete"'],
      },
    },
    {
      name: "have unique keys",
      method: "POST",
      path,
      sentBefore: "as it is",
      body: { key: "double", displayName: "Double", permissions: ["resources.list"] },
      expect: { status: 409, code: "already-exists", pointers: ["#/key"] },
    },
    {
      name: "have no key of a base role",
      method: "POST",
      path,
      body: { key: "tenant-admin", displayName: "King", permissions: ["resources.list"] },
      expect: { status: 409, code: "already-exists", pointers: ["#/key"] },
    },
    {
      name: "have no permission of an admin, and none that is unknown",
      method: "POST",
      path,
      body: {
        key: "climber",
        displayName: "Climber",
        permissions: ["members.setRole", "resources.fly", "nothing.*", "workspaces.createRoot"],
      },
      expect: {
        status: 422,
        pointers: ["#/permissions/0", "#/permissions/1", "#/permissions/2", "#/permissions/3"],
      },
    },
    {
      name: "have a key in kebab-case, a name and a permission",
      method: "POST",
      path,
      body: { key: "No Key", displayName: " ", permissions: [] },
      expect: { status: 422, pointers: ["#/key", "#/displayName", "#/permissions"] },
    },
    {
      name: "that do not exist cannot be changed",
      method: "PATCH",
      path: `${path}/${absent}`,
      body: { displayName: "New" },
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "that do not exist cannot be deleted",
      method: "DELETE",
      path: `${path}/${absent}`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "with an invalid id are pointed to",
      method: "DELETE",
      path: `${path}/tenant-staff`,
      expect: { status: 422, pointers: ["#/path/roleDefinitionId"] },
    },
  ]);

  test("let a member do what they name, and nothing else, and change at once", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const roles = `/v4/platform/tenants/${root}/role-definitions`;
    const made = await admin.post(roles, {
      key: "reader",
      displayName: "Reader",
      permissions: ["members.list", "members.roleDefinitions"],
    });
    const id = text(made, "id");
    const person = await newMember(the(), root, { roleDefinitionId: id });
    expect((await person.call.get(membersPath(root))).json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ oid: person.oid, roleDefinitionId: id, roleName: "reader" }),
      ]),
    });
    const types = `/v4/data/resources/object-types`;
    const headers = { "x-tenant-id": root };
    expect((await person.call.get(types, { headers })).json).toMatchObject({
      status: 403,
      detail: "This needs the permission objectTypes.list, which the role reader lacks",
      requiredRole: "tenant-viewer",
      currentRole: "reader",
      permission: "objectTypes.list",
    });
    const question = { capability: "objectTypes.list", tenantId: root };
    expect(
      (await person.call.post("/v4/platform/capabilities/evaluate", question)).json,
    ).toMatchObject({
      allowed: false,
      reason: "needs the permission objectTypes.list or tenant-viewer; you are reader",
    });
    const changed = await admin.patch(`${roles}/${id}`, { permissions: ["objectTypes.*"] });
    expect(changed.json).toMatchObject({ key: "reader", displayName: "Reader" });
    expect((await person.call.get(types, { headers })).status).toBe(200);
    expect((await person.call.get(membersPath(root))).status).toBe(403);
    // Every member may leave a workspace.
    expect((await person.call.post(`${membersPath(root)}/leave`)).status).toBe(200);
  });

  test("that include all of a base role count as it", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const roles = `/v4/platform/tenants/${root}/role-definitions`;
    const list = field((await admin.get(roles)).json, "items") as { permissions: string[] }[];
    const permissions = list[1]?.permissions ?? [];
    const body = { key: "clerk", displayName: "Clerk", permissions };
    expect((await admin.post(roles, body)).json).toMatchObject({ role: "tenant-staff" });
  });

  test("stay while a member or an invitation has them", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const roles = `/v4/platform/tenants/${root}/role-definitions`;
    const body = { key: "kept", displayName: "Kept", permissions: ["members.list"] };
    const id = text(await admin.post(roles, body), "id");
    const person = await newMember(the(), root, { roleDefinitionId: id });
    expect((await admin.delete(`${roles}/${id}`)).json).toMatchObject({ status: 409 });
    await admin.delete(`${membersPath(root)}/${person.memberId}`);
    expect((await admin.delete(`${roles}/${id}`)).status).toBe(200);
    expect((await admin.delete(`${roles}/${id}`)).status).toBe(404);
  });

  test("of another workspace are not found, and not given", async () => {
    const root = await newRoot(the());
    const body = { key: "mine", displayName: "Mine", permissions: ["members.list"] };
    const roles = `/v4/platform/tenants/${root}/role-definitions`;
    const id = text(await the().as("system-admin").post(roles, body), "id");
    const other = `/v4/platform/tenants/${the().workspaces.other}`;
    const outsider = the().as("outsider");
    const answers = [
      await outsider.patch(`${other}/role-definitions/${id}`, { displayName: "x" }),
      await outsider.delete(`${other}/role-definitions/${id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const given = await outsider.post(`${other}/members/invite`, {
      email: "x@example.org",
      roleDefinitionId: id,
    });
    expect(given.status).toBe(422);
  });
});
