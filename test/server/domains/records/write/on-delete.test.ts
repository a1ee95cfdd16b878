import { beforeAll, describe, expect, test } from "vitest";
import { objectTypeCreation } from "#contract/object-types/object-types.ts";
import type { JsonObject } from "#contract/values.ts";
import { Refusal } from "#contract/problems.ts";
import { statement } from "#server/database/statement.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { newWorkspace, recordServices, resourceIn } from "#test/support/records.ts";

type Rule = "restrict" | "clear" | "cascade";

const types = [
  { name: "Officer", slug: "officer", properties: { name: { type: "string" } } },
  {
    name: "Site",
    slug: "site",
    properties: {
      officer: { type: "reference", targetObjectType: "officer" },
      parent: { type: "reference", targetObjectType: "site", onDelete: "cascade" },
    },
  },
  {
    name: "Inspection",
    slug: "inspection",
    properties: {
      site: { type: "reference", targetObjectType: "site", onDelete: "cascade" },
      rooms: {
        type: "array",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            officer: { type: "reference", targetObjectType: "officer", onDelete: "clear" },
          },
        },
      },
      code: { type: "string", unique: true },
    },
    linkTypes: [{ name: "helpers", targetObjectType: "officer", onDelete: "clear" }],
  },
] as const;

describeOnEachDatabase("what a deletion does to references", (open) => {
  let database: WholeDatabase;
  beforeAll(async () => {
    database = await open();
  });

  async function setUp(given: readonly object[] = types) {
    const services = recordServices(database);
    const workspace = newWorkspace();
    const { work, objectTypes, resources } = services;
    const creations = given.map((one) => objectTypeCreation.parse(one));
    const created = await objectTypes.createAll(work, workspace, creations);
    const make = async (slug: string, data: JsonObject): Promise<string> =>
      (await resources.create(work, workspace, slug, data)).id;
    const remove = (slug: string, id: string): Promise<void> =>
      resources.delete(work, workspace, slug, id);
    const get = (slug: string, id: string): Promise<Resource | undefined> =>
      resources.findRecord(work, workspace, slug, id);
    const links = async (): Promise<number> =>
      (
        await database.read.all(
          statement`select 1 as one from record_links where workspace_id = ${workspace}`,
        )
      ).length;
    return { ...services, workspace, created, make, remove, get, links };
  }

  async function refusalOf(run: Promise<unknown>): Promise<Refusal> {
    const error: unknown = await run.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error instanceof Refusal) return error;
    throw new Error(`not refused: ${String(error)}`);
  }

  test("restrict is the default: it counts all references and names ten", async () => {
    const { make, remove, get } = await setUp();
    const officer = await make("officer", { name: "Ada" });
    const sites: string[] = [];
    for (let index = 0; index < 12; index += 1) sites.push(await make("site", { officer }));
    const refusal = await refusalOf(remove("officer", officer));
    expect(refusal.code).toBe("still-referenced");
    expect(refusal.options.members).toMatchObject({ total: 12 });
    expect(refusal.options.members?.["references"]).toHaveLength(10);
    expect(await get("officer", officer)).toBeDefined();
    for (const site of sites) await remove("site", site);
    await remove("officer", officer);
    expect(await get("officer", officer)).toBeUndefined();
  });

  test("hides the records from a caller that may not read them", async () => {
    const { make, work, workspace, resources } = await setUp();
    const officer = await make("officer", {});
    const site = await make("site", { officer });
    const options = { mayRead: false };
    const run = resources.delete(work, workspace, "officer", officer, options);
    const refusal = await refusalOf(run);
    expect(refusal.options.members).toEqual({ total: 1, references: [] });
    expect(refusal.message).not.toContain(site);
  });

  test("a reference that an update has moved no longer forbids it", async () => {
    const { make, remove, work, workspace, resources, links } = await setUp();
    const [first, second] = [await make("officer", {}), await make("officer", {})];
    const site = await make("site", { officer: first });
    const patch = { id: site, data: { officer: second } };
    await resources.patch(work, workspace, "site", patch);
    await remove("officer", first);
    expect((await refusalOf(remove("officer", second))).code).toBe("still-referenced");
    await resources.patch(work, workspace, "site", { id: site, data: { officer: null } });
    await remove("officer", second);
    expect(await links()).toBe(0);
  });

  test("clear removes references at any depth, as one version of the same operation", async () => {
    const { make, remove, get, work, workspace, resources } = await setUp();
    const [officer, other] = [await make("officer", {}), await make("officer", {})];
    const inspection = await make("inspection", {
      rooms: [{ name: "a", officer }, { name: "b", officer: other }, { name: "c" }],
      helpers: [officer, other],
      code: "I-1",
    });
    await remove("officer", officer);
    expect(await get("inspection", inspection)).toMatchObject({
      version: 2,
      data: {
        rooms: [{ name: "a" }, { name: "b", officer: other }, { name: "c" }],
        helpers: [other],
      },
    });
    const { signal } = new AbortController();
    const historyOf = async (slug: string, id: string) =>
      (
        await resources.history(
          work,
          { workspaceId: workspace, slug, id },
          { page: 1, limit: 5 },
          signal,
        )
      ).items[0];
    const [cleared, deleted] = [
      await historyOf("inspection", inspection),
      await historyOf("officer", officer),
    ];
    expect(deleted).toMatchObject({ operation: "delete", version: 2 });
    expect(cleared).toMatchObject({ operation: "update", version: 2 });
    expect(cleared?.operationId).toBe(deleted?.operationId);
    expect(cleared?.operationId).toBeTypeOf("string");
  });

  test("cascade deletes over several types, also in a circle", async () => {
    const { make, remove, get, work, workspace, resources, links } = await setUp();
    const site = await make("site", {});
    const inner = await make("site", { parent: site });
    await resources.patch(work, workspace, "site", { id: site, data: { parent: inner } });
    const inspections = [
      await make("inspection", { site, code: "A" }),
      await make("inspection", { site: inner, code: "B" }),
    ];
    const place = { workspaceId: workspace, slug: "site", id: site };
    const preview = await resources.previewDeletion(work, place);
    expect(preview).toMatchObject({ allowed: true, deletes: { total: 4 }, clears: { total: 0 } });
    expect(await get("site", site)).toBeDefined();
    await remove("site", site);
    expect(await get("site", inner)).toBeUndefined();
    for (const id of inspections) expect(await get("inspection", id)).toBeUndefined();
    expect(await links()).toBe(0);
    expect(
      (await resources.list(work, workspace, "inspection", { page: 1, limit: 5, sort: "id" }))
        .items,
    ).toEqual([]);
  });

  test("a batch deletes a record together with those that refer to it", async () => {
    const { make, get, work, workspace, resources } = await setUp();
    const [officer, free] = [await make("officer", {}), await make("officer", {})];
    const [outer, inner] = [await make("site", { officer }), await make("site", {})];
    const scope = { workspaceId: workspace, slug: "officer" };
    const batchOf = (ids: readonly string[], isAtomic: boolean) => ({
      items: ids.map((id) => ({ id })),
      isAtomic,
      namesRecords: true,
      placeOf: (index: number) => [index],
    });
    const atomic = resources.batch.delete(work, scope, batchOf([officer, free], true));
    expect((await refusalOf(atomic)).code).toBe("still-referenced");
    expect(await get("officer", free)).toBeDefined();
    const mixed = await resources.batch.delete(work, scope, batchOf([officer, free], false));
    expect(mixed.results.map(({ status }) => status)).toEqual([409, 204]);
    const sites = { workspaceId: workspace, slug: "site" };
    await resources.batch.delete(work, sites, batchOf([outer, inner], true));
    await resources.delete(work, workspace, "officer", officer);
    expect(await get("officer", officer)).toBeUndefined();
  });

  test("refuses a cascade over more than a thousand records", async () => {
    const { make, remove, get, work, workspace, resources } = await setUp();
    const site = await make("site", {});
    const items = Array.from({ length: 1_001 }, () => ({ data: { site } }));
    await resources.batch.create(
      work,
      { workspaceId: workspace, slug: "inspection" },
      { items, isAtomic: false, namesRecords: false, placeOf: (index) => [index] },
    );
    expect((await refusalOf(remove("site", site))).code).toBe("conflict");
    expect(await get("site", site)).toBeDefined();
  });

  describe("an Object Type that is older than onDelete", () => {
    test("keeps its references until they name it, also those of older records", async () => {
      const { make, remove, get, work, workspace, objectTypes, indexes, created } = await setUp();
      const type = created.find(({ slug }) => slug === "site");
      await database.write((tx) =>
        tx.run(statement`update object_types set on_delete = 'keep', links_state = 'none'
          where workspace_id = ${workspace} and slug = 'site'`),
      );
      await objectTypes.update(work, workspace, type?.id ?? "", { description: "Read again" });
      const [kept, guarded] = [await make("officer", {}), await make("officer", {})];
      await make("site", { officer: kept });
      await remove("officer", kept);
      const site = await make("site", { officer: guarded });
      const withRule = (onDelete: Rule) => ({
        properties: {
          officer: { type: "reference" as const, targetObjectType: "officer", onDelete },
        },
      });
      await objectTypes.update(work, workspace, type?.id ?? "", withRule("restrict"));
      // The links may not be complete yet: the records are read.
      expect((await refusalOf(remove("officer", guarded))).code).toBe("still-referenced");
      await indexes.settled();
      expect((await refusalOf(remove("officer", guarded))).code).toBe("still-referenced");
      await objectTypes.update(work, workspace, type?.id ?? "", withRule("clear"));
      await remove("officer", guarded);
      expect((await get("site", site))?.data).toEqual({});
    });
  });

  test("two requests, of which one refers to what the other deletes, leave nothing dangling", async () => {
    const { make, get, work, workspace, resources } = await setUp();
    for (let round = 0; round < 10; round += 1) {
      const officer = await make("officer", {});
      const [made, gone] = await Promise.allSettled([
        resources.create(work, workspace, "site", { officer }),
        resources.delete(work, workspace, "officer", officer),
      ]);
      const isThere = (await get("officer", officer)) !== undefined;
      expect(isThere).toBe(gone.status === "rejected");
      expect(made.status === "fulfilled").toBe(isThere);
      if (made.status === "fulfilled") expect(resourceIn(made.value).data).toEqual({ officer });
    }
  });

  test("clear does not apply to a required property", async () => {
    const properties = {
      officer: {
        type: "reference",
        targetObjectType: "officer",
        required: true,
        onDelete: "clear",
      },
    };
    const wrong = setUp([types[0], { name: "Wrong", slug: "wrong", properties }]);
    expect((await refusalOf(wrong)).options.errors).toEqual([
      {
        pointer: "#/1/properties/officer/onDelete",
        detail: "can't be clear: the property is required",
      },
    ]);
  });
});
