import { expect, test } from "vitest";
import type { ObjectTypeUpdate } from "#contract/object-types.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices, testPrincipal } from "#test/support/records.ts";

const properties = { code: { type: "string", indexed: true } } as const;

describeOnEachDatabase("two platforms on one database", (open) => {
  test("a second process refuses nothing that the newest definition allows", async () => {
    const database = await open();
    const services = recordServices(database);
    const workspace = newWorkspace();
    const type = await services.objectTypes.create(
      testPrincipal,
      workspace,
      definition({ properties }),
    );
    // On SQLite one process makes every change itself, and knows of it.
    const other = database.dialect === "sqlite" ? services : recordServices(database);
    const { resources } = other;
    const scope = { principal: testPrincipal, workspaceId: workspace, slug: "thing" };
    const signal = AbortSignal.timeout(60_000);
    const one = await resources.create(testPrincipal, workspace, "thing", { code: "first" });
    let wanted: Record<string, unknown> = { code: "first" };
    let version = 1;
    const additions: ((name: string) => Promise<unknown>)[] = [
      (name) => resources.create(testPrincipal, workspace, "thing", { [name]: "new" }),
      async (name) => {
        wanted = { ...wanted, [name]: "new" };
        const update = { id: one.id, version, data: wanted };
        version += 1;
        return resources.update(testPrincipal, workspace, "thing", update);
      },
      async (name) => {
        const items = [{ [name]: "new" }];
        const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
        expect((await resources.batch.create(scope, batch, () => {})).failed).toBe(0);
      },
      async (name) => {
        wanted = { ...wanted, [name]: "new" };
        const items = [{ id: one.id, version, data: wanted }];
        version += 1;
        const batch = { items, isAtomic: false, namesRecords: true, placeOf: () => [] };
        expect((await resources.batch.update(scope, batch)).failed).toBe(0);
      },
      (name) => resources.list(workspace, "thing", { sort: name }),
      (name) => resources.queries.run(workspace, { types: ["thing"], sort: name }, signal),
      (name) => {
        const metrics = { n: { op: "count" } } as const;
        return resources.aggregate(workspace, "thing", { groupBy: [name], metrics }, signal);
      },
    ];
    let known: ObjectTypeUpdate["properties"] = properties;
    for (const [index, add] of additions.entries()) {
      await resources.get(workspace, "thing", one.id);
      known = { ...known, [`added${index}`]: { type: "text" } };
      await services.objectTypes.update(testPrincipal, workspace, type.id, { properties: known });
      await add(`added${index}`);
    }
  });
});
