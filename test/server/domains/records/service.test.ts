import { beforeAll, expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { Refusal } from "#contract/problems.ts";
import { jsonText } from "#server/database/dialect.ts";
import { statement } from "#server/database/statement.ts";
import type { PatchOperation } from "#server/domains/records/store/patch.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  type RecordServices,
  resourceIn,
  testPrincipal,
  typedWorkspace,
} from "#test/support/records.ts";

const properties = {
  code: { type: "string", unique: true },
  amount: { type: "number" },
  parent: { type: "reference", targetObjectType: "thing" },
  nested: { type: "object" },
} as const;

interface Noted {
  readonly version: number;
  readonly operation: string;
  readonly actor: string;
  readonly changes: PatchOperation[] | null;
}

describeOnEachDatabase("records", (open) => {
  let database: WholeDatabase;
  beforeAll(async () => {
    database = await open();
  });

  async function setUp(): Promise<RecordServices & { workspace: string }> {
    return typedWorkspace(database, definition({ properties }));
  }

  async function historyOf(id: string): Promise<Noted[]> {
    const rows = await database.read.all<Omit<Noted, "changes"> & { changes: string | null }>(
      statement`select version, operation, actor, ${jsonText<string | null>("changes")} as changes
        from resource_history where resource_id = ${id} order by version`,
    );
    return rows.map(({ changes, ...row }) => ({
      ...row,
      changes: changes === null ? null : (JSON.parse(changes) as PatchOperation[]),
    }));
  }

  test("have a history of patches that can be reverted", async () => {
    const services = await setUp();
    const { work, resources, workspace } = services;
    const first: JsonObject = {
      code: "A/~",
      amount: 1,
      nested: { keep: 1, "a/b": [1], gone: "x" },
    };
    const second: JsonObject = { code: "B", nested: { keep: 1, "a/b": [1, 2], "~new": null } };
    const { id } = await resources.create(work, workspace, "thing", first);
    await resources.update(work, workspace, "thing", { id, data: second, version: 1 });
    await resources.delete(work, workspace, "thing", id);
    const noted = await historyOf(id);
    const actor = testPrincipal.oid;
    expect(noted).toEqual([
      { version: 1, operation: "create", actor, changes: null },
      { version: 2, operation: "update", actor, changes: expect.anything() },
      {
        version: 3,
        operation: "delete",
        actor,
        changes: [
          { op: "test", path: "", value: second },
          { op: "remove", path: "" },
        ],
      },
    ]);
    expect(noted[1]?.changes).toEqual([
      { op: "test", path: "/code", value: "A/~" },
      { op: "replace", path: "/code", value: "B" },
      { op: "test", path: "/amount", value: 1 },
      { op: "remove", path: "/amount" },
      { op: "test", path: "/nested/a~1b", value: [1] },
      { op: "replace", path: "/nested/a~1b", value: [1, 2] },
      { op: "test", path: "/nested/gone", value: "x" },
      { op: "remove", path: "/nested/gone" },
      { op: "add", path: "/nested/~0new", value: null },
    ]);
  });

  test("leave no trace when they are refused", async () => {
    const services = await setUp();
    const { work, resources, workspace } = services;
    await resources.create(work, workspace, "thing", { code: "X" });
    await expect(resources.create(work, workspace, "thing", { code: "X" })).rejects.toMatchObject({
      code: "already-exists",
    });
    await expect(
      resources.create(work, workspace, "thing", { parent: newWorkspace() }),
    ).rejects.toMatchObject({ code: "validation-failed" });
    const count = async (table: string): Promise<number> => {
      const row = await database.read.first<{ count: number }>(
        table === "history"
          ? statement`select count(*) as count from resource_history where type_number
              in (select number from object_types where workspace_id = ${workspace})`
          : statement`select sum(records) as count from resource_counts
              where workspace_id = ${workspace}`,
      );
      return Number(row?.count);
    };
    expect(await count("history")).toBe(1);
    expect(await count("counts")).toBe(1);
  });

  test("are refused for a unique value that another record has, and point to it", async () => {
    const { work, resources, workspace } = await typedWorkspace(
      database,
      definition({
        properties: {
          code: { type: "string", unique: true },
          mark: { type: "integer", unique: true },
        },
      }),
    );
    const first = await resources.create(work, workspace, "thing", { code: "A", mark: 1 });
    const { id } = await resources.create(work, workspace, "thing", { code: "B" });
    const refusalAt = (pointer: string) => ({
      code: "already-exists",
      options: { errors: [{ pointer, detail: expect.any(String) }] },
    });
    const create = (data: JsonObject) => resources.create(work, workspace, "thing", data);
    const update = (data: JsonObject) =>
      resources.update(work, workspace, "thing", { id, data, version: 1 });
    await expect(create({ mark: 1 })).rejects.toMatchObject(refusalAt("#/mark"));
    await expect(create({ code: "A", mark: 1 })).rejects.toMatchObject(refusalAt("#/code"));
    await expect(update({ code: "B", mark: 1 })).rejects.toMatchObject(refusalAt("#/data/mark"));
    // A value is free once its record is deleted.
    await resources.delete(work, workspace, "thing", first.id);
    expect(await update({ code: "A", mark: 1 })).toMatchObject({ version: 2 });
  });

  test("are counted by concurrent writers", async () => {
    const { work, objectTypes, resources, workspace } = await setUp();
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        resources.create(work, workspace, "thing", { code: `C-${index}` }),
      ),
    );
    await Promise.all(
      made.slice(0, 15).map(({ id }) => resources.delete(work, workspace, "thing", id)),
    );
    expect(await objectTypes.schema(work, workspace)).toMatchObject([
      { slug: "thing", recordCount: 25 },
    ]);
    const page = await resources.list(work, workspace, "thing", { limit: 1, count: true });
    expect(page.total).toBe(25);
  });

  test("ids are in the order of creation, also within a millisecond", async () => {
    const { workspace, ...services } = await typedWorkspace(
      database,
      definition({ properties }),
      () => new Date("2026-11-21T09:00:00.000Z"),
    );
    const ids: string[] = [];
    for (let index = 0; index < 200; index += 1) {
      const made = await services.resources.create(services.work, workspace, "thing", {});
      expect(resourceIn(made).created_at).toBe("2026-11-21T09:00:00.000Z");
      ids.push(made.id);
    }
    expect(ids).toEqual(ids.toSorted());
  });

  test("are deleted by one of many concurrent deletions", async () => {
    const { work, resources, workspace } = await setUp();
    const { id } = await resources.create(work, workspace, "thing", {});
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => resources.delete(work, workspace, "thing", id)),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Refusal);
    }
  });

  test("are refused with the fields that other updates changed", async () => {
    const { work, resources, workspace } = await setUp();
    const { id } = await resources.create(work, workspace, "thing", { code: "A" });
    const update = (data: JsonObject, version: number) =>
      resources.update(work, workspace, "thing", { id, data, version });
    await update({ code: "A", amount: 1 }, 1);
    await update({ code: "A", amount: 1, nested: { x: 1 } }, 2);
    await expect(update({ code: "B" }, 2)).rejects.toMatchObject({
      code: "version-conflict",
      options: { members: { currentVersion: 3, changedFields: ["nested"] } },
    });
    await expect(update({ code: "B" }, 1)).rejects.toMatchObject({
      options: { members: { currentVersion: 3, changedFields: ["amount", "nested"] } },
    });
  });

  test("are found for other domains", async () => {
    const { work, resources, workspace } = await setUp();
    const { id } = await resources.create(work, workspace, "thing", { code: "A" });
    await resources.create(work, workspace, "thing", { code: "B", amount: 2 });
    expect(await resources.findRecord(work, workspace, "thing", id)).toMatchObject({ id });
    expect(await resources.findRecord(work, newWorkspace(), "thing", id)).toBeUndefined();
    expect(await resources.findRecord(work, workspace, "other", id)).toBeUndefined();
    const found = await resources.findRecords(work, workspace, "thing", { amount: 2 });
    expect(found.map(({ data }) => data)).toEqual([{ code: "B", amount: 2 }]);
    expect(await resources.findRecords(work, workspace, "other", {})).toEqual([]);
    // A workspace may have changed a type that the platform looks into.
    expect(await resources.findRecords(work, workspace, "thing", { nope: 1 })).toEqual([]);
  });

  test("keep numbers as the client sent them", async () => {
    const { work, resources, workspace } = await setUp();
    const numbers = [
      0.1,
      1e21,
      -1e21,
      1e-7,
      5e-324,
      1e308,
      123456789.1234567,
      2 ** 53 - 1,
      -(2 ** 53 - 1),
    ];
    const made = await resources.create(work, workspace, "thing", {
      nested: { numbers },
      amount: -0,
    });
    const { data } = await resources.get(work, workspace, "thing", made.id);
    expect(data).toEqual({ nested: { numbers }, amount: 0 });
    expect(Object.is(data["amount"], 0)).toBe(true);
    for (const number of numbers) {
      const found = await resources.findRecords(work, workspace, "thing", {
        "nested.numbers": number,
      });
      expect({ number, found: found.length }).toEqual({ number, found: 1 });
    }
  });
});
