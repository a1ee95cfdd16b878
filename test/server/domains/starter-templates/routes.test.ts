import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";

const templates = "/v4/platform/starter-templates";
const recordTypes = [
  "shared-workflow-config",
  "vertical-product-config",
  "shared-ai-profile",
  "shared-chatbot-config",
  "tenant-vertical-enrollment",
];

/** Records with the least data that each type takes. */
const leastRecords = {
  "shared-workflow-config": { workflow_key: "triage" },
  "vertical-product-config": { vertical_key: "portal", workflow_key: "triage" },
  "shared-ai-profile": { profile_key: "default" },
  "shared-chatbot-config": { chatbot_key: "triage", workflow_key: "triage" },
  "tenant-vertical-enrollment": { vertical_key: "portal" },
};

describePlatform("starter templates", (the) => {
  apiCases(the, [
    {
      name: "are listed with their types",
      as: "outsider",
      method: "GET",
      path: templates,
      expect: {
        status: 200,
        body: {
          items: [
            { key: "blank-vertical-template", objectTypes: recordTypes },
            { key: "empty-template", objectTypes: [] },
          ],
        },
      },
    },
    {
      name: "are not listed without a token",
      as: "nobody",
      method: "GET",
      path: templates,
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "are read with their definitions",
      as: "tenant-viewer",
      method: "GET",
      path: `${templates}/blank-vertical-template`,
      expect: {
        status: 200,
        body: {
          key: "blank-vertical-template",
          objectTypes: recordTypes.map((slug) => ({ slug, linkTypes: [], actions: [] })),
        },
      },
    },
    {
      name: "are not read without a token",
      as: "nobody",
      method: "GET",
      path: `${templates}/blank-vertical-template`,
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "that do not exist are 404",
      method: "GET",
      path: `${templates}/no-such-template`,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "that do not exist make no root workspace",
      as: "system-admin",
      method: "POST",
      path: "/v4/platform/tenants",
      body: { slug: "a", displayName: "A", homeRegion: "eu", starterTemplate: "no-such-template" },
      expect: { status: 422, code: "validation-failed", pointers: ["#/starterTemplate"] },
    },
    {
      name: "that do not exist make no child",
      as: "tenant-admin",
      method: "POST",
      path: "/v4/platform/tenants/{tenant}/children",
      body: { slug: "a", displayName: "A", starterTemplate: "no-such-template" },
      expect: { status: 422, code: "validation-failed", pointers: ["#/starterTemplate"] },
    },
  ]);

  test("fill a new workspace, whose types take records at once", async () => {
    const admin = the().as("tenant-admin");
    const children = `/v4/platform/tenants/${the().workspaces.tenant}/children`;
    const child = await admin.post(children, { slug: "filled", displayName: "Filled" });
    const id = String(field(child.json, "id"));
    expect((await admin.post(`${children}/${id}/bootstrap-admin`)).status).toBe(200);
    for (const [slug, data] of Object.entries(leastRecords)) {
      const made = await admin.post(`/v4/data/resources/${id}/${slug}`, data);
      expect({ slug, status: made.status }).toEqual({ slug, status: 201 });
    }
    const schema = await admin.get(`/v4/data/resources/schema/${id}`);
    const types = field(schema.json, "objectTypes") as { slug: string; recordCount: number }[];
    expect(types.map(({ slug, recordCount }) => [slug, recordCount])).toEqual(
      recordTypes.toSorted().map((slug) => [slug, 1]),
    );
  });

  test("leave no workspace when it cannot be filled", async () => {
    const admin = the().as("system-admin");
    const taken = { slug: "tenant", displayName: "Again", homeRegion: "eu" };
    expect((await admin.post("/v4/platform/tenants", taken)).status).toBe(409);
    const { json } = await admin.get("/v4/identity/tenants");
    const items = field(json, "items") as { displayName: string }[];
    expect(items.filter(({ displayName }) => displayName === "Again")).toEqual([]);
  });
});
