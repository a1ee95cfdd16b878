import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { newRoot, text } from "../world.ts";
import { newKey } from "./new-key.ts";

const members = (workspace: string): string => `/v4/platform/tenants/${workspace}/members`;

describePlatform("keys of service accounts", (the) => {
  test("have no token in the database, nor in a repeated answer", async () => {
    const root = await newRoot(the());
    const keys = `/v4/platform/tenants/${root}/keys`;
    const headers = { "idempotency-key": crypto.randomUUID() };
    const body = { name: "Once", role: "tenant-viewer" };
    const admin = the().as("system-admin");
    const first = await admin.post(keys, body, { headers });
    const again = await admin.post(keys, body, { headers });
    expect(text(first, "token")).toMatch(/^svc_/);
    expect(again.status).toBe(201);
    expect(again.text).not.toContain("svc_");
    expect(field(again.json, "key")).toEqual(field(first.json, "key"));
    expect(again.json).toMatchObject({ note: expect.stringContaining("first answer only") });
  });

  test("end at their time, and note their last use", async () => {
    const root = await newRoot(the());
    const expiresAt = new Date(the().now().getTime() + 60 * 60 * 1000).toISOString();
    const { id, call } = await newKey(the(), root, { role: "tenant-viewer", expiresAt });
    const keys = `/v4/platform/tenants/${root}/keys`;
    await call.get(members(root));
    const used = async (): Promise<string> => {
      const { json } = await the().as("system-admin").get(keys);
      return String(field((field(json, "items") as unknown[])[0], "lastUsedAt"));
    };
    const first = await used();
    expect(first).toMatch(/^\d{4}-/);
    await call.get(members(root));
    expect(await used()).toBe(first);
    the().advance(61_000);
    await call.get(members(root));
    expect((await used()) > first).toBe(true);
    the().advance(60 * 60 * 1000);
    expect((await call.get(members(root))).json).toMatchObject({ code: "token-expired" });
    const listed = await the().as("system-admin").get(keys);
    expect(listed.json).toMatchObject({ items: [{ keyId: id, status: "expired" }] });
  });
});
