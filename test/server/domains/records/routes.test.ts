import { describe, expect } from "vitest";
import { base, ensureTypes, make, unknownId } from "#test/support/casework.ts";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";

function invalid(name: string, body: object, pointers: readonly string[]): ApiCase {
  return {
    name,
    as: "tenant-staff",
    method: "POST",
    path: `${base}/casework`,
    body,
    before: ensureTypes,
    expect: { status: 422, code: "validation-failed", pointers },
  };
}

describePlatform("records", (the) => {
  describe("creation", () => {
    apiCases(the, [
      {
        name: "returns the record with its location, version and defaults",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        before: ensureTypes,
        body: {
          urgent: true,
          closedAt: "2026-11-21T10:30:00+01:00",
          amount: -0,
          reference: "C-1000",
          place: { type: "Point", coordinates: [-2.9, 53.4] },
        },
        expect: {
          status: 201,
          headers: {
            etag: '"1"',
            location: /^\/v4\/data\/resources\/[0-9a-f-]{36}\/casework\/[0-9a-f-]{36}$/,
          },
          body: {
            type: "casework",
            version: 1,
            data: {
              reference: "C-1000",
              status: "open",
              urgent: true,
              closedAt: "2026-11-21T09:30:00.000Z",
              amount: 0,
            },
          },
        },
        after: async (platform, answered) => {
          expect(field(answered.json, "created_by")).toBe(platform.users["tenant-staff"].oid);
          const again = await platform
            .as("tenant-viewer")
            .get(String(answered.headers.get("location")));
          expect(again.json).toEqual(answered.json);
          // The definition's order, on both engines.
          expect(Object.keys(field(again.json, "data") as object)).toEqual([
            "reference",
            "status",
            "amount",
            "urgent",
            "closedAt",
            "place",
          ]);
        },
      },
      {
        name: "also takes { data }",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        before: ensureTypes,
        body: { data: { reference: "C-1001" } },
        expect: { status: 201, body: { data: { reference: "C-1001" } } },
      },
      {
        name: "points into { data } when the client sends it",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        before: ensureTypes,
        body: { data: { reference: 5 } },
        expect: { status: 422, pointers: ["#/data/reference"] },
      },
      {
        name: "with a key runs once",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        headers: { "idempotency-key": "one-case" },
        body: { reference: "C-1002" },
        before: async (platform) => {
          await ensureTypes(platform);
          await platform
            .as("tenant-staff")
            .post(
              `/v4/data/resources/${platform.workspaces.tenant}/casework`,
              { reference: "C-1002" },
              { headers: { "idempotency-key": "one-case" } },
            );
        },
        expect: {
          status: 201,
          body: { version: 1, data: { reference: "C-1002" } },
          headers: { "idempotency-replayed": "true", location: /casework/ },
        },
        after: async (platform) => {
          const only = encodeURIComponent('{"reference":"C-1002"}');
          const list = await platform
            .as("tenant-viewer")
            .get(
              `/v4/data/resources/${platform.workspaces.tenant}/casework?where=${only}&count=true`,
            );
          expect(list.json).toMatchObject({ total: 1 });
        },
      },
      {
        name: "refuses a unique value that is taken, with its pointer",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        body: { reference: "{reference}" },
        before: (platform) => make(platform),
        expect: { status: 409, code: "already-exists", pointers: ["#/reference"] },
      },
      {
        name: "links to records of this workspace",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        body: { reference: "C-1003", parent: "{id}", related: ["{id}"] },
        before: (platform) => make(platform),
        expect: { status: 201, body: { data: { reference: "C-1003" } } },
      },
      {
        name: "refuses links to records of another workspace, and to missing ones",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        body: { reference: "C-1004", parent: "{foreignId}", related: ["{id}", unknownId] },
        before: (platform) => make(platform),
        expect: {
          status: 422,
          code: "validation-failed",
          pointers: ["#/parent", "#/related/1"],
        },
      },
      invalid(
        "names every fault",
        {
          reference: "X",
          title: "a",
          status: "new",
          amount: 1000.5,
          pieces: 1.5,
          urgent: "yes",
          received: "2026-02-30",
          closedAt: "yesterday",
          contact: "nobody",
          website: "not a url",
          address: { floor: "2", street: "x" },
          tags: ["a", "b", "c", "d"],
          parent: "x",
          place: { type: "Point", coordinates: [200, 0] },
          unknown: 1,
        },
        [
          "#/reference",
          "#/title",
          "#/status",
          "#/amount",
          "#/pieces",
          "#/urgent",
          "#/received",
          "#/closedAt",
          "#/contact",
          "#/website",
          "#/address/city",
          "#/address/floor",
          "#/address/street",
          "#/tags",
          "#/parent",
          "#/place/coordinates/0",
          "#/unknown",
        ],
      ),
      invalid("needs what is required", {}, ["#/reference"]),
      invalid("takes null for required as missing", { reference: null }, ["#/reference"]),
      invalid("refuses a whole number beyond 2^53", { reference: "C-9", pieces: 2 ** 53 }, [
        "#/pieces",
      ]),
      invalid("refuses a file in the data", { reference: "C-9", plan: { sha256: "x" } }, [
        "#/plan",
      ]),
      invalid(
        "refuses a prototype name deep inside",
        JSON.parse('{"reference":"C-9","extra":{"a":[{"__proto__":{"x":1}}]}}') as object,
        ["#/extra/a/0/__proto__"],
      ),
      invalid("refuses data deeper than 32 levels", { reference: "C-9", extra: nested(40) }, [
        `#/extra${"/a".repeat(31)}`,
      ]),
      {
        name: "refuses a number that no double holds",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        headers: { "content-type": "application/json" },
        rawBody: '{"reference":"C-9","amount":1e999}',
        before: ensureTypes,
        expect: { status: 422, pointers: ["#/amount"] },
      },
      {
        name: "refuses a record above 1 MiB",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        body: { reference: "C-9", extra: { text: "x".repeat(1024 * 1024) } },
        before: ensureTypes,
        expect: { status: 413, code: "content-too-large" },
      },
      {
        name: "refuses a body that is no object",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        body: [{ reference: "C-9" }],
        before: ensureTypes,
        expect: { status: 422, code: "validation-failed", pointers: ["#"] },
      },
      {
        name: "keeps hostile text as it is",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        body: {
          reference: "C-1005",
          extra: {
            "'; drop table resources; --": "\u001b[31m $1 ? :x %s",
            "a.b": 1,
            constructor: "kept",
            $gt: 1,
            "": "empty name",
          },
        },
        before: ensureTypes,
        expect: {
          status: 201,
          body: {
            data: {
              extra: {
                "'; drop table resources; --": "\u001b[31m $1 ? :x %s",
                "a.b": 1,
                constructor: "kept",
                $gt: 1,
                "": "empty name",
              },
            },
          },
        },
      },
    ]);
  });

  describe("reading", () => {
    apiCases(the, [
      {
        name: "returns a record with its tag",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/casework/{id}`,
        before: (platform) => make(platform, { title: "Readable" }),
        expect: {
          status: 200,
          headers: { etag: '"1"' },
          body: { type: "casework", version: 1, data: { title: "Readable", status: "open" } },
        },
      },
      {
        name: "reads ids in upper and lower case",
        as: "tenant-viewer",
        method: "GET",
        path: "/v4/data/resources/{TENANT}/casework/{ID}",
        headers: { "x-tenant-id": "{tenant}" },
        before: async (platform) => {
          const { id } = await make(platform, { title: "Capitals" });
          return { ID: id.toUpperCase(), TENANT: platform.workspaces.tenant.toUpperCase() };
        },
        expect: { status: 200, body: { data: { title: "Capitals" } } },
        after: async (_platform, { json }) => {
          expect(field(json, "id")).toMatch(/^[0-9a-f-]{36}$/);
        },
      },
      {
        name: "answers 304 to a client that has the version",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/casework/{id}`,
        headers: { "if-none-match": '"1"' },
        before: (platform) => make(platform),
        expect: { status: 304 },
      },
    ]);
  });
});

function nested(levels: number): object {
  return Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
}
