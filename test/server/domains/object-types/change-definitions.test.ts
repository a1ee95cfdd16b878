import { describe, expect } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const list = "/v4/data/resources/object-types";
const path = `${list}/batch`;
const headers = { "x-tenant-id": "{tenant}" };
const unknownId = "0190a000-0000-7000-8000-0000000000ff";
let count = 0;
function creation(extra: object = {}): { name: string; slug: string; properties: object } {
  count += 1;
  const properties = { title: { type: "string" } };
  return { name: `Batch${count}`, slug: `batch-${count}`, properties, ...extra };
}

/** A stored type, for `{id}` in a case. */
async function stored(the: TestPlatform, extra: object = {}): Promise<Record<string, string>> {
  const inTenant = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const made = await the.as("tenant-builder").post(list, creation(extra), inTenant);
  expect(made.status, made.text).toBe(201);
  return { id: String(field(made.json, "id")), slug: String(field(made.json, "slug")) };
}

async function typesOf(the: TestPlatform): Promise<Record<string, unknown>[]> {
  const answered = await the
    .as("tenant-viewer")
    .get(`${list}?limit=500`, { headers: { "x-tenant-id": the.workspaces.tenant } });
  return field(answered.json, "items") as Record<string, unknown>[];
}

/** The types before a case; they must be the same after it. */
let before: unknown;

function refused(
  name: string,
  body: object,
  expected: {
    status: number;
    code: "validation-failed" | "not-found" | "already-exists" | "conflict" | "version-conflict";
    pointers?: readonly string[];
  },
  extra: object = {},
) {
  return {
    name,
    as: "tenant-builder" as const,
    method: "POST",
    path,
    headers,
    body,
    before: async (the: TestPlatform) => {
      const names = await stored(the, extra);
      const { tenant } = the.workspaces;
      for (const title of ["same", "same"]) {
        await the
          .as("tenant-staff")
          .post(`/v4/data/resources/${tenant}/${names["slug"]}`, { title });
      }
      before = await typesOf(the);
      return names;
    },
    expect: expected,
    after: async (the: TestPlatform) => {
      expect(await typesOf(the)).toEqual(before);
    },
  };
}

const sound = { title: { type: "string" } };

describePlatform("Object Types in one batch", (the) => {
  describe("all", () => {
    apiCases(the, [
      {
        name: "are made and changed together, and may point to each other",
        as: "tenant-builder",
        method: "POST",
        path,
        headers,
        before: (platform) => stored(platform),
        body: {
          create: [
            creation({ slug: "left", linkTypes: [{ name: "to", targetObjectType: "right" }] }),
            creation({ slug: "right", linkTypes: [{ name: "to", targetObjectType: "left" }] }),
          ],
          update: [
            {
              id: "{id}",
              version: 1,
              displayName: "Changed",
              linkTypes: [{ name: "to", targetObjectType: "left" }],
            },
          ],
        },
        expect: {
          status: 200,
          body: {
            created: [{ slug: "left" }, { slug: "right" }],
            updated: [{ id: "{id}", version: 2, displayName: "Changed" }],
          },
        },
      },
      {
        name: "a property becomes unique together with what it links to",
        as: "tenant-builder",
        method: "POST",
        path,
        headers,
        before: async (platform) => {
          const names = await stored(platform);
          const { tenant } = platform.workspaces;
          const staff = platform.as("tenant-staff");
          await staff.post(`/v4/data/resources/${tenant}/${names["slug"]}`, { title: "one" });
          return names;
        },
        body: {
          create: [creation({ slug: "fresh-target" })],
          update: [
            {
              id: "{id}",
              properties: { title: { type: "string", unique: true } },
              linkTypes: [{ name: "to", targetObjectType: "fresh-target" }],
            },
          ],
        },
        expect: { status: 200, body: { updated: [{ version: 2 }] } },
      },
      {
        name: "without a difference nothing is written",
        as: "tenant-builder",
        method: "POST",
        path,
        headers,
        before: (platform) => stored(platform),
        body: { update: [{ id: "{id}", properties: sound }] },
        expect: { status: 200, body: { created: [], updated: [{ version: 1 }] } },
      },
      {
        name: "with a key are made once, and answered twice",
        as: "tenant-builder",
        method: "POST",
        path,
        headers: { ...headers, "idempotency-key": "batch-of-types" },
        body: { create: [{ name: "Keyed", slug: "keyed", properties: sound }] },
        before: async (platform) => {
          await platform.as("tenant-builder").post(
            path,
            { create: [{ name: "Keyed", slug: "keyed", properties: sound }] },
            {
              headers: {
                "x-tenant-id": platform.workspaces.tenant,
                "idempotency-key": "batch-of-types",
              },
            },
          );
        },
        expect: {
          status: 200,
          body: { created: [{ slug: "keyed", version: 1 }] },
          headers: { "idempotency-replayed": "true" },
        },
      },
      {
        name: "a list says that there are batches",
        as: "tenant-viewer",
        method: "GET",
        path: list,
        headers,
        expect: { status: 200, body: { atomicBatch: true } },
      },
    ]);
  });

  describe("or none", () => {
    apiCases(the, [
      refused(
        "when a creation after valid ones is invalid",
        { create: [creation(), creation({ linkTypes: [{ name: "to", targetObjectType: "no" }] })] },
        {
          status: 422,
          code: "validation-failed",
          pointers: ["#/create/1/linkTypes/0/targetObjectType"],
        },
      ),
      refused(
        "when a slug is taken",
        { create: [creation(), creation({ slug: "{slug}" })] },
        { status: 409, code: "already-exists", pointers: ["#/create/1/slug"] },
      ),
      refused(
        "when a change after creations is invalid",
        {
          create: [creation()],
          update: [{ id: "{id}", properties: { title: { type: "string", minimum: 1 } } }],
        },
        {
          status: 422,
          code: "validation-failed",
          pointers: ["#/update/0/properties/title/minimum"],
        },
      ),
      refused(
        "when a version is not current",
        { create: [creation()], update: [{ id: "{id}", version: 7, properties: sound }] },
        { status: 409, code: "version-conflict", pointers: ["#/update/0/version"] },
      ),
      refused(
        "when a type is not there",
        { create: [creation()], update: [{ id: unknownId, properties: sound }] },
        { status: 404, code: "not-found", pointers: ["#/update/0/id"] },
      ),
      refused(
        "when records have equal values where there may be only one",
        {
          create: [creation()],
          update: [{ id: "{id}", properties: { title: { type: "string", unique: true } } }],
        },
        { status: 409, code: "conflict", pointers: ["#/update/0/properties/title/unique"] },
      ),
      refused(
        "when a type is given twice",
        { update: [{ id: "{id}" }, { id: "{id}" }] },
        { status: 422, code: "validation-failed", pointers: ["#/update/1/id"] },
      ),
      refused(
        "when the body has a fault",
        { create: [{ ...creation(), name: "low" }], update: [{ id: "x" }] },
        { status: 422, code: "validation-failed", pointers: ["#/create/0/name", "#/update/0/id"] },
      ),
    ]);
  });

  describe("who may", () => {
    const body = { create: [creation()] };
    apiCases(the, [
      ...(["tenant-viewer", "tenant-staff"] as const).map((as) => ({
        name: `${as} may not`,
        as,
        method: "POST",
        path,
        headers,
        body,
        expect: { status: 403, code: "permission-denied" as const },
      })),
      {
        name: "is refused without a token",
        as: "nobody",
        method: "POST",
        path,
        headers,
        body,
        expect: { status: 401 },
      },
      {
        name: "another workspace is not there",
        as: "tenant-admin",
        method: "POST",
        path,
        headers: { "x-tenant-id": "{other}" },
        body,
        expect: { status: 404, code: "not-found" },
      },
    ]);
  });
});
