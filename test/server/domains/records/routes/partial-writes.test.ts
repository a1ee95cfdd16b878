import { describe, expect, test } from "vitest";
import { base, ensureTypes, make, nextReference } from "#test/support/casework.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const counter = {
  name: "Counter",
  slug: "counter",
  properties: {
    number: { type: "integer", unique: true },
    isMain: { type: "boolean", unique: true },
    name: { type: "string", unique: true },
    data: { type: "object" },
    left: { type: "integer" },
  },
};

async function ensureCounter(the: TestPlatform): Promise<string> {
  const { tenant } = the.workspaces;
  const made = await the
    .as("tenant-builder")
    .post("/v4/data/resources/object-types", counter, { headers: { "x-tenant-id": tenant } });
  expect([201, 409]).toContain(made.status);
  return `/v4/data/resources/${tenant}/counter`;
}

describePlatform("partial writes", (the) => {
  describe("patch", () => {
    const patch = { as: "tenant-staff", method: "PATCH", path: `${base}/casework/{id}` } as const;
    apiCases(the, [
      {
        name: "merges objects, replaces lists and removes by null",
        ...patch,
        body: { data: { address: { floor: 2 }, tags: ["b"], title: null } },
        before: (platform) =>
          make(platform, { title: "Gone", tags: ["a"], address: { city: "Oslo", floor: 1 } }),
        expect: { status: 200, headers: { etag: '"2"' }, body: { version: 2 } },
        after: async (_platform, answered) => {
          expect(field(answered.json, "data")).toEqual({
            reference: expect.any(String) as string,
            status: "open",
            address: { city: "Oslo", floor: 2 },
            tags: ["b"],
          });
        },
      },
      {
        name: "reports a part that the merged data lack",
        ...patch,
        body: { data: { address: { city: null } } },
        before: (platform) => make(platform, { address: { city: "Oslo", floor: 1 } }),
        expect: {
          status: 422,
          code: "validation-failed",
          pointers: ["#/data/address/city"],
        },
      },
      {
        name: "from an old version returns the fields that changed since",
        ...patch,
        body: { data: { pieces: 3 }, version: 1 },
        before: async (platform) => {
          const made = await make(platform, { title: "First" });
          const place = `/v4/data/resources/${platform.workspaces.tenant}/casework/${made.id}`;
          await platform.as("tenant-staff").patch(place, { data: { title: "Second" } });
          return made;
        },
        expect: {
          status: 409,
          code: "version-conflict",
          body: { currentVersion: 2, changedFields: ["title"] },
        },
      },
      {
        name: "is an update in the history",
        ...patch,
        body: { data: { title: "Second" } },
        before: (platform) => make(platform, { title: "First" }),
        expect: { status: 200 },
        after: async (platform, answered) => {
          const place = `/v4/data/resources/${platform.workspaces.tenant}/casework`;
          const id = String(field(answered.json, "id"));
          const read = await platform.as("tenant-viewer").get(`${place}/${id}/history`);
          expect(read.json).toMatchObject({
            items: [
              {
                operation: "update",
                changes: [
                  { op: "test", path: "/title", value: "First" },
                  { op: "replace", path: "/title", value: "Second" },
                ],
              },
              { operation: "create" },
            ],
          });
        },
      },
      {
        name: "does not take the value of another record",
        ...patch,
        body: { data: { reference: "{taken}" } },
        before: async (platform) => {
          const { reference: taken } = await make(platform);
          return { ...(await make(platform)), taken };
        },
        expect: { status: 409, code: "already-exists", pointers: ["#/data/reference"] },
      },
    ]);

    test("leaves a file, and says that another route removes it", async () => {
      const { id } = await make(the());
      const place = `/v4/data/resources/${the().workspaces.tenant}/casework/${id}`;
      const staff = the().as("tenant-staff");
      const sent = await staff.post(`${place}/files/plan?filename=a.txt`, undefined, {
        rawBody: "text",
      });
      expect(sent.status, sent.text).toBe(201);
      const removed = await staff.patch(place, { data: { plan: null } });
      expect(removed).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: "#/data/plan" }] },
      });
      const kept = await staff.patch(place, { data: { title: "Kept" } });
      expect(kept.json).toMatchObject({ data: { title: "Kept", plan: { filename: "a.txt" } } });
    });

    test("keeps what callers at once change in different properties", async () => {
      const { id } = await make(the());
      const place = `/v4/data/resources/${the().workspaces.tenant}/casework/${id}`;
      const changes = [
        { title: "Title" },
        { status: "closed" },
        { amount: 5 },
        { pieces: 6 },
        { urgent: true },
        { received: "2026-11-21" },
        { contact: "a@b.example" },
        { tags: ["a"] },
        { extra: { a: 1 } },
      ];
      const answers = await Promise.all(
        changes.map((data) => the().as("tenant-staff").patch(place, { data })),
      );
      expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
      const read = await the().as("tenant-viewer").get(place);
      expect(read.json).toMatchObject({
        version: 10,
        data: Object.assign({}, ...changes) as object,
      });
    });
  });

  describe("upsert", () => {
    test("of one value by 64 callers at once makes one record", async () => {
      await ensureTypes(the());
      const { tenant } = the().workspaces;
      const reference = nextReference();
      const place = `/v4/data/resources/${tenant}/casework`;
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, pieces) =>
          the().as("tenant-staff").put(`${place}/by/reference/${reference}`, { data: { pieces } }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(1);
      expect(statuses.filter((status) => status === 200)).toHaveLength(63);
      expect(new Set(answers.map(({ json }) => field(json, "id"))).size).toBe(1);
      const versions = answers.map(({ json }) => Number(field(json, "version")));
      expect(versions.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 64 }, (_, index) => index + 1),
      );
    });

    test.for([
      ["number", "42", 42],
      ["number", "-7", -7],
      ["isMain", "true", true],
      ["name", "a%2Fb%20%25", "a/b %"],
      ["name", "42", "42"],
    ] as const)("takes the value of %s from the text %s", async ([property, text, value]) => {
      const place = `${await ensureCounter(the())}/by/${property}/${text}`;
      const staff = the().as("tenant-staff");
      const made = await staff.put(place, { data: { data: { a: 1 } } });
      expect(made).toMatchObject({ status: 201, json: { data: { [property]: value } } });
      const changed = await staff.put(place, { data: { data: { b: 2 }, [property]: value } });
      expect(changed).toMatchObject({
        status: 200,
        json: { id: field(made.json, "id"), version: 2, data: { data: { a: 1, b: 2 } } },
      });
    });

    test.for([
      ["number", "4x", 'must be a number, not "4x"'],
      ["number", "0x1F", 'must be a number, not "0x1F"'],
      ["isMain", "yes", 'must be true or false, not "yes"'],
    ] as const)("refuses for %s the text %s", async ([property, text, detail]) => {
      const place = `${await ensureCounter(the())}/by/${property}/${text}`;
      const refused = await the().as("tenant-staff").put(place, { data: {} });
      expect(refused).toMatchObject({
        status: 422,
        json: { errors: [{ pointer: "#/path/value", detail }] },
      });
    });
  });
});
