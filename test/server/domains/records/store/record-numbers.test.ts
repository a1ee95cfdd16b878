import { expect, test } from "vitest";
import type { JsonObject } from "#contract/values.ts";
import { uuidNumber } from "#server/kit/ordered-uuid.ts";
import type { CompiledType } from "#server/domains/object-types/compiled-type.ts";
import type { Writer } from "#server/database/database.ts";
import { jsonValue } from "#server/database/dialect.ts";
import { insertInto, raw, statement } from "#server/database/statement.ts";
import { isOneOfWorkspaceRecords } from "#server/domains/records/store/record-numbers.ts";
import { missingIndexes } from "#server/domains/records/store/indexes/index-columns.ts";
import { countStrayEntries, insertEntries } from "#server/domains/records/store/search/entries.ts";
import { countTerms } from "#server/domains/records/store/search/candidates.ts";
import { keysOf } from "#server/fields/slots.ts";
import { describeOnEachDatabase, type EachDatabase } from "#test/support/databases.ts";
import {
  definition,
  recordServices,
  resourceIn,
  typedWorkspace,
  type RecordServices,
} from "#test/support/records.ts";

const properties = {
  code: { type: "string", indexed: true },
  amount: { type: "number", indexed: true },
  key: { type: "string", unique: true },
  text: { type: "text", searchable: true },
} as const;

/** The id of a millisecond; `count` orders the ids of one millisecond. */
function idOf(millisecond: number, count: number): string {
  const order = count.toString(16).padStart(3, "0");
  return `0199a000-00${millisecond.toString(16).padStart(2, "0")}-7${order}-8abc-0123456789ab`;
}

/** Thirty of one millisecond, then ten with a millisecond each. */
const givenIds = Array.from({ length: 40 }, (_, at) => idOf(Math.max(0, at - 29), at));

describeOnEachDatabase("records with given ids", (open, each) => {
  test("are all there, in their order, and others come after them", async () => {
    const { services, workspace } = await filled(open, each);
    const { work, resources } = services;
    for (const id of givenIds) {
      expect(await resources.get(work, workspace, "thing", id)).toMatchObject({ id, version: 1 });
    }
    await expect(resources.get(work, workspace, "thing", idOf(0, 99))).rejects.toThrow();
    await expect(resources.get(work, workspace, "other", givenIds[0] ?? "")).rejects.toThrow();
    const made: string[] = [];
    for (let at = 0; at < 5; at += 1) made.push(await create(services, workspace, { code: "new" }));
    const all = [...givenIds, ...made];
    for (const sort of ["created_at", "-created_at", "code,created_at", "-amount", "amount,code"]) {
      const ids = await everyPage(services, workspace, { sort });
      expect(ids.toSorted(), sort).toEqual(all);
      if (sort.endsWith("created_at") && !sort.includes(",")) {
        expect(ids, sort).toEqual(sort.startsWith("-") ? all.toReversed() : all);
      }
    }
    expect(await everyPage(services, workspace, { where: { code: "c1" }, sort: "id" })).toEqual(
      givenIds.filter((_, at) => at % 4 === 1),
    );
  });

  test("are found by ids and by comparisons with any id", async () => {
    const { services, workspace } = await filled(open, each);
    const made = await create(services, workspace, { code: "new" });
    const all = [...givenIds, made];
    // Ids of records, ids without a record, ids with a record's number, and texts that are no
    // UUIDs.
    const sameNumber = ["0", "f"].map((end) => `${givenIds[4]?.slice(0, -1)}${end}`);
    const asked = [
      ...all,
      ...sameNumber,
      idOf(0, 99),
      idOf(200, 0),
      uuidBefore,
      "0199",
      "tree",
      "",
    ];
    const tests: readonly [string, (id: string, other: string) => boolean][] = [
      ["$gt", (id, other) => id > other],
      ["$gte", (id, other) => id >= other],
      ["$lt", (id, other) => id < other],
      ["$lte", (id, other) => id <= other],
      ["$eq", (id, other) => id === other],
      ["$ne", (id, other) => id !== other],
    ];
    for (const other of asked) {
      for (const [operator, passes] of tests) {
        const where = { id: { [operator]: other } };
        const found = await everyPage(services, workspace, { where, sort: "created_at" });
        expect(found, JSON.stringify(where)).toEqual(all.filter((id) => passes(id, other)));
      }
    }
    const among = { id: { $in: [...asked.slice(3, 9), made, uuidBefore] } };
    expect(await everyPage(services, workspace, { where: among, sort: "-id" })).toEqual(
      [...asked.slice(3, 9), made].toReversed(),
    );
  });

  test("are changed and deleted singly and in batches, and a page continues after a deleted one", async () => {
    const { database, services, workspace, type } = await filled(open, each);
    const { work, resources } = services;
    const [first = "", second = "", third = "", fourth = ""] = givenIds.slice(10);
    const data = { code: "changed", text: "oak" };
    await resources.update(work, workspace, "thing", { id: first, version: 1, data });
    expect(await resources.get(work, workspace, "thing", first)).toMatchObject({
      data,
      version: 2,
    });
    const page = { sort: "created_at", limit: 12 };
    const { nextCursor } = await resources.list(work, workspace, "thing", page);
    await resources.delete(work, workspace, "thing", second);
    const scope = { workspaceId: workspace, slug: "thing" };
    const items = [{ id: third }, { id: fourth }, { id: idOf(0, 99) }];
    const batch = { items, isAtomic: false, namesRecords: true, placeOf: () => [] };
    const { results } = await resources.batch.delete(work, scope, batch);
    expect(results.map(({ status }) => status)).toEqual([204, 204, 404]);
    const next = await resources.list(work, workspace, "thing", {
      ...page,
      cursor: nextCursor ?? "",
    });
    expect(next.items.map(({ id }) => id)).toEqual(givenIds.slice(14, 26));
    const signal = new AbortController().signal;
    const history = await resources.history(
      work,
      { workspaceId: workspace, slug: "thing", id: second },
      {},
      signal,
    );
    expect(history.items.map(({ operation }) => operation)).toEqual(["delete", "create"]);
    const counts = await countTerms(
      database.read,
      { workspaceId: workspace, typeNumbers: [type.number] },
      ["own10", "own11", "own12", "own14", "oak"].map((term) => ({ indexed: [term] })),
    );
    expect(counts.map(({ count }) => count)).toEqual([0, 0, 0, 1, 1]);
  });

  test("are searched", async () => {
    const { database, workspace, type } = await filled(open, each);
    const key = { workspaceId: workspace, number: type.number };
    expect(await missingIndexes(database.read)).toEqual([]);
    const scope = { workspaceId: workspace, typeNumbers: [type.number] };
    const counts = await countTerms(
      database.read,
      scope,
      ["common", "own7", "stray"].map((term) => ({ indexed: [term] })),
    );
    expect(counts.map(({ count }) => count)).toEqual([40, 1, 1]);
    expect(await countStrayEntries(database.read, key)).toBe(1);
  });

  test("are found by the key of the table where their types are not known", async () => {
    const { database, services, workspace } = await filled(open, each);
    const other = await create(services, workspace, {}, "other");
    const some = givenIds.slice(3, 6);
    const those = isOneOfWorkspaceRecords(workspace, [...some, other, idOf(0, 99)]);
    const named = statement`select id from resources where ${those}`;
    const rows = await database.read.all<{ id: string }>(named);
    expect(rows.map(({ id }) => id).toSorted()).toEqual([...some, other].toSorted());
    if (each.engine === "sqlite") return;
    const plan = await database.write(async (writer) => {
      await writer.run(raw("set local enable_seqscan = off"));
      return writer.all(statement`explain ${named}`);
    });
    expect(JSON.stringify(plan)).toMatch(
      /Index Cond: .*workspace_id = .* AND \(type_number = ANY .* AND \(id = ANY/,
    );
  });

  test("keep their indexes, and a missing one is found", async () => {
    const { database } = await filled(open, each, "resources_t1");
    expect(await missingIndexes(database.read)).toEqual(["resources_t1"]);
  });

  test("keep values that must be unique", async () => {
    const { services, workspace } = await filled(open, each);
    const taken = create(services, workspace, { key: "k7" });
    await expect(taken).rejects.toMatchObject({ code: "already-exists" });
    await create(services, workspace, { key: "k99" });
  });
});

describeOnEachDatabase("new records", (open, each) => {
  test("come after all others, also when the clock is set back", async () => {
    const { services, workspace, url } = await opened(open, each);
    const first = await create(services, workspace, {});
    await services.database.close();
    const past = (): Date => new Date("2025-01-01T00:00:00Z");
    const database = await open({ url });
    const again = recordServices(database, past);
    const second = await create(again, workspace, {});
    if (each.engine === "sqlite") expect(uuidNumber(second)).toBeGreaterThan(uuidNumber(first));
    expect((await everyPage(again, workspace, { sort: "created_at" })).toSorted()).toEqual(
      [first, second].toSorted(),
    );
  });

  test("made at the same time by several are all kept, each under its own id", async () => {
    const { services, workspace } = await opened(open, each);
    const at = new Date();
    const others = recordServices(services.database, () => at);
    const scope = { workspaceId: workspace, slug: "thing" };
    const items = Array.from({ length: 500 }, (_, index) => ({ amount: index }));
    const batch = { items, isAtomic: true, namesRecords: false, placeOf: () => [] };
    const [one, other, ...singles] = await Promise.all([
      services.resources.batch.create(services.work, scope, batch),
      others.resources.batch.create(others.work, scope, batch),
      ...Array.from({ length: 100 }, () => create(others, workspace, {})),
    ]);
    const ids = [...one.results, ...other.results].map(({ id }) => String(id)).concat(singles);
    const listed = await everyPage(services, workspace, { sort: "id" });
    expect(listed).toEqual(ids.toSorted());
    expect(new Set(listed).size).toBe(1100);
  });
});

const uuidBefore = "0190a000-0000-7000-8000-000000000001";

async function opened(open: EachDatabase["open"], { create: make }: EachDatabase) {
  const { url } = await make();
  const database = await open({ url });
  const services = await typedWorkspace(database, definition({ properties }));
  return { url, services, workspace: services.workspace };
}

/** A database with these records and one stray search entry, opened again. */
async function filled(
  open: EachDatabase["open"],
  { engine, create: make }: EachDatabase,
  lostIndex?: string,
) {
  const { url } = await make();
  const first = await open({ url });
  const { work, workspace, objectTypes } = await typedWorkspace(first, definition({ properties }));
  const other = definition({ name: "Other", slug: "other", properties });
  await objectTypes.create(work, workspace, other);
  const type = await objectTypes.find(workspace, "thing");
  if (type === undefined) throw new Error("the type is there");
  await first.write(async (writer) => {
    // Callers of the same time do not write in the order of their ids.
    for (const at of givenIds.keys().toArray().toReversed()) await insertGiven(writer, type, at);
    const entry = { terms: ["stray"], length: 1, checksum: 99 };
    await insertEntries(writer, type, [{ id: idOf(0, 99), entry }]);
    await writer.run(statement`insert into resource_counts
      (workspace_id, type_number, shard, records)
      values (${workspace}, ${type.number}, 0, ${givenIds.length})`);
  });
  if (lostIndex !== undefined) {
    await first.write(async (writer) => {
      if (engine === "postgresql") await writer.run(raw("set local role none"));
      await writer.run(raw(`drop index ${lostIndex}`));
    });
  }
  await first.close();
  const database = await open({ url });
  const services = recordServices(database);
  if (engine === "sqlite") {
    const rows = await database.read.all<{ number: number }>(
      raw("select record_number as number from resources order by id"),
    );
    expect(rows.map(({ number }) => number)).toEqual(givenIds.map(uuidNumber));
  }
  return { database, services, workspace, type };
}

async function insertGiven(writer: Writer, type: CompiledType, at: number): Promise<void> {
  const id = givenIds[at] ?? "";
  const { columns } = type;
  const data = { code: `c${at % 4}`, amount: at % 3, key: `k${at}`, text: `common own${at}` };
  const keys = keysOf(columns, data);
  const isSqlite = writer.dialect === "sqlite";
  await writer.run(
    insertInto("resources", {
      ...(isSqlite ? { record_number: uuidNumber(id) } : {}),
      workspace_id: type.workspaceId,
      type_number: type.number,
      id,
      version: 1,
      created_at: "t",
      updated_at: "t",
      created_by: "o",
      updated_by: "o",
      data: jsonValue(data),
      ...Object.fromEntries(columns.map(({ column }, place) => [column, keys[place]])),
    }),
  );
  await writer.run(
    insertInto("resource_history", {
      workspace_id: isSqlite ? undefined : type.workspaceId,
      resource_id: id,
      version: 1,
      type_number: type.number,
      operation: "create",
      at: "t",
      actor: "o",
    }),
  );
  const entry = { terms: ["common", `own${at}`], length: 2, checksum: at };
  await insertEntries(writer, type, [{ id, entry }]);
}

async function create(
  { work, resources }: RecordServices,
  workspace: string,
  data: JsonObject,
  slug = "thing",
): Promise<string> {
  const made = await resources.create(work, workspace, slug, data);
  return resourceIn(made).id;
}

/** The ids of a whole list, read seven at a time. */
async function everyPage(
  { work, resources }: RecordServices,
  workspace: string,
  { where, sort }: { readonly where?: object; readonly sort: string },
): Promise<string[]> {
  const ids: string[] = [];
  const filter = where === undefined ? {} : { where: JSON.stringify(where) };
  for (let cursor: string | null | undefined; cursor !== null;) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await resources.list(work, workspace, "thing", {
      ...filter,
      ...from,
      sort,
      limit: 7,
    });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}
