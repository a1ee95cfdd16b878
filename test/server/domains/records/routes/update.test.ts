import { describe, expect, test } from "vitest";
import { base, make } from "#test/support/casework.ts";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";

describePlatform("changes of records", (the) => {
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
        name: "from an old version returns the current version and the changed fields",
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
        name: "from a future version is a conflict",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        body: { data: { reference: "{reference}" }, version: 9 },
        before: (platform) => make(platform),
        expect: { status: 409, body: { currentVersion: 1, changedFields: [] } },
      },
      {
        name: "with a stale If-Match is refused",
        as: "tenant-staff",
        method: "PUT",
        path: `${base}/casework/{id}`,
        headers: { "if-match": '"2"' },
        body: { data: { reference: "{reference}" }, version: 1 },
        before: (platform) => make(platform),
        expect: { status: 412, code: "precondition-failed", body: { currentVersion: 1 } },
      },
      {
        name: "with the current version in If-Match is written",
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
        name: "removes the record",
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
        name: "with a stale If-Match keeps the record",
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
