import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";
import { inTenant, makeSource, sourcesPath } from "./senders.ts";

describePlatform("sources of a workspace", (the) => {
  test("are at most 100, and take no place of its keys", async () => {
    const admin = () => the().as("tenant-admin");
    const { tenant } = the().workspaces;
    await makeSource(the());
    const body = { name: "sender", mapping: "empty" };
    for (let count = 1; count < 100; count += 1) {
      const made = await admin().post(sourcesPath, body, inTenant(the()));
      expect(made.status, made.text).toBe(201);
    }
    expect(await admin().post(sourcesPath, body, inTenant(the()))).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("at most 100") },
    });
    const key = { name: "a key", role: "tenant-viewer" };
    const keys = `/v4/platform/tenants/${tenant}/keys`;
    expect(await admin().post(keys, key)).toMatchObject({ status: 201 });
  });
});
