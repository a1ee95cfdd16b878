import { expect } from "vitest";
import {
  apiCases,
  describePlatform,
  field,
  type ApiCase,
  type TestPlatform,
  type TestUser,
} from "#test/support/platform.ts";

const base = "/v4/data/resources/{tenant}/storage";
const planPath = "/v4/platform/tenants/{tenant}/resourceapi/index-plan";

/** A route of the storage, with a request that is good. */
interface Asked {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: object;
  /** The lowest role that may. */
  readonly role: TestUser;
}

const asked: Readonly<Record<string, Asked>> = {
  status: { method: "GET", path: base, role: "tenant-viewer" },
  doctor: { method: "GET", path: `${base}/doctor`, role: "tenant-builder" },
  provision: { method: "POST", path: `${base}/provision`, body: {}, role: "tenant-builder" },
  "sync-schema": { method: "POST", path: `${base}/sync-schema`, body: {}, role: "tenant-builder" },
  "index-plan": {
    method: "POST",
    path: planPath,
    body: { objectTypes: ["bench"] },
    role: "tenant-builder",
  },
};

const roles: readonly TestUser[] = [
  "tenant-viewer",
  "tenant-staff",
  "tenant-builder",
  "tenant-admin",
];
const bench = {
  name: "Bench",
  slug: "bench",
  properties: {
    place: { type: "string", indexed: true },
    number: { type: "integer", indexed: true, unique: true },
    note: { type: "text" },
  },
};

/** The type `bench`, made once. */
async function makeBench(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const path = "/v4/data/resources/object-types";
  await the.as("tenant-builder").post(path, bench, { headers });
}

function accessCases(name: string, { method, path, body, role }: Asked): ApiCase[] {
  const request = { method, path, ...(body === undefined ? {} : { body }), before: makeBench };
  const allowedFrom = roles.indexOf(role);
  return [
    {
      ...request,
      name: `${name}: nobody is refused`,
      as: "nobody",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      ...request,
      name: `${name}: another workspace's admin finds nothing`,
      as: "outsider",
      expect: { status: 404, code: "not-found" },
    },
    {
      ...request,
      name: `${name}: a path that names no workspace is refused`,
      path: path.replace("{tenant}", "01900000-0000-7000-8000-00000000dead"),
      expect: { status: 404, code: "not-found" },
    },
    ...roles.map((as, index): ApiCase => ({
      ...request,
      name: `${name}: ${as} ${index < allowedFrom ? "may not" : "may"}`,
      as,
      expect: index < allowedFrom ? { status: 403, code: "permission-denied" } : { status: 200 },
    })),
  ];
}

describePlatform("who may see and provision storage", (the) => {
  apiCases(
    the,
    Object.entries(asked).flatMap(([name, route]) => accessCases(name, route)),
  );
});

describePlatform("storage", (the) => {
  const builder = { as: "tenant-builder", before: makeBench } as const;
  const bad = (name: string, path: string, body: object, pointers: readonly string[]): ApiCase => ({
    ...builder,
    name,
    method: "POST",
    path,
    body,
    expect: { status: 422, code: "validation-failed", pointers },
  });

  apiCases(the, [
    {
      ...builder,
      name: "status names each backend by what it truly is",
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
      name: "doctor finds nothing where nothing is wrong",
      method: "GET",
      path: `${base}/doctor`,
      expect: { status: 200, body: { ok: true, complete: true, findings: [] } },
    },
    {
      ...builder,
      name: "provision answers for all backends by default",
      method: "POST",
      path: `${base}/provision`,
      body: {},
      expect: {
        status: 200,
        body: {
          dryRun: false,
          results: [
            { backend: "postgresql", state: "provisioned", actions: [] },
            { backend: "documentdb", state: "provisioned", actions: [] },
            { backend: "blob", state: "provisioned", actions: [] },
            { backend: "search", state: "provisioned", actions: [] },
          ],
        },
      },
    },
    {
      ...builder,
      name: "provision takes mongodb for documentdb, and a dry run skips what is there",
      method: "POST",
      path: `${base}/provision`,
      body: { backend: "mongodb", dryRun: true },
      expect: {
        status: 200,
        body: { dryRun: true, results: [{ backend: "documentdb", state: "skipped" }] },
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
      name: "sync-schema finds types that are in line already applied",
      method: "POST",
      path: `${base}/sync-schema`,
      body: { backend: "documentdb" },
      expect: {
        status: 200,
        body: {
          results: [
            { backend: "documentdb", objectType: "bench", state: "already_applied", actions: [] },
          ],
        },
      },
    },
    {
      ...builder,
      name: "sync-schema skips backends that Object Types need nothing of",
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
    bad("provision refuses an unknown backend", `${base}/provision`, { backend: "tape" }, [
      "#/backend",
    ]),
    bad("provision refuses members that it does not know", `${base}/provision`, { force: true }, [
      "#/force",
    ]),
    bad("sync-schema refuses a text for a flag", `${base}/sync-schema`, { dryRun: "yes" }, [
      "#/dryRun",
    ]),
    bad("index-plan refuses no types", planPath, { objectTypes: [] }, ["#/objectTypes"]),
    bad(
      "index-plan refuses more than 1,000 types",
      planPath,
      { objectTypes: Array.from({ length: 1_001 }, () => "bench") },
      ["#/objectTypes"],
    ),
    bad(
      "index-plan refuses a slug of 256 characters",
      planPath,
      { objectTypes: ["x".repeat(256)] },
      ["#/objectTypes/0"],
    ),
    bad("index-plan refuses a type that is not there", planPath, { objectTypes: ["bench", "no"] }, [
      "#/objectTypes/1",
    ]),
    bad(
      "index-plan takes neither apply nor dryRun: it is always a dry run",
      planPath,
      { objectTypes: ["bench"], apply: true, dryRun: false },
      ["#/apply", "#/dryRun"],
    ),
    {
      ...builder,
      name: "index-plan takes 1,000 types of 255 characters, and says that they are none",
      method: "POST",
      path: planPath,
      body: { objectTypes: Array.from({ length: 1_000 }, () => "y".repeat(255)) },
      expect: { status: 422, code: "validation-failed" },
    },
  ]);
});

function expectBackends(json: unknown, wanted: readonly object[]): void {
  const found = field(json, "backends");
  if (!Array.isArray(found)) throw new Error("the status has no backends");
  expect(found).toMatchObject(wanted);
}
