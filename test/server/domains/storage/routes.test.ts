import { expect } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const base = "/v4/data/resources/{tenant}/storage";
const planPath = "/v4/platform/tenants/{tenant}/resourceapi/index-plan";

const bench = {
  name: "Bench",
  slug: "bench",
  properties: {
    place: { type: "string", indexed: true },
    number: { type: "integer", indexed: true, unique: true },
    note: { type: "text" },
  },
};

/** Creates the type `bench` once. */
async function makeBench(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const path = "/v4/data/resources/object-types";
  await the.as("tenant-builder").post(path, bench, { headers });
}

describePlatform("storage", (the) => {
  const builder = { as: "tenant-builder", before: makeBench } as const;

  apiCases(the, [
    {
      ...builder,
      name: "status reports the provider of each backend",
      method: "GET",
      path: base,
      expect: { status: 200 },
      after: async (platform, { json }) => {
        const isSqlite = platform.engine === "sqlite";
        const database = { provider: platform.engine, status: "ok", provisioned: true };
        expectBackends(json, [
          { backend: "postgresql", ...database },
          { backend: "documentdb", ...database },
          { backend: "blob", provider: "disk", status: "ok", provisioned: true },
          { backend: "search", provider: isSqlite ? "sqlite-fts5" : "postgresql-tsvector" },
        ]);
      },
    },
    {
      ...builder,
      name: "a dry run plans the rebuild of the search index",
      method: "POST",
      path: `${base}/provision`,
      body: { backend: "search", dryRun: true, rebuildSearch: true },
      expect: {
        status: 200,
        body: {
          results: [{ backend: "search", state: "planned", actions: ["rebuild the search index"] }],
        },
      },
    },
    {
      ...builder,
      name: "sync-schema skips backends that Object Types do not need",
      method: "POST",
      path: `${base}/sync-schema`,
      body: { backend: "blob", dryRun: true },
      expect: { status: 200, body: { results: [{ backend: "blob", state: "skipped" }] } },
    },
    {
      ...builder,
      name: "index-plan names the indexes of a type, once",
      method: "POST",
      path: planPath,
      body: { objectTypes: ["bench", "bench"] },
      expect: {
        status: 200,
        body: {
          dryRun: true,
          objectTypes: [
            {
              objectType: "bench",
              records: 0,
              indexes: [
                { property: "place", kind: "text", state: "ready", index: "resources_t1" },
                { property: "number", kind: "number", state: "ready", index: "resources_n1" },
                { property: "number", kind: "unique", state: "ready", index: "resources_u1" },
              ],
              missing: [],
              columns: { text: { used: 1, maximum: 16 } },
            },
          ],
        },
      },
    },
    {
      ...builder,
      name: "index-plan accepts 1,000 slugs of 255 characters, and refuses unknown ones",
      method: "POST",
      path: planPath,
      body: { objectTypes: Array.from({ length: 1_000 }, () => "y".repeat(255)) },
      expect: { status: 422, code: "validation-failed" },
    },
  ]);
});

function expectBackends(json: unknown, expected: readonly object[]): void {
  const found = field(json, "backends");
  if (!Array.isArray(found)) throw new Error("the status has no backends");
  expect(found).toMatchObject(expected);
}
