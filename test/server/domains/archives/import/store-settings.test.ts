import { beforeAll, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { fillWorkspace, importedArchive, takenArchive } from "../world.ts";

describePlatform("endpoints, sources and rules of an archive", (the) => {
  let headers: Record<string, string>;

  beforeAll(async () => {
    await fillWorkspace(the());
    const own = { name: "Mine", kind: "event", types: ["application"] };
    const from = { headers: { "x-tenant-id": the().workspaces.tenant } };
    const made = await the().as("tenant-builder").post("/v4/realtime/alert-rules", own, from);
    expect(made.status, made.text).toBe(201);
    const { bytes } = await takenArchive(the());
    const { other } = the().workspaces;
    headers = { "x-tenant-id": other };
    const state = await importedArchive(the(), other, bytes, "outsider");
    const refused = [{ part: "alert-rules", reason: "#/userId is not a member of this workspace" }];
    expect(state, JSON.stringify(state)).toMatchObject({
      status: "completed_with_errors",
      refused,
    });
    const again = await importedArchive(the(), other, bytes, "outsider");
    expect(again.parts).toContainEqual(
      expect.objectContaining({ name: "webhook-sources", stored: 0, leftOut: 1 }),
    );
  });

  const only = async (path: string): Promise<unknown> => {
    const answer = await the().as("outsider").get(path, { headers });
    const items = field(answer.json, "items");
    expect(items, answer.text).toHaveLength(1);
    return Array.isArray(items) ? items[0] : undefined;
  };

  test("an endpoint is enabled once it has an address and another secret", async () => {
    const admin = the().as("outsider");
    const endpoint = await only("/v4/webhooks/endpoints");
    expect(endpoint).toMatchObject({
      url: null,
      description: "Feed",
      status: "disabled",
      disabledReason: "imported",
    });
    const path = `/v4/webhooks/endpoints/${String(field(endpoint, "id"))}`;
    const tooEarly = await admin.post(`${path}/enable`, undefined, { headers });
    expect(tooEarly.status).toBe(409);
    expect(tooEarly.text).toContain("give it a URL and rotate its secret");
    expect((await admin.post(`${path}/pull`, {}, { headers })).status).toBe(409);

    const url = "https://hooks.example/new";
    const addressed = await admin.patch(path, { url, enabled: true }, { headers });
    expect(addressed.status, addressed.text).toBe(409);
    expect((await admin.patch(path, { url }, { headers })).status).toBe(200);
    const rotated = await admin.post(`${path}/rotate`, undefined, { headers });
    expect(rotated.json).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
    expect(field(rotated.json, "rotatesUntil")).toBeNull();
    const enabled = await admin.post(`${path}/enable`, undefined, { headers });
    expect(enabled.json).toMatchObject({ status: "active", url, disabledReason: null });
  });

  test("a source gets a new address, and is enabled once its secret was rotated", async () => {
    const admin = the().as("outsider");
    const source = await only("/v4/webhooks/sources");
    expect(source).toMatchObject({ name: "Scanner", status: "disabled" });
    const path = `/v4/webhooks/sources/${String(field(source, "source"))}`;
    const tooEarly = await admin.patch(path, { enabled: true }, { headers });
    expect(tooEarly.status).toBe(409);
    expect(tooEarly.text).toContain("rotate its secret");
    const rotated = await admin.post(`${path}/rotate`, undefined, { headers });
    expect(rotated.status, rotated.text).toBe(200);
    const enabled = await admin.patch(path, { enabled: true }, { headers });
    expect(enabled.json).toMatchObject({ status: "active", role: "tenant-staff" });
    const call = { "x-webhook-token": String(field(rotated.json, "secret")) };
    const own = new URL(String(field(enabled.json, "url"))).pathname;
    const received = await admin.post(own, { a: 1 }, { headers: call });
    expect(received.status, received.text).toBe(202);
  });

  test("a rule keeps its recipient, and raises alerts once it is enabled", async () => {
    const rule = await only("/v4/realtime/alert-rules");
    expect(rule).toMatchObject({
      name: "New applications",
      role: "tenant-staff",
      enabled: false,
      disabledReason: "imported",
    });
    const path = `/v4/realtime/alert-rules/${String(field(rule, "id"))}`;
    const enabled = await the().as("outsider").patch(path, { enabled: true }, { headers });
    expect(enabled.json).toMatchObject({ enabled: true, disabledReason: null });
  });
});
