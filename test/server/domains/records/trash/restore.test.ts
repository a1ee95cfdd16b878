import { beforeAll, expect, test } from "vitest";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";
import type { JsonObject } from "#contract/values.ts";
import { Refusal } from "#contract/problems.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { sweep } from "#server/domains/records/trash/sweep.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { newWorkspace, recordServices } from "#test/support/records.ts";

const types = [
  {
    name: "Officer",
    slug: "officer",
    properties: { name: { type: "string", unique: true, searchable: true } },
  },
  {
    name: "Site",
    slug: "site",
    properties: {
      officer: { type: "reference", targetObjectType: "officer", onDelete: "cascade" },
      code: { type: "string", unique: true },
      rank: { type: "number", indexed: true },
    },
    linkTypes: [{ name: "helpers", targetObjectType: "officer", onDelete: "clear" }],
  },
] as const;

describeOnEachDatabase("records that come back", (open) => {
  let database: WholeDatabase;
  let now = new Date("2026-11-21T09:30:00.000Z");
  beforeAll(async () => {
    database = await open();
  });

  async function setUp() {
    now = new Date("2026-11-21T09:30:00.000Z");
    const services = recordServices(database, () => now);
    const workspace = newWorkspace();
    const { work, objectTypes, resources } = services;
    const creations = types.map((one) => objectTypeCreation.parse(one));
    await objectTypes.createAll(work, workspace, creations);
    const { signal } = new AbortController();
    const scopeOf = (slug: string) => ({ workspaceId: workspace, slug });
    return {
      ...services,
      make: async (slug: string, data: JsonObject): Promise<string> =>
        (await resources.create(work, workspace, slug, data)).id,
      remove: (slug: string, id: string) => resources.delete(work, workspace, slug, id),
      patch: (slug: string, id: string, data: JsonObject) =>
        resources.patch(work, workspace, slug, { id, data }),
      get: (slug: string, id: string): Promise<Resource | undefined> =>
        resources.findRecord(work, workspace, slug, id),
      restore: (slug: string, id: string, version?: number) =>
        resources.trash.restore(work, scopeOf(slug), { id, version, ifMatch: undefined, signal }),
      deleted: async (slug: string) =>
        resources.trash.list(work, scopeOf(slug), { page: 1, limit: 10, count: true }),
      history: async (slug: string, id: string) =>
        (await resources.history(work, { ...scopeOf(slug), id }, { page: 1, limit: 20 }, signal))
          .items,
      count: async (slug: string) =>
        (await resources.aggregate(work, scopeOf(slug), countOf, signal)).rows[0]?.metrics["n"],
      found: async (query: string) =>
        (await resources.search.run(work, workspace, { query, limit: 5, mode: "fulltext" }, signal))
          .results.length,
      sweep: () =>
        sweep(
          work,
          () => now,
          () => {},
        ),
    };
  }

  async function refusalOf(run: Promise<unknown>): Promise<Refusal> {
    const error: unknown = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof Refusal) return error;
    throw new Error(`not refused: ${String(error)}`);
  }

  test("a deleted record has its id, data, author and place in searches again", async () => {
    const { make, remove, get, restore, deleted, history, found, count } = await setUp();
    const id = await make("officer", { name: "Ada" });
    const before = await get("officer", id);
    await remove("officer", id);
    expect(await deleted("officer")).toMatchObject({
      items: [
        { id, version: 2, data: { name: "Ada" }, restorableUntil: "2026-11-28T09:30:00.000Z" },
      ],
      total: 1,
    });
    expect([await found("ada"), await count("officer")]).toEqual([0, 0]);
    now = new Date("2026-11-22T09:30:00.000Z");
    const restored = await restore("officer", id);
    expect(restored).toMatchObject({ id, version: 3, restored: { records: 1, references: 0 } });
    expect(await get("officer", id)).toEqual({
      ...before,
      version: 3,
      updated_at: "2026-11-22T09:30:00.000Z",
    });
    expect([await found("ada"), await count("officer")]).toEqual([1, 1]);
    expect((await deleted("officer")).items).toEqual([]);
    expect((await history("officer", id)).map(({ operation }) => operation)).toEqual([
      "restore",
      "delete",
      "create",
    ]);
    expect((await refusalOf(make("officer", { name: "Ada" }))).code).toBe("already-exists");
  });

  test("a deletion comes back as a whole: cascaded records and cleared references", async () => {
    const { make, remove, get, restore, patch, deleted } = await setUp();
    const [officer, other] = [await make("officer", { name: "A" }), await make("officer", {})];
    const sites = [
      await make("site", { officer, code: "1", rank: 2 }),
      await make("site", { officer, code: "2" }),
    ];
    const [helped, moved] = [
      await make("site", { helpers: [other, officer], code: "3" }),
      await make("site", { helpers: [officer] }),
    ];
    await remove("officer", officer);
    await patch("site", moved, { helpers: [other] });
    expect((await deleted("site")).items).toMatchObject([
      { deletedWith: officer },
      { deletedWith: officer },
    ]);
    const restored = await restore("officer", officer);
    expect(restored).toMatchObject({ restored: { records: 3, references: 1 } });
    expect((await get("site", sites[0] ?? ""))?.data).toEqual({ officer, code: "1", rank: 2 });
    expect((await get("site", sites[1] ?? ""))?.data).toEqual({ officer, code: "2" });
    expect((await get("site", helped))?.data).toEqual({ code: "3", helpers: [other, officer] });
    // It was changed after the deletion, and stays so.
    expect((await get("site", moved))?.data).toEqual({ helpers: [other] });
    await remove("officer", officer);
    expect(await get("site", sites[0] ?? "")).toBeUndefined();
  });

  test("409 lists each value that is taken and each target that is gone", async () => {
    const { make, remove, get, restore } = await setUp();
    const officer = await make("officer", { name: "Bo" });
    const site = await make("site", { officer, code: "taken" });
    await remove("site", site);
    await remove("officer", officer);
    const holder = await make("site", { code: "taken" });
    const refusal = await refusalOf(restore("site", site));
    expect(refusal.code).toBe("not-restorable");
    expect(refusal.options.members).toMatchObject({
      total: 2,
      conflicts: [
        { type: "site", id: site, property: "code", reason: "value-taken" },
        { type: "site", id: site, property: "officer", reason: "target-missing" },
      ],
    });
    expect(await get("site", site)).toBeUndefined();
    await remove("site", holder);
    await restore("officer", officer);
    expect(await restore("site", site)).toMatchObject({ data: { officer, code: "taken" } });
  });

  test("an earlier state of a record comes back as its next version", async () => {
    const { make, patch, restore, remove } = await setUp();
    const id = await make("site", { code: "x", rank: 1 });
    await patch("site", id, { code: "y", rank: null });
    expect(await restore("site", id, 1)).toMatchObject({
      version: 3,
      data: { code: "x", rank: 1 },
    });
    await patch("site", id, { code: "z" });
    await make("site", { code: "x" });
    expect((await refusalOf(restore("site", id, 1))).code).toBe("not-restorable");
    expect((await refusalOf(restore("site", id))).code).toBe("validation-failed");
    expect((await refusalOf(restore("site", id, 9))).code).toBe("not-found");
    await remove("site", id);
    expect(await restore("site", id, 2)).toMatchObject({ version: 6, data: { code: "y" } });
  });

  test("nothing comes back after the time of the trash", async () => {
    const { make, remove, restore, deleted, sweep: sweepNow } = await setUp();
    const id = await make("officer", {});
    await remove("officer", id);
    now = new Date("2026-11-28T09:30:00.001Z");
    expect((await deleted("officer")).items).toEqual([]);
    expect((await refusalOf(restore("officer", id))).code).toBe("not-found");
    await sweepNow();
    now = new Date("2026-11-21T09:30:00.000Z");
    expect((await refusalOf(restore("officer", id))).code).toBe("not-found");
  });

  test("two restores at once make one record", async () => {
    const { make, remove, restore, history } = await setUp();
    const id = await make("officer", { name: "Cy" });
    await remove("officer", id);
    await Promise.allSettled([restore("officer", id), restore("officer", id)]);
    const operations = (await history("officer", id)).map(({ operation }) => operation);
    expect(operations).toEqual(["restore", "delete", "create"]);
  });
});

const countOf = { groupBy: [], metrics: { n: { op: "count" as const } } };
