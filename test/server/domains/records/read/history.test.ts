import { describe, expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { base, makeRecord } from "../routes/ledger.ts";

const path = `${base}/ledger/{id}/history`;

/** Made, changed twice, and perhaps deleted. */
async function writeThrice(the: TestPlatform): Promise<{ id: string; reference: string }> {
  const { id, reference } = await makeRecord(the, { title: "first", tags: ["a"] });
  const place = `/v4/data/resources/${the.workspaces.tenant}/ledger/${id}`;
  const staff = the.as("tenant-staff");
  const second = { reference, title: "second", tags: ["a", "b"], address: { city: "Bath" } };
  const third = { reference, title: "second", address: { city: "York" }, status: "review" };
  expect((await staff.put(place, { data: second, version: 1 })).status).toBe(200);
  expect((await staff.put(place, { data: third, version: 2 })).status).toBe(200);
  return { id, reference };
}

async function writeAndDelete(the: TestPlatform): Promise<{ id: string; reference: string }> {
  const given = await writeThrice(the);
  const place = `/v4/data/resources/${the.workspaces.tenant}/ledger/${given.id}`;
  expect((await the.as("tenant-staff").delete(place)).status).toBe(204);
  return given;
}

describePlatform("the history of a record", (the) => {
  apiCases(the, [
    {
      name: "says every write, newest first, as JSON Patch",
      as: "tenant-viewer",
      method: "GET",
      path,
      before: writeThrice,
      expect: { status: 200, body: { page: 1, hasNextPage: false, nextCursor: null } },
      after: async (platform, answered) => {
        const actor = platform.users["tenant-staff"].oid;
        expect(field(answered.json, "items")).toMatchObject([
          {
            version: 3,
            operation: "update",
            actor,
            changes: expect.arrayContaining([
              { op: "test", path: "/address/city", value: "Bath" },
              { op: "replace", path: "/address/city", value: "York" },
              { op: "test", path: "/tags", value: ["a", "b"] },
              { op: "remove", path: "/tags" },
              { op: "add", path: "/status", value: "review" },
            ]),
          },
          { version: 2, operation: "update", actor },
          {
            version: 1,
            operation: "create",
            actor,
            changes: [
              { op: "add", path: "", value: { title: "first", status: "open", tags: ["a"] } },
            ],
          },
        ]);
      },
    },
    {
      name: "is read page by page",
      as: "tenant-viewer",
      method: "GET",
      path: `${path}?limit=2&count=true`,
      before: writeThrice,
      expect: { status: 200, body: { total: 3, limit: 2, hasNextPage: true } },
      after: async (_platform, answered) => {
        expect(versionsOf(answered.json)).toEqual([3, 2]);
        const [item] = field(answered.json, "items") as unknown[];
        expect(field(item, "at")).toMatch(/Z$/);
      },
    },
    {
      name: "stays when the record is deleted",
      as: "tenant-viewer",
      method: "GET",
      path,
      before: writeAndDelete,
      expect: { status: 200 },
      after: async (_platform, answered) => {
        expect(versionsOf(answered.json)).toEqual([4, 3, 2, 1]);
        expect(field(answered.json, "items")).toMatchObject([
          {
            operation: "delete",
            changes: [
              { op: "test", path: "", value: { title: "second", status: "review" } },
              { op: "remove", path: "" },
            ],
          },
          { operation: "update" },
          { operation: "update" },
          { operation: "create", changes: [{ op: "add", value: { title: "first" } }] },
        ]);
      },
    },
    {
      name: "refuses a cursor of another list",
      as: "tenant-viewer",
      method: "GET",
      path: `${path}?cursor=abc.def`,
      before: writeThrice,
      expect: { status: 422, code: "validation-failed", pointers: ["#/query/cursor"] },
    },
    {
      name: "refuses a page that is none",
      as: "tenant-viewer",
      method: "GET",
      path: `${path}?limit=501`,
      before: writeThrice,
      expect: { status: 422, code: "validation-failed", pointers: ["#/query/limit"] },
    },
  ]);

  test("continues after a cursor, also when the record is written meanwhile", async () => {
    const { id, reference } = await writeThrice(the());
    const place = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;
    const viewer = the().as("tenant-viewer");
    const first = await viewer.get(`${place}/history?limit=2`);
    const written = await the().as("tenant-staff").put(place, { data: { reference }, version: 3 });
    expect(written.status).toBe(200);
    const cursor = encodeURIComponent(String(field(first.json, "nextCursor")));
    const second = await viewer.get(`${place}/history?limit=2&cursor=${cursor}`);
    expect(versionsOf(second.json)).toEqual([1]);
    expect(second.json).toMatchObject({ page: 2, hasNextPage: false });
  });

  describe("a record as it stood", () => {
    const cases = [
      ["in its first version", 1, { title: "first", status: "open", tags: ["a"] }],
      [
        "in its second version",
        2,
        { title: "second", tags: ["a", "b"], address: { city: "Bath" } },
      ],
      ["now", 3, { title: "second", address: { city: "York" }, status: "review" }],
    ] as const;
    for (const before of [writeThrice, writeAndDelete]) {
      const words = before === writeThrice ? "" : ", when it is deleted already";
      apiCases(
        the,
        cases.map(([name, version, data]) => ({
          name: `${name}${words}`,
          as: "tenant-viewer" as const,
          method: "GET",
          path: `${base}/ledger/{id}?version=${version}`,
          before,
          expect: { status: 200, body: { type: "ledger", version } },
          after: async (_platform, answered) => {
            const { reference, ...rest } = field(answered.json, "data") as Record<string, unknown>;
            expect(reference).toMatch(/^L-/);
            expect(rest).toEqual(data);
          },
        })),
      );
    }

    apiCases(the, [
      ...[
        ["a version that never was", writeThrice, 4],
        ["the deletion itself", writeAndDelete, 4],
      ].map(([name, before, version]) => ({
        name: `${String(name)} is not found`,
        as: "tenant-viewer" as const,
        method: "GET",
        path: `${base}/ledger/{id}?version=${String(version)}`,
        before: before as typeof writeThrice,
        expect: { status: 404, code: "not-found" as const },
      })),
      {
        name: "another workspace's is not found",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/ledger/{foreignId}?version=1`,
        before: (platform) => makeRecord(platform),
        expect: { status: 404, code: "not-found", excludes: ["foreign"] },
      },
      {
        name: "a version below 1 is refused",
        as: "tenant-viewer",
        method: "GET",
        path: `${base}/ledger/{id}?version=0`,
        before: writeThrice,
        expect: { status: 422, code: "validation-failed", pointers: ["#/query/version"] },
      },
    ]);
  });

  test("leads a long way back", async () => {
    const { id, reference } = await makeRecord(the(), { pieces: 1 });
    const place = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;
    const staff = the().as("tenant-staff");
    for (let version = 1; version <= 230; version += 1) {
      const data = { reference, pieces: version + 1 };
      expect((await staff.put(place, { data, version })).status).toBe(200);
    }
    for (const version of [1, 2, 30, 31, 32, 231]) {
      const { json } = await staff.get(`${place}?version=${version}`);
      expect(json).toMatchObject({ version, data: { pieces: version } });
    }
  });
});

function versionsOf(json: unknown): unknown[] {
  const items = field(json, "items");
  return Array.isArray(items) ? items.map((item) => field(item, "version")) : [];
}
