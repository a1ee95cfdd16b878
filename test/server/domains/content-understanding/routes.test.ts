import { describe, expect, test } from "vitest";
import { apiCases, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { definition, examples, of } from "../classifiers/world.ts";
import { analyzer, invoiceType } from "../document-types/world.ts";

const base = "/v4/data/documents/content-understanding";
const headers = { "x-tenant-id": "{tenant}" };
let count = 0;

function newManifest() {
  count += 1;
  const key = `set-${count}`;
  return {
    version: 1,
    classifiers: { [key]: definition },
    analyzers: { [key]: analyzer },
    documentTypes: { [key]: { ...invoiceType, analyzer: key } },
  };
}

const manifest = newManifest();

async function plan(the: TestPlatform, body: object): Promise<string> {
  const made = await the.as("tenant-viewer").post(`${base}/plans`, body, of(the));
  expect(made.status, made.text).toBe(200);
  return String(field(made.json, "digest"));
}

function apply(the: TestPlatform, body: object, digest: string, id: string) {
  const fields = { "if-match": `"${digest}"`, "operation-id": id };
  const sent = { headers: { ...of(the).headers, ...fields } };
  return the.as("tenant-builder").post(`${base}/operations`, body, sent);
}

const good: readonly ApiCase[] = [
  {
    name: "say what is possible here",
    as: "tenant-viewer",
    method: "GET",
    path: `${base}/capabilities`,
    headers,
    expect: {
      status: 200,
      body: { methods: expect.arrayContaining(["pattern", "model"]), models: { chat: null } },
    },
  },
  {
    name: "plan a manifest",
    as: "tenant-viewer",
    method: "POST",
    path: `${base}/plans`,
    headers,
    body: manifest,
    expect: {
      status: 200,
      body: {
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        actions: [
          { kind: "classifiers", action: "create", currentVersion: 0 },
          { kind: "analyzers", action: "create" },
          { kind: "documentTypes", action: "create" },
        ],
      },
    },
  },
  {
    name: "list operations",
    as: "tenant-viewer",
    method: "GET",
    path: `${base}/operations?count=true`,
    headers,
    expect: { status: 200, body: { items: [], total: 0 } },
  },
];

describePlatform("content understanding", (the) => {
  apiCases(the, good);

  describe("is refused", () => {
    apiCases(the, [
      ...forStrangers(good),
      {
        name: "to staff, which may not apply",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/operations`,
        headers,
        body: manifest,
        expect: { status: 403, code: "permission-denied" },
      },
      {
        name: "without a digest",
        as: "tenant-builder",
        method: "POST",
        path: `${base}/operations`,
        headers: { ...headers, "operation-id": "x" },
        body: manifest,
        expect: { status: 422, pointers: ["#/header/If-Match"] },
      },
      {
        name: "with an analyzer that does not exist",
        as: "tenant-viewer",
        method: "POST",
        path: `${base}/plans`,
        headers,
        body: { version: 1, documentTypes: { bill: { ...invoiceType, analyzer: "none" } } },
        expect: { status: 422, pointers: ["#/documentTypes/bill/analyzer"] },
      },
      {
        name: "without such an operation",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/operations/none`,
        headers,
        expect: { status: 404, code: "not-found" },
      },
    ]);
  });

  test("applies a plan once, and plans nothing after it", async () => {
    const body = newManifest();
    const digest = await plan(the(), body);
    const id = `apply-${digest.slice(0, 8)}`;
    const first = await apply(the(), body, digest, id);
    expect(first.status, first.text).toBe(202);
    expect(first.json).toMatchObject({ operationId: id, status: "succeeded", digest });
    const again = await apply(the(), body, digest, id);
    expect(again.json).toMatchObject({ operationId: id, actions: [{ action: "create" }, {}, {}] });
    const later = await the().as("tenant-viewer").post(`${base}/plans`, body, of(the()));
    const actions = field(later.json, "actions") as { action: string }[];
    expect(actions.map(({ action }) => action)).toEqual(["unchanged", "unchanged", "unchanged"]);
    const read = await the().as("tenant-viewer").get(`${base}/operations/${id}`, of(the()));
    expect(read.json).toMatchObject({ operationId: id, runtimeSync: [{ status: "applied" }] });
  });

  test("refuses a plan that is no longer current, and another plan of the same operation", async () => {
    const body = newManifest();
    const digest = await plan(the(), body);
    const other = { ...body, analyzers: { ...body.analyzers, more: analyzer } };
    const stale = await apply(the(), other, digest, `stale-${digest.slice(0, 8)}`);
    expect(stale.json).toMatchObject({ status: 412, code: "precondition-failed" });
    const id = `same-${digest.slice(0, 8)}`;
    expect((await apply(the(), body, digest, id)).status).toBe(202);
    const second = await apply(the(), other, await plan(the(), other), id);
    expect(second.json).toMatchObject({ status: 409, code: "conflict" });
    const changed = await the().as("tenant-viewer").get(`${base}/operations`, of(the()));
    expect(changed.text).not.toContain("stale-");
  });

  test("runs until its classifiers are trained", async () => {
    const body = newManifest();
    const [key = ""] = Object.keys(body.classifiers);
    const digest = await plan(the(), body);
    await apply(the(), body, digest, `first-${key}`);
    const builder = the().as("tenant-builder");
    const path = `/v4/data/documents/classifiers/${key}/examples`;
    expect((await builder.post(path, { examples }, of(the()))).status).toBe(201);
    const changed = { ...body, classifiers: { [key]: { ...definition, threshold: 0.7 } } };
    const applied = await apply(the(), changed, await plan(the(), changed), `second-${key}`);
    expect(applied.json).toMatchObject({
      status: "running",
      trainings: [{ classifier: key, status: "queued" }],
    });
    await eventually(async () => {
      const read = await builder.get(`${base}/operations/second-${key}`, of(the()));
      expect(read.json).toMatchObject({ status: "succeeded" });
    });
  });
});
