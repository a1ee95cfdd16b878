import { expect, test } from "vitest";
import { raw, statement } from "#server/database/statement.ts";
import {
  fillColumns,
  findCollisions,
  unfilledRows,
} from "#server/domains/records/store/indexes/index-columns.ts";
import type { SlotColumn } from "#server/fields/slots.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { definition, typedWorkspace } from "#test/support/records.ts";

/** Columns that no Object Type of these tests knows: only the test itself writes them. */
const columns: SlotColumn[] = [
  {
    slot: { property: "code", kind: "unique", number: 2, state: "building" },
    column: "u2",
    isNumber: false,
  },
  {
    slot: { property: "amount", kind: "number", number: 3, state: "building" },
    column: "n3",
    isNumber: true,
  },
];

describeOnEachDatabase("index columns", (open) => {
  async function setUp(records: readonly Record<string, unknown>[]) {
    const database = await open();
    const properties = { code: { type: "string" }, amount: { type: "number" } } as const;
    const services = await typedWorkspace(database, definition({ properties }));
    const workspaceId = services.workspace;
    const scope = { workspaceId, slug: "thing" };
    const create = async (items: readonly Record<string, unknown>[]): Promise<string[]> => {
      const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
      const { results } = await services.resources.batch.create(services.work, scope, batch);
      return results.map(({ id }) => String(id));
    };
    const ids = await create(records);
    const type = await services.objectTypes.find(workspaceId, "thing");
    if (type === undefined) throw new Error("the type is there");
    return { database, services, workspaceId, type, ids, create };
  }

  const range = { afterId: "", limit: 1_000 };

  async function keysOf(database: WholeDatabase, id: string | undefined): Promise<unknown> {
    return database.read.first(statement`select u2, n3 from resources where id = ${id ?? ""}`);
  }

  test("are filled once: a run after a crash writes only what is left", async () => {
    const { database, type, ids } = await setUp(
      Array.from({ length: 30 }, (_, at) => ({ code: `c${at}`, amount: at })),
    );
    const first = await unfilledRows(database.read, type, columns, { ...range, limit: 10 });
    expect(first.rows).toHaveLength(10);
    expect(first.lastId).toBe(ids.toSorted()[9]);
    await database.write((writer) => fillColumns(writer, type, columns, first.rows));
    expect(await keysOf(database, first.rows[3]?.id)).toEqual({ u2: "=c3", n3: 3 });

    const again = await unfilledRows(database.read, type, columns, { ...range, limit: 10 });
    expect(again).toEqual({ rows: [], lastId: first.lastId });
    expect((await unfilledRows(database.read, type, columns, range)).rows).toHaveLength(20);
  });

  test("are not filled from data that was replaced after it was read", async () => {
    const { database, services, workspaceId, type, ids } = await setUp([
      { code: "old", amount: 1 },
      { code: "other" },
    ]);
    const { rows } = await unfilledRows(database.read, type, columns, range);
    const [id = ""] = ids;
    const update = { id, version: 1, data: { code: "new", amount: 2 } };
    await services.resources.update(services.work, workspaceId, "thing", update);
    await database.write((writer) => fillColumns(writer, type, columns, rows));
    expect(await keysOf(database, id)).toEqual({ u2: null, n3: null });
    expect(await keysOf(database, ids[1])).toEqual({
      u2: "=other",
      n3: -Number.MAX_VALUE,
    });
  });

  test("are filled by reading no other records, when the planner does not know the type yet", async () => {
    const { database, type, create } = await setUp([{ code: "only" }]);
    if (database.dialect === "postgresql") {
      // The statistics of a moment when hardly a record was there.
      await database.write((writer) => writer.run(raw("analyze resources")));
    }
    await create(Array.from({ length: 1_000 }, (_, at) => ({ code: `late ${at}` })));
    const { rows } = await unfilledRows(database.read, type, columns, { ...range, limit: 50 });
    const read = await database.write(async (writer) => {
      await fillColumns(writer, type, columns, rows);
      if (writer.dialect === "sqlite") return rows.length;
      const row = await writer.first<{ fetched: number }>(
        raw(`select seq_tup_read + idx_tup_fetch as fetched from pg_stat_xact_user_tables
          where relname = 'resources'`),
      );
      return Number(row?.fetched);
    });
    expect(read).toBeLessThan(200);
    expect(
      (await unfilledRows(database.read, type, columns, { ...range, limit: 2_000 })).rows,
    ).toHaveLength(951);
  });

  test("collide by equal values only, the most frequent first, with some of their records", async () => {
    const codes = ["a", "b", "b", "1", "true", "b", ...Array.from({ length: 7 }, () => "many")];
    const amounts = [1, 1, 0.3, 0.1 + 0.2, 1e21, 1e21];
    const { database, type, ids } = await setUp(
      codes.map((code, at) => ({
        code,
        ...(amounts[at] === undefined ? {} : { amount: amounts[at] }),
      })),
    );
    expect(await findCollisions(database.scan, type, "code", 10)).toEqual([
      { value: "many", count: 7, ids: ids.slice(6, 11) },
      { value: "b", count: 3, ids: [ids[1], ids[2], ids[5]] },
    ]);
    expect(await findCollisions(database.scan, type, "code", 1)).toHaveLength(1);
    expect(await findCollisions(database.scan, type, "amount", 10)).toEqual([
      { value: "1", count: 2, ids: ids.slice(0, 2) },
      { value: "1e+21", count: 2, ids: ids.slice(4, 6) },
    ]);
    expect(await findCollisions(database.scan, type, "nothing", 10)).toEqual([]);
  });
});
