import { expect, test } from "vitest";
import { mayRead, readsOf } from "#server/domains/alerts/reads.ts";
import { describePlatform, field, type TestUser } from "#test/support/platform.ts";

const rulesPath = "/v4/realtime/alert-rules";
const typesPath = "/v4/data/resources/object-types";
const readRoles = ["tenant-admin"];
const readers = ["tenant-viewer", "tenant-builder", "tenant-admin"] as const;

describePlatform("the alerts of a rule for everything", (the) => {
  test("are about what the feed shows to their reader", async () => {
    const workspace = the().workspaces.tenant;
    const headers = { "x-tenant-id": workspace };
    const admin = the().as("tenant-admin");
    const files = { open: { type: "file" }, closed: { type: "file", readRoles } };
    const note = { name: "Note", slug: "note", properties: files };
    expect(await admin.post(typesPath, note, { headers })).toMatchObject({ status: 201 });
    const rules = new Map<TestUser, string>();
    for (const user of readers) {
      const rule = { name: "everything", kind: "event" };
      const made = await the().as(user).post(rulesPath, rule, { headers });
      rules.set(user, String(field(made.json, "id")));
    }
    const records = `/v4/data/resources/${workspace}/note`;
    const id = String(field((await admin.post(records, {})).json, "id"));
    for (const property of ["open", "closed"]) {
      const path = `${records}/${id}/files/${property}?filename=a.txt`;
      const file = { rawBody: property, headers: { "content-type": "text/plain" } };
      expect(await admin.post(path, undefined, file)).toMatchObject({ status: 201 });
    }
    const hidden = { name: "Hidden", slug: "hidden", readRoles, properties: {} };
    expect(await admin.post(typesPath, hidden, { headers })).toMatchObject({ status: 201 });
    const redirectUris = ["https://app.example.org/back"];
    const app = { key: "app", displayName: "App", redirectUris };
    const clients = "/v4/platform/provisioning/idp-apps";
    expect(await admin.post(clients, app, { headers })).toMatchObject({ status: 200 });
    await the().platform.services.alerts.scheduler.look();
    const causes = async (user: TestUser) => {
      const { json } = await the().as(user).get("/v4/realtime/alerts?limit=500", { headers });
      return (field(json, "items") as object[])
        .filter((alert) => field(alert, "ruleId") === rules.get(user))
        .map((alert) => field(alert, "about"))
        .map((about) => `${String(field(about, "kind"))} ${String(field(about, "type"))}`)
        .toSorted();
    };
    const changed = ["record note", "record note", "record note"];
    expect(await causes("tenant-viewer")).toEqual(["file note", ...changed]);
    const types = "object-type undefined";
    expect(await causes("tenant-builder")).toEqual(["file note", types, ...changed]);
  });
});

test("alerts of a former version, without what has changed, are for few readers", async () => {
  const types = { find: async () => undefined };
  const reads = (kind: string) => readsOf({ kind });
  const may = (role: (typeof readers)[number], kind: string) =>
    mayRead(types, { id: "w", role }, reads(kind));
  expect(await may("tenant-viewer", "object-type")).toBe(false);
  expect(await may("tenant-builder", "object-type")).toBe(true);
  expect(await may("tenant-builder", "setting")).toBe(false);
  expect(await may("tenant-admin", "setting")).toBe(true);
  expect(await may("tenant-viewer", "document")).toBe(true);
});
