import { afterAll, beforeAll, expect, test } from "vitest";
import { createExternalWorld, type ExternalWorld } from "#test/support/external-provider.ts";
import { field } from "#test/support/platform.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";

describeEachDatabase("the keys of a member by a group rule", ({ create }) => {
  let database: TestDatabase;
  let world: ExternalWorld;

  beforeAll(async () => {
    database = await create();
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
});
