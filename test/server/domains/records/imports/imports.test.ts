import { expect, test } from "vitest";
import { forgetImports } from "#server/domains/records/imports/import-store.ts";
import { describeInTurn } from "#test/support/databases.ts";
import {
  definition,
  newWorkspace,
  recordServices,
  type RecordServices,
} from "#test/support/records.ts";

const slug = "thing";
const thing = definition({
  properties: {
    code: { type: "string", unique: true, required: true },
    amount: { type: "number", minimum: 0 },
  },
});
const digest = "ab".repeat(32);
const file = { digest, filename: "things.csv" };

async function opened(services: RecordServices) {
  const workspaceId = newWorkspace();
  await services.objectTypes.create(services.work, workspaceId, thing);
  const key = { workspaceId, slug, oid: "oid-of-a-clerk", mayRead: true };
  const { imports } = services.resources;
  const { progress, isNew } = await imports.start(services.work, key, file);
  expect(isNew).toBe(true);
  const codes = async () => {
    const query = { limit: 500, sort: "code" };
    const { items } = await services.resources.list(services.work, workspaceId, slug, query);
    return items.map(({ data }) => data["code"]);
  };
  return { key, imports, id: progress.id, codes };
}

const creation = (row: number, code: unknown = `c${String(row).padStart(3, "0")}`) =>
  ({ op: "create", row, data: { code } }) as const;
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => creation(first + at));

describeInTurn("an import", (open) => {
  test("continues after its last row, and refused rows may be sent again", async () => {
    const services = recordServices(await open());
    const { work } = services;
    const { key, imports, id, codes } = await opened(services);
    // 120 rows are several pieces, and row 60 is refused.
    const items = [...rowsFrom(2, 58), creation(60, 7), ...rowsFrom(61, 61)];
    const { succeeded, results } = await imports.rows(work, key, id, { items });
    expect(succeeded).toBe(119);
    expect(results[0]).toMatchObject({ index: 0, status: 201, version: 1 });

    const again = await imports.start(work, key, file);
    expect(again).toMatchObject({
      isNew: false,
      progress: { id, row: 121, refused: [60], created: 119, updated: 0, status: "open" },
    });
    const last = [creation(60, "mended"), creation(123)];
    expect(await imports.rows(work, key, id, { items: last, last: true })).toMatchObject({
      succeeded: 2,
    });
    expect(await imports.get(work, key, id)).toMatchObject({
      row: 123,
      refused: [],
      created: 121,
      status: "done",
    });
    expect((await codes()).length).toBe(121);
    // A finished import is not continued.
    expect((await imports.start(work, key, file)).isNew).toBe(true);
  });

  test("refuses rows that are written already, and writes none of them", async () => {
    const services = recordServices(await open());
    const { key, imports, id, codes } = await opened(services);
    await imports.rows(services.work, key, id, { items: rowsFrom(2, 3) });
    for (const row of [4, 1]) {
      const sent = imports.rows(services.work, key, id, { items: [creation(row, "again")] });
      await expect(sent).rejects.toMatchObject({ code: "conflict" });
    }
    expect(await codes()).toEqual(["c002", "c003", "c004"]);
  });

  test("has one winner when two requests send the same rows at once", async () => {
    const services = recordServices(await open());
    const { key, imports, id, codes } = await opened(services);
    const send = () => imports.rows(services.work, key, id, { items: rowsFrom(2, 150) });
    const outcomes = await Promise.allSettled([send(), send(), send()]);
    const reasons = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject({ code: "conflict" });
    // The winner of one piece may lose the next one: the rest is sent after a look at the progress.
    const { row } = await imports.get(services.work, key, id);
    const rest = rowsFrom(row + 1, 151 - row);
    await imports.rows(services.work, key, id, { items: rest, last: true });
    const all = await codes();
    expect(all.length).toBe(150);
    expect(new Set(all).size).toBe(150);
  });

  test("merges rows into records by the value of a unique property", async () => {
    const services = recordServices(await open());
    const { key, imports, id, codes } = await opened(services);
    await imports.rows(services.work, key, id, { items: rowsFrom(2, 1) });
    const upsert = (row: number, value: string) =>
      ({ op: "upsert", row, property: "code", value, data: { amount: row } }) as const;
    const items = [upsert(3, "c002"), upsert(4, "new")];
    const { results } = await imports.rows(services.work, key, id, { items });
    expect(results).toMatchObject([{ status: 200 }, { status: 201 }]);
    expect(await codes()).toEqual(["c002", "new"]);
    expect(await imports.get(services.work, key, id)).toMatchObject({ created: 2, updated: 1 });
  });

  test("belongs to its caller, and its progress is forgotten at its end", async () => {
    const database = await open();
    const services = recordServices(database);
    const { key, imports, id } = await opened(services);
    const other = { ...key, oid: "oid-of-another-clerk" };
    await expect(imports.get(services.work, other, id)).rejects.toMatchObject({
      code: "not-found",
    });
    expect((await imports.start(services.work, other, file)).progress.id).not.toBe(id);
    const { expires_at } = await imports.get(services.work, key, id);
    const later = new Date(Date.parse(expires_at) + 1000).toISOString();
    await services.work.write((tx) => forgetImports(tx, later, 500));
    await expect(imports.get(services.work, key, id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("advances over rows that are not sent", async () => {
    const services = recordServices(await open());
    const { key, imports, id } = await opened(services);
    await imports.rows(services.work, key, id, { items: [], through: 9 });
    await imports.rows(services.work, key, id, { items: [creation(10)], through: 12 });
    expect(await imports.get(services.work, key, id)).toMatchObject({ row: 12, created: 1 });
  });
});

describeInTurn("a batch that is only tried", (open) => {
  test("answers like a written one, and writes nothing", async () => {
    const services = recordServices(await open());
    const { key, codes } = await opened(services);
    const items = rowsFrom(1, 120).map(({ op, data }) => ({ op, data }));
    const batch = {
      items: [...items, { op: "create" as const, data: { code: 1 } }],
      isAtomic: false,
      namesRecords: true,
      placeOf: (index: number) => ["items", index],
    };
    const answer = await services.resources.batch.check(services.work, key, batch);
    expect(answer).toMatchObject({ succeeded: 120, failed: 1 });
    expect(answer.results[0]).toEqual({ index: 0, status: 201 });
    expect(answer.results[120]).toMatchObject({ index: 120, status: 422 });
    expect(await codes()).toEqual([]);
  });
});
