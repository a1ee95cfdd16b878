import { describe, expect, test } from "vitest";
import { apiCases, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const path = "/v4/data/resources/object-types";
const inTenant = { "x-tenant-id": "{tenant}" };
const unknownId = "0190a000-0000-7000-8000-0000000000ff";

let count = 0;
/** A definition with a new name and slug, so that cases do not collide. */
function creation(extra: object = {}): { name: string; slug: string; properties: object } {
  count += 1;
  return {
    name: `Case${count}`,
    slug: `case-${count}`,
    properties: { title: { type: "string", required: true } },
    ...extra,
  };
}

async function make(the: TestPlatform, extra: object = {}): Promise<Record<string, string>> {
  const made = await the
    .as("tenant-builder")
    .post(path, creation(extra), { headers: { "x-tenant-id": the.workspaces.tenant } });
  expect(made.status, made.text).toBe(201);
  return { id: String(field(made.json, "id")), slug: String(field(made.json, "slug")) };
}

function invalid(name: string, body: object, pointers: readonly string[]): ApiCase {
  return {
    name,
    as: "tenant-builder",
    method: "POST",
    path,
    headers: inTenant,
    body,
    expect: { status: 422, code: "validation-failed", pointers },
  };
}

const sound = { title: { type: "string" } };

describePlatform("Object Types", (the) => {
  describe("creation", () => {
    apiCases(the, [
      {
        name: "gives the definition back, exactly as it was written",
        as: "tenant-builder",
        method: "POST",
        path,
        headers: inTenant,
        body: {
          name: "PlanningApplication",
          slug: "pa-historical-2019",
          displayName: "Planning application",
          properties: {
            zeta: { type: "string", maxLength: 20 },
            alpha: { type: "integer", minimum: 0 },
          },
          linkTypes: [
            { name: "parent", targetObjectType: "pa-historical-2019", cardinality: "one" },
          ],
        },
        expect: {
          status: 201,
          headers: { etag: '"1"' },
          body: {
            name: "PlanningApplication",
            slug: "pa-historical-2019",
            displayName: "Planning application",
            version: 1,
            status: "published",
            properties: {
              zeta: { type: "string", maxLength: 20 },
              alpha: { type: "integer", minimum: 0 },
            },
            linkTypes: [
              { name: "parent", targetObjectType: "pa-historical-2019", cardinality: "one" },
            ],
            actions: [],
          },
        },
        after: async (_platform, answered) => {
          const properties = field(answered.json, "properties");
          expect(Object.keys(properties as object)).toEqual(["zeta", "alpha"]);
        },
      },
      {
        name: "with a key is done once, and answered twice",
        as: "tenant-builder",
        method: "POST",
        path,
        headers: { ...inTenant, "idempotency-key": "make-a-type-once" },
        body: { name: "OnlyOnce", slug: "only-once", properties: sound },
        before: async (platform) => {
          await platform.as("tenant-builder").post(
            path,
            { name: "OnlyOnce", slug: "only-once", properties: sound },
            {
              headers: {
                "x-tenant-id": platform.workspaces.tenant,
                "idempotency-key": "make-a-type-once",
              },
            },
          );
        },
        expect: {
          status: 201,
          body: { slug: "only-once", version: 1 },
          headers: { "idempotency-replayed": "true" },
        },
      },
      {
        name: "of a slug that is taken is refused",
        as: "tenant-builder",
        method: "POST",
        path,
        headers: inTenant,
        body: { name: "AnotherName", slug: "{slug}", properties: sound },
        before: (platform) => make(platform),
        expect: { status: 409, code: "already-exists", pointers: ["#/slug"] },
      },
      {
        name: "of a source name that is taken is refused",
        as: "tenant-builder",
        method: "POST",
        path,
        headers: inTenant,
        body: { name: "TakenName", slug: "not-taken", properties: sound },
        before: (platform) => make(platform, { name: "TakenName" }),
        expect: { status: 409, code: "already-exists", pointers: ["#/name"] },
      },
      invalid("needs a name and a slug", { properties: sound }, ["#/name", "#/slug"]),
      invalid("wants PascalCase and kebab-case", { name: "a_b", slug: "A B", properties: sound }, [
        "#/name",
        "#/slug",
      ]),
      ...["query", "aggregate", "search", "storage", "batch", "history", "files", "actions"].map(
        (slug) =>
          invalid(`refuses the slug ${slug}`, { name: "Fine", slug, properties: sound }, [
            "#/slug",
          ]),
      ),
      invalid("refuses what it does not know", creation({ tenant_id: "x", owner: "y" }), [
        "#/tenant_id",
        "#/owner",
      ]),
      invalid(
        "refuses __proto__",
        JSON.parse(
          '{"name":"Fine","slug":"fine","properties":{"__proto__":{"type":"string"}}}',
        ) as object,
        ["#/properties/__proto__"],
      ),
      invalid(
        "names every fault of its properties",
        creation({
          properties: {
            a: { type: "number", maxLength: 3 },
            b: { type: "enum" },
            c: { type: "reference" },
            d: { type: "string", pattern: "(a" },
            e: { type: "integer", minimum: 5, maximum: 1 },
            f: { type: "string", default: 7 },
            g: { type: "object", indexed: true },
            h: { type: "object", properties: { i: { type: "string", unique: true } } },
            j: { type: "boolean", searchable: true },
            k: { type: "string", pattern: "(?=a)b" },
          },
        }),
        [
          "#/properties/a/maxLength",
          "#/properties/b/enum",
          "#/properties/c/targetObjectType",
          "#/properties/d/pattern",
          "#/properties/e/minimum",
          "#/properties/f/default",
          "#/properties/g/indexed",
          "#/properties/h/properties/i/unique",
          "#/properties/j/searchable",
          "#/properties/k/pattern",
        ],
      ),
      invalid(
        "checks link types and actions against its properties",
        creation({
          properties: {
            title: { type: "string" },
            status: { type: "enum", enum: ["open", "closed"] },
          },
          linkTypes: [
            { name: "title", targetObjectType: "nowhere" },
            { name: "other", targetObjectType: "nowhere-either" },
          ],
          actions: [
            { name: "close", transition: { property: "status", from: ["new"], to: "done" } },
            { name: "close", set: { missing: 1 } },
          ],
        }),
        [
          "#/linkTypes/0/name",
          "#/actions/0/transition/from/0",
          "#/actions/0/transition/to",
          "#/actions/1/name",
          "#/actions/1/set/missing",
          "#/linkTypes/0/targetObjectType",
          "#/linkTypes/1/targetObjectType",
        ],
      ),
      invalid(
        "knows how many properties there can be",
        creation({
          properties: Object.fromEntries(
            Array.from({ length: 5_000 }, (_, at) => [`p${at}`, { type: "string" }]),
          ),
        }),
        ["#/properties/p1000"],
      ),
      invalid("knows how deep properties can nest", creation({ properties: nested(17) }), [
        `#${"/properties/a".repeat(17)}`,
      ]),
      invalid(
        "knows how large a definition can be",
        creation({
          properties: {
            a: {
              type: "enum",
              enum: Array.from({ length: 1_000 }, (_, at) => "x".repeat(2_000) + at),
            },
          },
        }),
        ["#"],
      ),
      invalid(
        "knows how many properties can be unique",
        creation({
          properties: Object.fromEntries(
            ["a", "b", "c", "d", "e"].map((name) => [name, { type: "string", unique: true }]),
          ),
        }),
        ["#/properties/e/unique"],
      ),
    ]);
  });

  describe("change", () => {
    apiCases(the, [
      {
        name: "counts the version, and keeps what it does not name",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/{id}`,
        headers: inTenant,
        body: { displayName: "New words", version: 1 },
        before: (platform) => make(platform, { description: "kept" }),
        expect: {
          status: 200,
          headers: { etag: '"2"' },
          body: { displayName: "New words", description: "kept", version: 2 },
        },
      },
      {
        name: "that changes nothing costs no version",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/{id}`,
        headers: inTenant,
        body: { properties: { title: { type: "string", required: true } }, linkTypes: [] },
        before: (platform) => make(platform),
        expect: { status: 200, body: { version: 1 } },
      },
      {
        name: "from an old version is a conflict",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/{id}`,
        headers: inTenant,
        body: { displayName: "Mine", version: 7 },
        before: (platform) => make(platform),
        expect: { status: 409, code: "version-conflict", body: { currentVersion: 1 } },
      },
      {
        name: "with an If-Match that does not hold is refused",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/{id}`,
        headers: { ...inTenant, "if-match": '"3"' },
        body: { displayName: "Mine" },
        before: (platform) => make(platform),
        expect: { status: 412, code: "precondition-failed" },
      },
      {
        name: "can't move the slug",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/{id}`,
        headers: inTenant,
        body: { slug: "moved" },
        before: (platform) => make(platform),
        expect: { status: 422, code: "validation-failed", pointers: ["#/slug"] },
      },
      {
        name: "of a type that never was is not found",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/${unknownId}`,
        headers: inTenant,
        body: { description: "x" },
        expect: { status: 404, code: "not-found" },
      },
      {
        name: "with a faulty definition is refused whole",
        as: "tenant-builder",
        method: "PATCH",
        path: `${path}/{id}`,
        headers: inTenant,
        body: { displayName: "Not kept", properties: { a: { type: "text", minimum: 1 } } },
        before: (platform) => make(platform),
        expect: { status: 422, code: "validation-failed", pointers: ["#/properties/a/minimum"] },
      },
    ]);
  });

  test("lists in ID order, page after page, while types are added", async () => {
    const headers = { "x-tenant-id": the().workspaces.child };
    const admin = the().as("system-admin");
    await admin.post(
      `/v4/platform/tenants/${the().workspaces.tenant}/children/${the().workspaces.child}/bootstrap-admin`,
    );
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const made = await admin.post(path, creation(), { headers });
      ids.push(String(field(made.json, "id")));
    }
    const seen: string[] = [];
    let cursor = "";
    for (let page = 1; page <= 3; page += 1) {
      const from = cursor === "" ? "" : `&cursor=${cursor}`;
      const answered = await admin.get(`${path}?limit=2&count=true${from}`, { headers });
      expect(answered.json).toMatchObject({ page, limit: 2, total: page === 1 ? 5 : 6 });
      const items = field(answered.json, "items") as { id: string }[];
      seen.push(...items.map(({ id }) => id));
      cursor = String(field(answered.json, "nextCursor"));
      if (page === 1) {
        const late = await admin.post(path, creation(), { headers });
        ids.push(String(field(late.json, "id")));
      }
    }
    expect(seen).toEqual(ids);
    expect(seen).toEqual(seen.toSorted());
    expect(cursor).toBe("null");
  });

  test("shows the schema with record counts, by slug", async () => {
    const tenant = the().workspaces.other;
    const headers = { "x-tenant-id": tenant };
    const outsider = the().as("outsider");
    await outsider.post(path, { name: "Zebra", slug: "zebra", properties: sound }, { headers });
    await outsider.post(path, { name: "Apple", slug: "apple", properties: sound }, { headers });
    const records = `/v4/data/resources/${tenant}/zebra`;
    await outsider.post(records, { title: "one" });
    const second = await outsider.post(records, { title: "two" });
    await outsider.post(records, { title: "three" });
    await outsider.delete(`${records}/${String(field(second.json, "id"))}`);
    const schema = await outsider.get(`/v4/data/resources/schema/${tenant}`);
    expect(schema.json).toMatchObject({
      tenantId: tenant,
      objectTypes: [
        { slug: "apple", recordCount: 0 },
        { slug: "zebra", recordCount: 2 },
      ],
    });
  });
});

/** An object in an object, and so on; the innermost is a text. */
function nested(levels: number): object {
  return Array.from({ length: levels - 1 }).reduce<object>(
    (properties) => ({ a: { type: "object", properties } }),
    { a: { type: "string" } },
  );
}
