import { appendFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Writer } from "#server/database/database.ts";
import { wholeOf } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { jsonValue } from "#server/database/dialect.ts";
import { byDialect, raw, statement } from "#server/database/statement.ts";
import { makeContext, uploaded, type Context } from "#test/support/document-forms.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";

const bench = {
  name: "Bench",
  slug: "bench",
  properties: {
    place: { type: "string", indexed: true },
    state: { type: "enum", enum: ["good", "broken"] },
    number: { type: "integer" },
    notes: { type: "array" },
  },
};

/**
 * Changes rows without the platform, as a fault would. The platform of this process can end its own
 * transaction only between two tries.
 */
function tamper(the: TestPlatform, change: (writer: Writer) => Promise<unknown>) {
  return eventually(() => tamperOnce(the, change));
}

async function tamperOnce(the: TestPlatform, change: (writer: Writer) => Promise<unknown>) {
  const database = wholeOf(
    await openPlatformDatabase({
      url: the.databaseUrl,
      isExclusive: false,
      poolSize: 1,
    }),
  );
  try {
    await database.write(change);
  } finally {
    await database.close();
  }
}

async function makeBenches(the: TestPlatform, places: readonly string[]): Promise<string[]> {
  const { tenant } = the.workspaces;
  const headers = { "x-tenant-id": tenant };
  await the.as("tenant-builder").post("/v4/data/resources/object-types", bench, { headers });
  const ids: string[] = [];
  for (const place of places) {
    const made = await the.as("tenant-staff").post(`/v4/data/resources/${tenant}/bench`, { place });
    ids.push(String(field(made.json, "id")));
  }
  return ids;
}

const storage = (the: TestPlatform, name: string): string =>
  `/v4/data/resources/${the.workspaces.tenant}/storage/${name}`;

async function codes(the: TestPlatform): Promise<unknown[]> {
  const { json } = await the.as("tenant-builder").get(storage(the, "doctor"));
  const findings = field(json, "findings");
  return Array.isArray(findings) ? findings.map((finding) => field(finding, "code")) : [];
}

describePlatform("storage doctor", (the) => {
  test("finds faults that the platform did not cause, with their repair", async () => {
    const ids = await makeBenches(the(), ["Hill", "Quay", "Mill"]);
    const context: Context = await makeContext(the());
    await uploaded(the(), context, "A letter about a bench.");
    await uploaded(the(), context, "Another letter about a bench.");
    const root = join(the().dataDirectory, "blobs", the().workspaces.tenant);
    const blobs = (await readdir(root, { recursive: true })).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
    expect(blobs).toHaveLength(2);
    expect(await codes(the())).toEqual([]);

    await rm(join(root, blobs[0] ?? ""));
    await appendFile(join(root, blobs[1] ?? ""), "!");
    await Bun.write(join(root, "ab", "cd", `abcd${"0".repeat(60)}`), "unused");
    await tamper(the(), async (writer) => {
      await writer.run(statement`update resources set t1 = '=Dale' where id = ${ids[0] ?? ""}`);
      const unfit = jsonValue({ place: "Quay", number: "seven" });
      await writer.run(statement`update resources set data = ${unfit} where id = ${ids[1] ?? ""}`);
      await writer.run(
        byDialect({
          sqlite: raw(`delete from search_terms where rowid in (select seq from search_entries
            where source in (select number from passage_sources))`),
          postgresql: raw("update search_entries set terms = '' where kind = 2"),
        }),
      );
    });
    const { json } = await the().as("tenant-builder").get(storage(the(), "doctor"));
    const fault = (code: string, more: object) => expect.objectContaining({ code, ...more });
    expect(json).toMatchObject({
      ok: false,
      complete: true,
      findings: expect.arrayContaining([
        fault("blob-missing", { backend: "blob", count: 1, severity: "error" }),
        fault("blob-damaged", { backend: "blob", count: 1 }),
        fault("blob-orphaned", {
          count: 1,
          severity: "warning",
          examples: [`abcd${"0".repeat(60)}`],
          // Only an SQLite file shows the command that no platform uses it.
          mend: expect.stringContaining(
            the().engine === "sqlite" ? "svc serve doctor --fix" : "Stop every platform",
          ),
        }),
        fault("index-out-of-step", {
          subject: "bench.place",
          count: 1,
          examples: [ids[0]],
          mend: expect.stringContaining("svc serve doctor --fix"),
        }),
        fault("record-unfit", {
          subject: "bench",
          count: 1,
          examples: [expect.stringContaining(`${ids[1]} #/number`)],
        }),
        fault("search-out-of-step", {
          backend: "search",
          mend: expect.stringContaining("--rebuild-search"),
        }),
      ]),
    });
    expect(field(json, "findings")).toHaveLength(6);
  });

  test("the rebuild of the search index makes every passage findable again", async () => {
    expect(await codes(the())).toContain("search-out-of-step");
    const body = { backend: "search", rebuildSearch: true };
    const rebuilt = await the().as("tenant-builder").post(storage(the(), "provision"), body);
    expect(rebuilt.json).toMatchObject({
      results: [{ backend: "search", state: "provisioned", actions: ["rebuild the search index"] }],
    });
    expect(await codes(the())).not.toContain("search-out-of-step");
  });
});

describePlatform("storage sync-schema", (the) => {
  test("adds the column of a missing index, and fills it", async () => {
    const ids = await makeBenches(the(), ["Hill", "Quay"]);
    const builder = the().as("tenant-builder");
    const { tenant } = the().workspaces;
    const plan = async (): Promise<unknown> => {
      const path = `/v4/platform/tenants/${tenant}/resourceapi/index-plan`;
      const { json } = await builder.post(path, { objectTypes: ["bench"] });
      return field(field(json, "objectTypes"), "0");
    };
    expect(await plan()).toMatchObject({ records: 2, missing: [] });
    await tamper(the(), async (writer) => {
      await writer.run(raw("update object_types set slots = '[]' where slug = 'bench'"));
      await writer.run(raw("update resources set t1 = null"));
    });
    expect(await plan()).toMatchObject({
      indexes: [],
      missing: [{ property: "place", reason: "defined" }],
    });
    const sync = async (body: object): Promise<unknown> =>
      (await builder.post(storage(the(), "sync-schema"), { backend: "mongodb", ...body })).json;
    const actions = ["fill the index of place"];
    expect(await sync({ dryRun: true })).toMatchObject({
      dryRun: true,
      results: [{ backend: "documentdb", objectType: "bench", state: "planned", actions }],
    });
    expect(await plan()).toMatchObject({ indexes: [] });
    expect(await sync({})).toMatchObject({ results: [{ state: "applied", actions }] });
    expect(await sync({})).toMatchObject({ results: [{ state: "already_applied" }] });
    expect(await plan()).toMatchObject({
      indexes: [{ property: "place", state: "ready" }],
      missing: [],
    });
    expect(await codes(the())).toEqual([]);
    const where = encodeURIComponent('{"place":"Quay"}');
    const found = await the()
      .as("tenant-viewer")
      .get(`/v4/data/resources/${tenant}/bench?where=${where}`);
    expect(found.json).toMatchObject({ items: [{ id: ids[1] }] });
  });

  test("the plan suggests an index where filters would read many records", async () => {
    await makeBenches(the(), []);
    const { tenant } = the().workspaces;
    await tamper(the(), (writer) =>
      writer.run(statement`update resource_counts set records = 5000
        where workspace_id = ${tenant}`),
    );
    const path = `/v4/platform/tenants/${tenant}/resourceapi/index-plan`;
    const { json } = await the()
      .as("tenant-builder")
      .post(path, { objectTypes: ["bench"] });
    expect(field(field(json, "objectTypes"), "0")).toMatchObject({
      missing: [
        {
          property: "state",
          reason: "suggested",
          action: 'Set "indexed": true on state and run `svc types seed`',
        },
      ],
    });
  });
});

describePlatform(
  "the index plan",
  (the) => {
    test("names the properties of slow requests without an index, and no value", async () => {
      await makeBenches(the(), ["Hill", "Quay"]);
      const { tenant } = the().workspaces;
      const viewer = the().as("tenant-viewer");
      const place = `/v4/data/resources/${tenant}/bench`;
      const ask = async (where: object, sort = "created_at"): Promise<void> => {
        const text = encodeURIComponent(JSON.stringify(where));
        expect((await viewer.get(`${place}?where=${text}&sort=${sort}`)).status).toBe(200);
      };
      await ask({ number: { $gt: 41_976 } });
      await ask({ number: 7, notes: { $exists: true } });
      // These have an index, or need none.
      await ask({ place: "Hill", state: "good" });
      await ask({});
      const body = { groupBy: ["place"], metrics: { n: { op: "count" } }, where: { number: 1 } };
      expect((await viewer.post(`${place}/aggregate`, body)).status).toBe(200);
      const path = `/v4/platform/tenants/${tenant}/resourceapi/index-plan`;
      const plan = (): Promise<{ json: unknown; text: string }> =>
        the()
          .as("tenant-builder")
          .post(path, { objectTypes: ["bench"] });
      // With few records no index is missing.
      expect(field(field((await plan()).json, "objectTypes"), "0")).toMatchObject({ missing: [] });
      await tamper(the(), (writer) =>
        writer.run(statement`update resource_counts set records = 5000
          where workspace_id = ${tenant}`),
      );
      const { json, text } = await plan();
      expect(field(field(json, "objectTypes"), "0")).toMatchObject({
        missing: [
          {
            property: "number",
            reason: "slow",
            requests: 3,
            slowestMs: expect.any(Number),
            action: 'Set "indexed": true on number and run `svc types seed`',
          },
          {
            property: "notes",
            reason: "slow",
            requests: 1,
            action: "No index is possible: also filter by a plain property of the record",
          },
          { property: "state", reason: "suggested" },
        ],
      });
      expect(text).not.toContain("41976");
    });
  },
  { limits: { slowFilterMs: 0 } },
);
