import { expect, test } from "vitest";
import type { ObjectTypeCreation } from "#contract/object-types/object-types.ts";
import type { PropertyDefinition } from "#contract/object-types/properties.ts";
import type { JsonObject } from "#contract/values.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, typedWorkspace } from "#test/support/records.ts";

type Properties = ObjectTypeCreation["properties"];

const site = (members: Properties): PropertyDefinition => ({ type: "object", properties: members });
const ward: Properties = { ward: { type: "string" } };

describeOnEachDatabase("records after a change of their properties' shape", (open) => {
  /** A type with these records, whose definition is then another one. */
  async function changed(before: Properties, records: readonly JsonObject[], after: Properties) {
    const made = definition({ properties: before });
    const { work, objectTypes, indexes, resources, workspace, type } = await typedWorkspace(
      await open(),
      made,
    );
    const { id } = type;
    for (const data of records) await resources.create(work, workspace, "thing", data);
    await objectTypes.update(work, workspace, id, { properties: after });
    await indexes.settled();
    return {
      create: (data: JsonObject) => resources.create(work, workspace, "thing", data),
      async keys({ sort = "key", where }: { sort?: string; where?: JsonObject }) {
        const filter = where === undefined ? {} : { where: JSON.stringify(where) };
        const list = await resources.list(work, workspace, "thing", { sort, ...filter });
        return list.items.map(({ data }) => data["key"]);
      },
      /** The result of reconciling the one type. */
      async reconcile(isDryRun: boolean) {
        const [outcome] = await objectTypes.reconcile(work, workspace, isDryRun);
        return outcome;
      },
      async removeLists(): Promise<void> {
        const { items } = await resources.list(work, workspace, "thing", {});
        for (const { id: record, version, data } of items) {
          const change = { id: record, version, data: { ...data, tag: "plain" } };
          if (Array.isArray(data["tag"])) {
            await resources.update(work, workspace, "thing", change);
          }
        }
      },
      async trusts(name: string): Promise<boolean> {
        const type = await objectTypes.find(workspace, "thing");
        return type !== undefined && !type.mayHoldLists.has(name);
      },
    };
  }

  test("sort by a member of an object that got more members", async () => {
    const { keys, trusts } = await changed(
      { key: { type: "string" }, site: site(ward) },
      [
        { key: "b", site: { ward: "north" } },
        { key: "a", site: { ward: "south" } },
      ],
      {
        key: { type: "string" },
        site: { ...site({ ...ward, plot: { type: "integer" } }), description: "Where it is" },
      },
    );
    expect(await keys({ sort: "site.ward" })).toEqual(["b", "a"]);
    expect(await trusts("site")).toBe(true);
  });

  test("with a list that is no longer declared come before all others", async () => {
    const { create, keys, trusts } = await changed(
      { key: { type: "string" }, tag: { type: "array" } },
      [{ key: "list", tag: ["b", "z"] }],
      { key: { type: "string" }, tag: { type: "string", indexed: true } },
    );
    await create({ key: "text", tag: "b" });
    await create({ key: "first", tag: "a" });
    expect(await keys({ sort: "tag" })).toEqual(["list", "first", "text"]);
    expect(await keys({ sort: "-tag" })).toEqual(["text", "first", "list"]);
    expect(await keys({ where: { tag: "b" } })).toEqual(["list", "text"]);
    expect(await trusts("tag")).toBe(false);
  });

  test("are found in what an object held before it said what it holds", async () => {
    const { keys } = await changed(
      { key: { type: "string" }, site: { type: "object" } },
      [
        { key: "list", site: { ward: ["north", "east"] } },
        { key: "list of objects", site: { ward: [{ name: "east" }] } },
      ],
      { key: { type: "string" }, site: site(ward) },
    );
    expect(await keys({ where: { "site.ward": "east" } })).toEqual(["list"]);
    expect(await keys({ sort: "-site.ward,key" })).toEqual(["list", "list of objects"]);
  });

  test("are found in a list of an object's that is gone and came back as text", async () => {
    const { keys } = await changed(
      { key: { type: "string" }, site: site({ wards: { type: "array" } }) },
      [{ key: "list", site: { wards: ["north", "east"] } }],
      { key: { type: "string" }, site: site(ward) },
    );
    expect(await keys({ where: { "site.wards": "east" } })).toEqual(["list"]);
  });

  test("are filtered by the index again, once the lists are gone and storage is in line", async () => {
    const { keys, reconcile, removeLists, trusts } = await changed(
      { key: { type: "string" }, tag: { type: "array" } },
      [{ key: "list", tag: ["b", "z"] }, { key: "none" }],
      { key: { type: "string" }, tag: { type: "string", indexed: true } },
    );
    expect(await reconcile(false)).toMatchObject({ state: "already_applied", actions: [] });
    expect(await trusts("tag")).toBe(false);
    await removeLists();
    const actions = ["use the definition of tag: its records no longer hold lists"];
    expect(await reconcile(true)).toMatchObject({ state: "planned", actions });
    expect(await trusts("tag")).toBe(false);
    expect(await reconcile(false)).toMatchObject({ state: "applied", actions });
    expect(await trusts("tag")).toBe(true);
    expect(await keys({ where: { tag: "plain" } })).toEqual(["list"]);
    expect(await reconcile(false)).toMatchObject({ state: "already_applied", actions: [] });
  });
});
