import { afterAll, beforeAll, expect, test } from "vitest";
import { createExternalWorld, type ExternalWorld } from "#test/support/external-provider.ts";
import { field } from "#test/support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";

describeEachDatabase("the keys of a member by a group rule", ({ engine }) => {
  let database: TestDatabase;
  let world: ExternalWorld;

  beforeAll(async () => {
    database = await createPlatformTables(engine);
    world = await createExternalWorld(database);
  });
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  test("lose permissions with the rule, and with another group of the member", async () => {
    const tenant = `/v4/platform/tenants/${world.workspace}`;
    const give = (value: string, role: string) =>
      world.admin.post(`${tenant}/group-rules`, { value, role });
    await give("leads", "tenant-admin");
    await give("readers", "tenant-viewer");
    const eve = await world.as("eve", { groups: ["leads"] });
    const made = await eve.post(`${tenant}/keys`, { name: "Sync", role: "tenant-admin" });
    expect(made.status, made.text).toBe(201);
    const listed = async () => field((await world.admin.get(`${tenant}/keys`)).json, "items");
    const lowered = await give("leads", "tenant-builder");
    expect(lowered.json).toMatchObject({
      keys: [{ name: "Sync", status: "lowered", role: "tenant-builder" }],
    });
    expect(await listed()).toMatchObject([{ name: "Sync", role: "tenant-builder" }]);
    const moved = await world.as("eve", { groups: ["readers"] }, 1);
    expect((await moved.get("/v4/identity/tenants")).json).toMatchObject({
      items: [{ role: "tenant-viewer" }],
    });
    expect(await listed()).toMatchObject([{ name: "Sync", role: "tenant-viewer" }]);
  });

  test("end with the membership: when the group has lost its member, or its rule", async () => {
    const tenant = `/v4/platform/tenants/${world.workspace}`;
    const rule = { value: "owners", role: "tenant-admin" };
    const { json } = await world.admin.post(`${tenant}/group-rules`, rule);
    const make = async (person: string, issuedAgo: number) => {
      const call = await world.as(person, { groups: ["owners"] }, issuedAgo);
      const made = await call.post(`${tenant}/keys`, { name: person, role: "tenant-staff" });
      expect(made.status, made.text).toBe(201);
    };
    const keyOf = async (name: string) => {
      const items = field((await world.admin.get(`${tenant}/keys`)).json, "items");
      return Array.isArray(items) ? items.find((item) => field(item, "name") === name) : undefined;
    };
    const entryOf = async (action: string) => {
      const { json: found } = await world.admin.get(`${tenant}/audit?action=${action}&limit=1`);
      return field(found, "items");
    };
    await make("kim", 0);
    const moved = await world.as("kim", { groups: ["elsewhere"] }, 1);
    expect((await moved.get("/v4/identity/tenants")).json).toMatchObject({ items: [] });
    expect(await keyOf("kim")).toMatchObject({ status: "revoked" });
    const ended = { changes: { after: { keys: [{ name: "kim", status: "revoked" }] } } };
    expect(await entryOf("groupRules.ended")).toMatchObject([ended]);

    await make("lou", 0);
    const ruleId = String(field(json, "ruleId"));
    const deleted = await world.admin.delete(`${tenant}/group-rules/${ruleId}`);
    const keys = [{ name: "lou", status: "revoked" }];
    expect(deleted.json).toMatchObject({ removedMembers: 1, keys });
    expect(await keyOf("lou")).toMatchObject({ status: "revoked" });
    expect(await entryOf("groupRules.delete")).toMatchObject([{ changes: { after: { keys } } }]);
  });
});
