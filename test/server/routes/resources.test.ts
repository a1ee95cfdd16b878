import { describe, expect, test } from "vitest";
import {
  apiCases,
  describePlatform,
  field,
  type ApiCase,
  type TestPlatform,
} from "#test/support/platform.ts";

const unknownId = "0190a000-0000-7000-8000-0000000000ff";
const base = "/v4/data/resources/{tenant}";

const casework = {
  name: "Casework",
  slug: "casework",
  properties: {
    reference: { type: "string", required: true, unique: true, pattern: "^C-\\d+$" },
    title: { type: "string", minLength: 2, maxLength: 20 },
    status: { type: "enum", enum: ["open", "closed"], default: "open", indexed: true },
    amount: { type: "number", minimum: 0, maximum: 1000, indexed: true },
    pieces: { type: "integer" },
    urgent: { type: "boolean" },
    received: { type: "date" },
    closedAt: { type: "datetime" },
    contact: { type: "email" },
    website: { type: "url" },
    address: {
      type: "object",
      properties: { city: { type: "string", required: true }, floor: { type: "integer" } },
    },
    tags: { type: "array", items: { type: "string" }, maxItems: 3 },
    extra: { type: "object" },
    parent: { type: "reference", targetObjectType: "casework" },
    place: { type: "geopoint" },
    plan: { type: "file" },
  },
  linkTypes: [{ name: "related", targetObjectType: "casework", cardinality: "many" }],
};

let count = 0;
const nextReference = (): string => {
  count += 1;
  return `C-${count}`;
};

async function ensureTypes(the: TestPlatform): Promise<void> {
  const headers = { "x-tenant-id": the.workspaces.tenant };
  const made = await the
    .as("tenant-builder")
    .post("/v4/data/resources/object-types", casework, { headers });
  expect([201, 409]).toContain(made.status);
  const foreign = await the.as("outsider").post("/v4/data/resources/object-types", casework, {
    headers: { "x-tenant-id": the.workspaces.other },
  });
  expect([201, 409]).toContain(foreign.status);
}

/** A record of this workspace, and one of another: `{id}` and `{foreignId}`. */
async function make(
  the: TestPlatform,
  data: object = {},
): Promise<{ id: string; reference: string; foreignId: string }> {
  await ensureTypes(the);
  const reference = nextReference();
  const { tenant, other } = the.workspaces;
  const made = await the
    .as("tenant-staff")
    .post(`/v4/data/resources/${tenant}/casework`, { reference, ...data });
  expect(made.status, made.text).toBe(201);
  const foreign = await the
    .as("outsider")
    .post(`/v4/data/resources/${other}/casework`, { reference, title: "foreign" });
  return {
    id: String(field(made.json, "id")),
    reference,
    foreignId: String(field(foreign.json, "id")),
  };
}

const routes = [
  { method: "GET", path: `${base}/casework`, needs: "tenant-viewer" },
  { method: "GET", path: `${base}/casework/{id}`, needs: "tenant-viewer" },
  { method: "POST", path: `${base}/casework`, needs: "tenant-staff" },
  { method: "PUT", path: `${base}/casework/{id}`, needs: "tenant-staff" },
  { method: "DELETE", path: `${base}/casework/{id}`, needs: "tenant-staff" },
] as const;

function bodyFor(method: string): { body?: object } {
  if (method === "POST") return { body: { reference: "C-0" } };
  if (method === "PUT") return { body: { data: { reference: "C-0" }, version: 1 } };
  return {};
}

const refusals: ApiCase[] = routes.flatMap(({ method, path, needs }) => {
  const common = { method, path, ...bodyFor(method), before: (the: TestPlatform) => make(the) };
  const cases: ApiCase[] = [
    {
      ...common,
      name: `nobody is refused ${method} ${path}`,
      as: "nobody",
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      ...common,
      name: `an outsider finds no ${method} ${path}`,
      as: "outsider",
      expect: { status: 404, code: "not-found", excludes: ["foreign"] },
    },
  ];
  if (needs === "tenant-staff") {
    cases.push({
      ...common,
      name: `a viewer is refused ${method} ${path}`,
      as: "tenant-viewer",
      expect: {
        status: 403,
        code: "permission-denied",
        body: { requiredRole: "tenant-staff", currentRole: "tenant-viewer" },
      },
    });
  }
  if (path.endsWith("{id}")) {
    for (const [words, id] of [
      ["another workspace's record", "{foreignId}"],
      ["a record that never was", unknownId],
    ] as const) {
      cases.push({
        ...common,
        name: `${words} is not found by ${method}`,
        path: path.replace("{id}", id),
        expect: { status: 404, code: "not-found" },
      });
    }
    cases.push({
      ...common,
      name: `an id that is none is refused by ${method}`,
      path: path.replace("{id}", "nonsense"),
      expect: { status: 422, code: "validation-failed", pointers: ["#/path/id"] },
    });
  }
  cases.push({
    ...common,
    name: `an unknown Object Type is not found by ${method} ${path}`,
    path: path.replace("casework", "no-such-type"),
    expect: { status: 404, code: "not-found" },
  });
  return cases;
});

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

describePlatform("resources", (the) => {
  describe("who may", () => apiCases(the, refusals));

  describe("creation", () => {
    apiCases(the, [
      {
        name: "answers the record with its place, version and defaults",
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
        name: "takes { data } as well",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        before: ensureTypes,
        body: { data: { reference: "C-1001" } },
        expect: { status: 201, body: { data: { reference: "C-1001" } } },
      },
      {
        name: "points into { data } when that was sent",
        as: "tenant-staff",
        method: "POST",
        path: `${base}/casework`,
        before: ensureTypes,
        body: { data: { reference: 5 } },
        expect: { status: 422, pointers: ["#/data/reference"] },
      },
      {
        name: "with a key is done once",
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
        name: "of a unique value that is taken is refused with its pointer",
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
        name: "refuses links to another workspace's records, and to none",
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
        name: "answers a record with its tag",
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
        name: "answers 304 to whom has the version already",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/casework/{id}`,
        headers: { "if-none-match": '"1"' },
        before: (platform) => make(platform),
        expect: { status: 304 },
      },
    ]);
  });

  describe("update", () => {
    apiCases(the, [
      {
        name: "replaces the data and counts the version",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { data: { reference: "{reference}", pieces: 3 }, version: 1 },
        before: (platform) => make(platform, { title: "gone afterwards" }),
        expect: { status: 200, headers: { etag: '"2"' }, body: { version: 2 } },
        after: async (_platform, answered) => {
          expect(Object.keys(field(answered.json, "data") as object)).toEqual([
            "reference",
            "pieces",
          ]);
        },
      },
      {
        name: "from an old version says what is current and what changed",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { data: { reference: "{reference}" }, version: 1 },
        before: async (platform) => {
          const made = await make(platform, { title: "First" });
          const place = `/v4/data/resources/${platform.workspaces.tenant}/casework/${made.id}`;
          const staff = platform.as("tenant-staff");
          const { reference } = made;
          await staff.put(place, { data: { reference, title: "Second" }, version: 1 });
          await staff.put(place, {
            data: { reference, title: "Second", address: { city: "Here" } },
            version: 2,
          });
          return made;
        },
        expect: {
          status: 409,
          code: "version-conflict",
          body: { currentVersion: 3, changedFields: ["title", "status", "address"] },
        },
      },
      {
        name: "from a version that is yet to come is a conflict",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { data: { reference: "{reference}" }, version: 9 },
        before: (platform) => make(platform),
        expect: { status: 409, body: { currentVersion: 1, changedFields: [] } },
      },
      {
        name: "with an If-Match that does not hold is refused",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        headers: { "if-match": '"2"' },
        body: { data: { reference: "{reference}" }, version: 1 },
        before: (platform) => make(platform),
        expect: { status: 412, code: "precondition-failed", body: { currentVersion: 1 } },
      },
      {
        name: "with an If-Match that holds is done",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        headers: { "if-match": '"7", "1"' },
        body: { data: { reference: "{reference}" }, version: 1 },
        before: (platform) => make(platform),
        expect: { status: 200, body: { version: 2 } },
      },
      {
        name: "needs data and version",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { title: "x" },
        before: (platform) => make(platform),
        expect: {
          status: 422,
          code: "validation-failed",
          pointers: ["#/data", "#/version", "#/title"],
        },
      },
      {
        name: "points below data",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { data: { reference: "{reference}", amount: -1, nope: 1 }, version: 1 },
        before: (platform) => make(platform),
        expect: { status: 422, pointers: ["#/data/amount", "#/data/nope"] },
      },
      {
        name: "to a unique value that is taken is refused",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { data: { reference: "{otherReference}" }, version: 1 },
        before: async (platform) => {
          const other = await make(platform);
          return { ...(await make(platform)), otherReference: other.reference };
        },
        expect: { status: 409, code: "already-exists", pointers: ["#/data/reference"] },
      },
    ]);
  });

  describe("deletion", () => {
    apiCases(the, [
      {
        name: "leaves nothing to find",
        as: "tenant-staff",
        method: "DELETE",
        path: `${base}/casework/{id}`,
        before: async (platform) => {
          const made = await make(platform);
          deleted = made.id;
          return made;
        },
        expect: { status: 204 },
        after: async (platform) => {
          const place = `/v4/data/resources/${platform.workspaces.tenant}/casework/${deleted}`;
          expect((await platform.as("tenant-viewer").get(place)).status).toBe(404);
          expect((await platform.as("tenant-staff").delete(place)).status).toBe(404);
        },
      },
      {
        name: "with an If-Match that does not hold leaves the record",
        as: "tenant-staff",
        method: "DELETE",
        path: `${base}/casework/{id}`,
        headers: { "if-match": '"4"' },
        before: async (platform) => {
          const made = await make(platform);
          deleted = made.id;
          return made;
        },
        expect: { status: 412, code: "precondition-failed" },
        after: async (platform) => {
          const place = `/v4/data/resources/${platform.workspaces.tenant}/casework/${deleted}`;
          expect((await platform.as("tenant-viewer").get(place)).status).toBe(200);
        },
      },
    ]);
  });
  let deleted = "";

  describe("listing", () => {
    const list = (query: string): string => `${base}/casework?${query}`;
    const wrong = (name: string, query: string, pointers: readonly string[]): ApiCase => ({
      name,
      as: "tenant-viewer",
      method: "GET",
      path: list(query),
      before: ensureTypes,
      expect: { status: 422, code: "validation-failed", pointers },
    });
    const where = (value: unknown): string => `where=${encodeURIComponent(JSON.stringify(value))}`;
    apiCases(the, [
      wrong("refuses a page below 1", "page=0", ["#/query/page"]),
      wrong("refuses more than 500 items", "limit=501", ["#/query/limit"]),
      wrong("refuses what it does not know", "offset=3", ["#/query/offset"]),
      wrong("refuses an unknown field to sort by", "sort=nope", ["#/query/sort"]),
      wrong("refuses to sort by a list", "sort=tags", ["#/query/sort"]),
      wrong("refuses a cursor of its own making", "cursor=abc.def", ["#/query/cursor"]),
      wrong("refuses a where that is no JSON", "where=%7Bbad", ["#/query/where"]),
      wrong("refuses a where that is no object", where([1]), ["#/query/where"]),
      wrong("points to an unknown operator", where({ status: { $like: "o%" } }), [
        "#/query/where/status/$like",
      ]),
      wrong(
        "points to each fault of a filter",
        where({ $or: [{ amount: { $gt: [1] } }, { $where: "1" }], "a..b": 1 }),
        ["#/query/where/$or/0/amount/$gt", "#/query/where/$or/1/$where", "#/query/where/a..b"],
      ),
      wrong(
        "refuses an $or that is 200 deep",
        where(Array.from({ length: 200 }).reduce<object>((inner) => ({ $or: [inner] }), { a: 1 })),
        ["#/query/where/$or/0/$or/0/$or/0"],
      ),
      wrong("refuses a pattern that looks around", where({ title: { $regex: "(?<=a)b" } }), [
        "#/query/where/title/$regex",
      ]),
      wrong(
        "refuses an $in with more than 1,000 items",
        where({ amount: { $in: Array.from({ length: 1001 }, (_, index) => index) } }),
        ["#/query/where/amount/$in"],
      ),
    ]);

    test("a pattern that would make others hang is answered like any other", async () => {
      await ensureTypes(the());
      const { tenant } = the().workspaces;
      await the()
        .as("tenant-staff")
        .post(`/v4/data/resources/${tenant}/casework`, {
          reference: nextReference(),
          extra: { text: "a".repeat(50_000) },
        });
      const hostile = where({ "extra.text": { $regex: "^(a+)+b$" } });
      const answered = await the()
        .as("tenant-viewer")
        .get(`/v4/data/resources/${tenant}/casework?${hostile}`);
      expect(answered.status).toBe(200);
      expect(answered.json).toMatchObject({ items: [] });
    });
  });

  test("fifty writers with versions lose nothing", { timeout: 60_000 }, async () => {
    const { id, reference } = await make(the(), { pieces: 0 });
    const place = `/v4/data/resources/${the().workspaces.tenant}/casework/${id}`;
    const staff = the().as("tenant-staff");
    let successes = 0;
    let conflicts = 0;
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        for (let write = 0; write < 4; write += 1) {
          const current = await staff.get(place);
          const version = Number(field(current.json, "version"));
          const pieces = Number(field(field(current.json, "data"), "pieces")) + 1;
          const answered = await staff.put(place, { data: { reference, pieces }, version });
          if (answered.status === 200) successes += 1;
          else conflicts += 1;
          expect([200, 409]).toContain(answered.status);
        }
      }),
    );
    const last = await staff.get(place);
    expect(successes + conflicts).toBe(200);
    expect(last.json).toMatchObject({ version: successes + 1, data: { pieces: successes } });
  });
});

function nested(levels: number): object {
  return Array.from({ length: levels }).reduce<object>((inner) => ({ a: inner }), {});
}
