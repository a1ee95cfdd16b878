import { expect, test } from "vitest";
import type { Reader } from "#server/database/database.ts";
import { given } from "#lib/given.ts";
import type { Work } from "#server/work/work.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices, typedWorkspace } from "#test/support/records.ts";

const site = definition({
  properties: {
    officer: { type: "reference", targetObjectType: "officer" },
    owner: { type: "reference", targetObjectType: "owner" },
    district: { type: "reference", targetObjectType: "district" },
  },
});

const signal = new AbortController().signal;

/** The work with its statements counted; the reads themselves are the same. */
function countedWork(work: Work): { readonly work: Work; statements(): number } {
  let statements = 0;
  const counted = (reader: Reader): Reader => ({
    ...(reader.tuning === undefined ? {} : { tuning: reader.tuning }),
    dialect: reader.dialect,
    all: (statement) => {
      statements += 1;
      return reader.all(statement);
    },
    first: (statement) => {
      statements += 1;
      return reader.first(statement);
    },
  });
  const watched = new Proxy(work, {
    get(target, name) {
      if (name === "read") return counted(target.read);
      if (name !== "scan") return Reflect.get(target, name, target) as unknown;
      const { scan } = target;
      return {
        ...counted(scan),
        with: (options: Parameters<typeof scan.with>[0]) => counted(scan.with(options)),
      };
    },
  });
  return { work: watched, statements: () => statements };
}

/** The same work in the name of a viewer of every workspace. */
function asViewer(work: Work): Work {
  return new Proxy(work, {
    get: (target, name) =>
      name === "roleIn"
        ? () => ({ role: "tenant-viewer" })
        : (Reflect.get(target, name, target) as unknown),
  });
}

describeInTurn("the expansion of a page", (open) => {
  test("of 100 records with three references takes at most four statements", async () => {
    const services = recordServices(await open());
    const { work, resources, objectTypes } = services;
    const workspace = newWorkspace();
    const targets: Record<string, string> = {};
    for (const slug of ["officer", "owner", "district"]) {
      const target = definition({ properties: { name: { type: "string" } } });
      await objectTypes.create(work, workspace, { ...target, slug, name: slug });
      targets[slug] = (await resources.create(work, workspace, slug, { name: slug })).id;
    }
    await objectTypes.create(work, workspace, site);
    const items = Array.from({ length: 100 }, () => targets);
    const batch = { items, isAtomic: false, namesRecords: false, placeOf: () => [] };
    await resources.batch.create(work, { workspaceId: workspace, slug: "thing" }, batch);
    const watched = countedWork(work);
    const query = { limit: 100, expand: "officer,owner,district" };
    const { items: listed } = await resources.list(watched.work, workspace, "thing", query);
    expect(listed).toHaveLength(100);
    expect(listed[99]?.expanded).toMatchObject({
      officer: { id: targets["officer"] },
      owner: { id: targets["owner"] },
      district: { id: targets["district"], data: { name: "district" } },
    });
    expect(watched.statements()).toBeLessThanOrEqual(4);
  });

  test("by references to them takes one more", async () => {
    const own = definition({
      properties: { parent: { type: "reference", targetObjectType: "thing", indexed: true } },
    });
    const { work, resources, workspace } = await typedWorkspace(await open(), own);
    const { id } = await resources.create(work, workspace, "thing", {});
    await resources.create(work, workspace, "thing", { parent: id });
    const place = { workspaceId: workspace, slug: "thing", id };
    const watched = countedWork(work);
    const query = { expand: "thing.parent" };
    const read = await resources.getSelected(watched.work, place, query, signal);
    expect(read.expanded).toMatchObject({ "thing.parent": { total: 1 } });
    expect(watched.statements()).toBe(2);
  });

  test("is the same as text: one record, a list, no record, referring ones, chosen fields", async () => {
    const target = definition({
      name: "Target",
      slug: "target",
      properties: { name: { type: "string" }, size: { type: "number" }, marks: { type: "object" } },
    });
    const own = definition({
      properties: {
        note: { type: "string" },
        one: { type: "reference", targetObjectType: "target" },
        many: { type: "array", items: { type: "reference", targetObjectType: "target" } },
        parent: { type: "reference", targetObjectType: "thing", indexed: true },
      },
    });
    const { work, resources, objectTypes } = recordServices(await open());
    const workspace = newWorkspace();
    await objectTypes.createAll(work, workspace, [target, own]);
    const data = { size: 1e21, name: 'a "b" \\ ä', marks: { b: [1, { c: 2 }], a: "}, {" } };
    const { id } = await resources.create(work, workspace, "target", data);
    const many = [id, id];
    const first = await resources.create(work, workspace, "thing", { one: id, many, note: "x" });
    await resources.create(work, workspace, "thing", { parent: first.id, many: [] });
    for (const fields of [undefined, "note", "-one,-note"]) {
      const query = { limit: 10, expand: "one,many,parent,thing.parent", ...given({ fields }) };
      const page = await resources.list(work, workspace, "thing", query);
      const pieces = await resources.listText(work, workspace, "thing", query, { signal });
      expect(JSON.parse(pieces.join(""))).toEqual(page);
      expect(page.items[1]?.expanded).toMatchObject({
        one: { data },
        many: { items: [{ data }, { data }], total: 2 },
        parent: null,
        "thing.parent": { total: 1 },
      });
    }
  });

  test("counts what is sent: a record each time, and no field that the caller may not read", async () => {
    const large = "x".repeat(900_000);
    const site = definition({ properties: { plan: { type: "text" }, name: { type: "string" } } });
    const closed = definition({
      name: "Closed",
      slug: "closed",
      properties: {
        plan: { type: "text", readRoles: ["tenant-admin"] },
        name: { type: "string" },
      },
    });
    const links = (slug: string) =>
      definition({
        name: `Visit${slug}`,
        slug: `visit-${slug}`,
        properties: { site: { type: "reference", targetObjectType: slug, indexed: true } },
      });
    const services = recordServices(await open());
    const { work, resources, objectTypes } = services;
    const workspace = newWorkspace();
    const types = [site, closed, links("thing"), links("closed")];
    await objectTypes.createAll(work, workspace, types);
    const viewer = asViewer(work);
    const visits = async (slug: string, count: number): Promise<void> => {
      for (let number = 0; number < count; number += 1) {
        const { id } = await resources.create(work, workspace, slug, { name: "A", plan: large });
        await resources.create(work, workspace, `visit-${slug}`, { site: id });
      }
    };
    await visits("closed", 12);
    const query = { limit: 100, expand: "site" };
    const read = await resources.list(viewer, workspace, "visit-closed", query);
    expect(read.items.map(({ expanded }) => expanded)).toEqual(
      Array.from({ length: 12 }, () => ({
        site: expect.objectContaining({ data: { name: "A" } }),
      })),
    );
    await expect(resources.list(work, workspace, "visit-closed", query)).rejects.toThrow(/8388608/);

    const { id } = await resources.create(work, workspace, "thing", { plan: large });
    const visit = { site: id };
    for (let number = 0; number < 9; number += 1) {
      await resources.create(work, workspace, "visit-thing", visit);
    }
    const nine = { limit: 9, expand: "site" };
    expect((await resources.list(work, workspace, "visit-thing", nine)).items).toHaveLength(9);
    await resources.create(work, workspace, "visit-thing", visit);
    const all = { limit: 10, expand: "site" };
    await expect(resources.list(work, workspace, "visit-thing", all)).rejects.toThrow(/8388608/);
  });
});
