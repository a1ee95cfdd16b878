import { Database as SqliteDatabase } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import type { ObjectTypeUpdate } from "#contract/object-types/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import { objectTypeById } from "#server/domains/object-types/stored-types.ts";
import {
  raw,
  render,
  statement,
  type BoundParameter,
  type RenderedStatement,
} from "#server/database/statement.ts";
import type { Slot } from "#server/fields/slots.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import {
  definition,
  recordServices,
  type RecordServices,
  typedWorkspace,
} from "#test/support/records.ts";

const properties = {
  code: { type: "string" },
  amount: { type: "number" },
  tags: { type: "array", items: { type: "string" } },
} as const;

describeOnEachDatabase("Object Types and their indexes", (open, { createTables }) => {
  let database: WholeDatabase;
  let path: string | undefined;
  beforeAll(async () => {
    const created = await createTables();
    path = created.path;
    database = await open({ url: created.url });
  });

  async function setUp(records = 0): Promise<Given> {
    const { workspace, type, ...services } = await typedWorkspace(
      database,
      definition({ properties }),
    );
    for (let index = 0; index < records; index += 1) {
      await services.resources.create(services.work, workspace, "thing", {
        code: `C-${index % 10}`,
        amount: index,
      });
    }
    return { services, workspace, id: type.id };
  }

  describe("a new index", () => {
    test("on a type without records is ready at once", async () => {
      const given = await setUp();
      await change(given, {
        properties: { ...properties, code: { type: "string", indexed: true } },
      });
      await given.services.indexes.settled();
      expect(await slots(given)).toEqual([
        { property: "code", kind: "text", number: 1, state: "ready" },
      ]);
    });

    test("is filled from the records that are there, and then used", async () => {
      const given = await setUp(600);
      await change(given, {
        properties: {
          ...properties,
          code: { type: "string", indexed: true },
          amount: { type: "number", indexed: true },
        },
      });
      // Right after the change, and while it is filled, answers are as complete as ever.
      expect(await total(given, { code: "C-3" })).toBe(60);
      await given.services.indexes.settled();
      expect(await slots(given)).toEqual([
        { property: "code", kind: "text", number: 1, state: "ready" },
        { property: "amount", kind: "number", number: 1, state: "ready" },
      ]);
      expect(await total(given, { code: "C-3" })).toBe(60);
      expect(await total(given, { amount: { $gte: 590 } })).toBe(10);
      expect(await keysWithout(given, ["t1", "n1"])).toBe(0);
      expect(given.services.errors).toEqual([]);
    });

    test("misses no record that is written while it is filled", async () => {
      const given = await setUp(300);
      const { work, resources, indexes } = given.services;
      let isDone = false;
      const writing = (async () => {
        let made = 0;
        while (!isDone || made < 20) {
          await resources.create(work, given.workspace, "thing", { code: "NEW" });
          made += 1;
        }
        return made;
      })();
      await change(given, {
        properties: { ...properties, code: { type: "string", indexed: true } },
      });
      await indexes.settled();
      isDone = true;
      const made = await writing;
      expect(await keysWithout(given, ["t1"])).toBe(0);
      expect(await total(given, { code: "NEW" })).toBe(made);
    });

    test("is a real one: the engine says that it uses it", async () => {
      const given = await setUp(300);
      await change(given, {
        properties: { ...properties, code: { type: "string", indexed: true } },
      });
      await given.services.indexes.settled();
      const condition = statement`workspace_id = ${given.workspace} and t1 = '=C-3'
        and type_number = (select number from object_types where id = ${given.id})`;
      const plan =
        path === undefined
          ? await database.write(async (writer) => {
              await writer.run(raw("set local enable_seqscan = off"));
              // Only the owner may do it.
              await writer.run(raw("set local role none"));
              await writer.run(raw("analyze resources"));
              return writer.all(statement`explain select id from resources where ${condition}`);
            })
          : explained(
              path,
              render(
                statement`explain query plan select id from resources indexed by resources_t1
                  where ${condition}`,
                "sqlite",
              ),
            );
      expect(JSON.stringify(plan)).toContain("resources_t1");
    });

    test("that is given up is emptied, and its column used again", async () => {
      const given = await setUp(300);
      const indexed = { type: "string", indexed: true } as const;
      await change(given, { properties: { ...properties, code: indexed } });
      await given.services.indexes.settled();
      await change(given, { properties });
      await given.services.indexes.settled();
      expect(await slots(given)).toEqual([]);
      expect(await keysWithout(given, ["t1"])).toBe(300);
      await change(given, { properties: { ...properties, code: indexed } });
      await given.services.indexes.settled();
      expect(await slots(given)).toMatchObject([{ property: "code", number: 1, state: "ready" }]);
    });

    test("follows a property from text to numbers", async () => {
      const given = await setUp(20);
      await change(given, {
        properties: { ...properties, code: { type: "string", indexed: true } },
      });
      await change(given, {
        properties: { ...properties, code: { type: "number", indexed: true } },
      });
      await given.services.indexes.settled();
      expect(await slots(given)).toEqual([
        { property: "code", kind: "number", number: 1, state: "ready" },
      ]);
      // The old texts fit no number, and still are what they are.
      expect(await total(given, { code: "C-3" })).toBe(2);
      expect(await total(given, { code: { $gt: 0 } })).toBe(0);
    });
  });

  describe("a unique property", () => {
    const unique = { ...properties, code: { type: "string", unique: true } } as const;

    test("is refused while records have equal values, and names them", async () => {
      const given = await setUp(30);
      const refusal = await refused(change(given, { properties: unique }));
      expect(refusal.code).toBe("conflict");
      expect(refusal.options.errors).toMatchObject([{ pointer: "#/properties/code/unique" }]);
      const collisions = refusal.options.members?.["collisions"];
      expect(collisions).toHaveLength(10);
      expect(collisions).toMatchObject([
        { count: 3 },
        { count: 3 },
        { count: 3 },
        {},
        {},
        {},
        {},
        {},
        {},
        {},
      ]);
      const [first] = collisions as { ids: string[] }[];
      expect(first?.ids).toHaveLength(3);
      await given.services.indexes.settled();
      expect(await slots(given)).toEqual([]);
    });

    test("that is one too many is refused at its place, in a batch too", async () => {
      const given = await setUp(1);
      const many = ["a", "b", "c", "d", "e"].map((name) => [
        name,
        { type: "string", unique: true },
      ]);
      const update = { properties: Object.fromEntries(many) };
      const alone = await refused(change(given, update));
      expect(alone.options.errors).toMatchObject([{ pointer: "#/properties/e/unique" }]);
      const { services, workspace, id } = given;
      const batch = { create: [], update: [{ id, ...update }] };
      const together = await refused(services.objectTypes.apply(services.work, workspace, batch));
      expect(together.options.errors).toMatchObject([
        { pointer: "#/update/0/properties/e/unique" },
      ]);
      await services.indexes.settled();
      expect(await slots(given)).toEqual([]);
    });

    test("holds for records that were there before", async () => {
      const given = await setUp(10);
      await change(given, { properties: unique });
      expect(await slots(given)).toEqual([
        { property: "code", kind: "unique", number: 1, state: "ready" },
      ]);
      const refusal = await refused(
        given.services.resources.create(given.services.work, given.workspace, "thing", {
          code: "C-4",
        }),
      );
      expect(refusal).toMatchObject({ code: "already-exists", status: 409 });
      expect(refusal.options.errors).toMatchObject([{ pointer: "#/code" }]);
    });

    test("lets any number of records go without", async () => {
      const given = await setUp();
      await change(given, { properties: unique });
      const { work, resources } = given.services;
      for (const data of [{}, {}, { code: null }, { code: "" }]) {
        await resources.create(work, given.workspace, "thing", data);
      }
      await refused(resources.create(work, given.workspace, "thing", { code: "" }));
      expect(await total(given, { code: null })).toBe(3);
      expect(await total(given, { code: { $exists: false } })).toBe(2);
    });

    test("of two writers with one value lets one pass", async () => {
      const given = await setUp();
      await change(given, { properties: unique });
      const outcomes = await Promise.allSettled(
        Array.from({ length: 10 }, () =>
          given.services.resources.create(given.services.work, given.workspace, "thing", {
            code: "X",
          }),
        ),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await total(given, { code: "X" })).toBe(1);
    });

    test("is each type's own", async () => {
      const given = await setUp();
      await change(given, { properties: unique });
      const { work, objectTypes, resources } = given.services;
      await objectTypes.create(
        work,
        given.workspace,
        definition({ name: "Other", slug: "other", properties: unique }),
      );
      await resources.create(work, given.workspace, "thing", { code: "same" });
      await resources.create(work, given.workspace, "other", { code: "same" });
      expect(await total(given, { code: "same" })).toBe(1);
    });
  });

  test("lists that an earlier definition allowed are still found as lists", async () => {
    const given = await setUp();
    const { work, resources } = given.services;
    await resources.create(work, given.workspace, "thing", { tags: ["red", "blue"] });
    await change(given, { properties: { ...properties, tags: { type: "string", indexed: true } } });
    await resources.create(work, given.workspace, "thing", { tags: "red" });
    await given.services.indexes.settled();
    expect(await total(given, { tags: "red" })).toBe(2);
    expect(await total(given, { tags: { $ne: "blue" } })).toBe(1);
  });

  test("two changes of one version: one is a conflict", async () => {
    const given = await setUp();
    const outcomes = await Promise.allSettled(
      ["one", "two"].map((description) => change(given, { description, version: 1 })),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const type = await objectTypeById(given.services.database.read, given.workspace, given.id);
    expect(type?.version).toBe(2);
  });

  test("an unchanged definition writes nothing", async () => {
    const given = await setUp(1);
    const before = await objectTypeById(given.services.database.read, given.workspace, given.id);
    await change(given, { properties, linkTypes: [], actions: [] });
    const after = await objectTypeById(given.services.database.read, given.workspace, given.id);
    expect(after).toEqual(before);
  });

  test("a set of types that point to each other is made whole, or not at all", async () => {
    const { services, workspace } = await setUp();
    const pair = (target: string) => [
      definition({
        name: "Left",
        slug: "left",
        properties: {},
        linkTypes: [{ name: "right", targetObjectType: target }],
      }),
      definition({
        name: "Right",
        slug: "right",
        properties: { left: { type: "reference", targetObjectType: "left" } },
      }),
    ];
    const refusal = await refused(
      services.objectTypes.createAll(services.work, workspace, pair("nowhere")),
    );
    expect(refusal.options.errors).toMatchObject([{ pointer: "#/0/linkTypes/0/targetObjectType" }]);
    expect(await services.objectTypes.find(workspace, "right")).toBeUndefined();
    const made = await services.objectTypes.createAll(services.work, workspace, pair("right"));
    expect(made.map(({ slug }) => slug)).toEqual(["left", "right"]);
  });

  test("a second process sees a change before it writes", async () => {
    const given = await setUp();
    // On SQLite a second process has no such cache; its services stand for any stale one.
    const other = recordServices(database);
    await other.resources.create(other.work, given.workspace, "thing", { code: "first" });
    await change(given, {
      properties: {
        ...properties,
        code: { type: "string", indexed: true },
        extra: { type: "text" },
      },
    });
    await given.services.indexes.settled();
    const made = await other.resources.create(other.work, given.workspace, "thing", {
      code: "second",
    });
    expect(made.version).toBe(1);
    expect(await keysWithout(given, ["t1"])).toBe(0);
  });
});

interface Given {
  readonly services: RecordServices;
  readonly workspace: string;
  readonly id: string;
}

function change({ services, workspace, id }: Given, update: ObjectTypeUpdate) {
  return services.objectTypes.update(services.work, workspace, id, update);
}

async function slots({ services, workspace, id }: Given): Promise<readonly Slot[] | undefined> {
  return (await objectTypeById(services.database.read, workspace, id))?.slots;
}

async function total({ services, workspace }: Given, where: object): Promise<number | undefined> {
  const page = await services.resources.list(services.work, workspace, "thing", {
    where: JSON.stringify(where),
    limit: 1,
    count: true,
  });
  return page.total;
}

/** Records of the workspace that have nothing in one of these columns. */
async function keysWithout(
  { services, workspace }: Given,
  columns: readonly string[],
): Promise<number> {
  const row = await services.database.read.first<{ count: number }>(
    statement`select count(*) as count from resources where workspace_id = ${workspace}
      and (${raw(columns.map((column) => `${column} is null`).join(" or "))})`,
  );
  return Number(row?.count);
}

/** Uses a separate connection: Bun leaves an `explain` that was read half open. */
function explained(path: string, { text, parameters }: RenderedStatement): unknown[] {
  const connection = new SqliteDatabase(path, { readonly: true });
  try {
    return connection.prepare<unknown, BoundParameter[]>(text).all(...parameters);
  } finally {
    connection.close();
  }
}

async function refused(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("this was not refused");
}
