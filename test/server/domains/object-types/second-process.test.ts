import { expect, test } from "vitest";
import type { ObjectTypeUpdate } from "#contract/object-types/object-types.ts";
import { statement } from "#server/database/statement.ts";
import { objectTypeById } from "#server/domains/object-types/stored-types.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices, typedWorkspace } from "#test/support/records.ts";

const properties = { code: { type: "string", indexed: true } } as const;

describeOnEachDatabase("two platforms on one database", (open) => {
  test("a second process refuses nothing that the newest definition allows", async () => {
    const database = await open();
    const { workspace, type, ...services } = await typedWorkspace(
      database,
      definition({ properties }),
    );
    // On SQLite one process makes every change itself, and knows of it.
    const other = database.dialect === "sqlite" ? services : recordServices(database);
    const { work, resources } = other;
    const scope = { workspaceId: workspace, slug: "thing" };
    const signal = AbortSignal.timeout(60_000);
    const one = await resources.create(work, workspace, "thing", { code: "first" });
    let wanted: Record<string, unknown> = { code: "first" };
    let version = 1;
    const additions: ((name: string) => Promise<unknown>)[] = [
      (name) => resources.create(work, workspace, "thing", { [name]: "new" }),
      async (name) => {
        wanted = { ...wanted, [name]: "new" };
        const update = { id: one.id, version, data: wanted };
        version += 1;
        return resources.update(work, workspace, "thing", update);
      },
      async (name) => {
        const items = [{ [name]: "new" }];
        const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
        expect((await resources.batch.create(work, scope, batch)).failed).toBe(0);
      },
      async (name) => {
        wanted = { ...wanted, [name]: "new" };
        const items = [{ id: one.id, version, data: wanted }];
        version += 1;
        const batch = { items, isAtomic: false, namesRecords: true, placeOf: () => [] };
        expect((await resources.batch.update(work, scope, batch)).failed).toBe(0);
      },
      (name) => resources.list(work, workspace, "thing", { sort: name }),
      (name) => resources.queries.run(work, workspace, { types: ["thing"], sort: name }, signal),
      (name) => {
        const metrics = { n: { op: "count" } } as const;
        return resources.aggregate(
          work,
          { workspaceId: workspace, slug: "thing" },
          { groupBy: [name], metrics },
          signal,
        );
      },
    ];
    let known: ObjectTypeUpdate["properties"] = properties;
    for (const [index, add] of additions.entries()) {
      await resources.get(work, workspace, "thing", one.id);
      known = { ...known, [`added${index}`]: { type: "text" } };
      await services.objectTypes.update(services.work, workspace, type.id, { properties: known });
      await add(`added${index}`);
    }
  });

  test("a column that one fills for a property to become unique is left alone by the other", async () => {
    const database = await open();
    const [one, other] = [recordServices(database), recordServices(database)];
    const workspace = newWorkspace();
    const text = { type: "string" } as const;
    const type = await one.objectTypes.create(
      one.work,
      workspace,
      definition({ properties: { code: text } }),
    );
    const scope = { workspaceId: workspace, slug: "thing" };
    for (let from = 0; from < 3_000; from += 1_000) {
      const items = Array.from({ length: 1_000 }, (_, at) => ({ code: `c${from + at}` }));
      const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
      await one.resources.batch.create(one.work, scope, batch);
    }
    const changing = one.objectTypes.update(one.work, workspace, type.id, {
      properties: { code: { ...text, unique: true } },
    });
    let isChanging = true;
    const settle = changing.finally(() => {
      isChanging = false;
    });
    // On SQLite one process makes every change itself.
    const user = database.dialect === "sqlite" ? one : other;
    for (let made = 0; isChanging; made += 1) {
      await user.resources.create(user.work, workspace, "thing", { code: `while ${made}` });
    }
    await settle;
    await Promise.all([one.indexes.settled(), other.indexes.settled()]);
    const stored = await objectTypeById(database.read, workspace, type.id);
    expect(stored?.slots).toEqual([
      { property: "code", kind: "unique", number: 1, state: "ready" },
    ]);
    const row = await database.read.first<{ unfilled: number }>(statement`select count(*)
      as unfilled from resources where workspace_id = ${workspace} and u1 is null`);
    expect(Number(row?.unfilled)).toBe(0);
    const again = user.resources.create(user.work, workspace, "thing", { code: "c2999" });
    await expect(again).rejects.toMatchObject({ code: "already-exists" });
    expect([...one.errors, ...other.errors]).toEqual([]);
  });
});
