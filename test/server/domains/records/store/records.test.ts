import { expect, test } from "vitest";
import type { Reader } from "#server/database/database.ts";
import { recordById } from "#server/domains/records/store/records.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { definition, newWorkspace, recordServices } from "#test/support/records.ts";

const note = definition({ properties: { text: { type: "text" } } });
const large = "large ".repeat(20_000);

describeOnEachDatabase("records that are looked up at the same time", (open, { engine }) => {
  test("are each the right one, or missing", async () => {
    const database = await open();
    const { work, objectTypes, resources } = recordServices(database);
    const workspace = newWorkspace();
    await objectTypes.create(work, workspace, note);
    const type = await objectTypes.find(workspace, "thing");
    if (type === undefined) throw new Error("the type is not there");
    const texts = Array.from({ length: 100 }, (_, at) =>
      at % 10 === 7 ? `${large}${at}` : `${at}`,
    );
    const ids: string[] = [];
    for (const text of texts) {
      ids.push((await resources.create(work, workspace, "thing", { text })).id);
    }
    await resources.delete(work, workspace, "thing", ids[3] ?? "");

    let statements = 0;
    const reader: Reader = {
      dialect: database.read.dialect,
      all: (statement) => {
        statements += 1;
        return database.read.all(statement);
      },
      first: (statement) => {
        statements += 1;
        return database.read.first(statement);
      },
    };
    const find = async (id: string, where: Parameters<typeof recordById>[1] = type) => {
      const record = await recordById(reader, where, id);
      return record && (JSON.parse(record.data) as { text: string }).text;
    };
    const twice = [...ids, ...ids.slice(0, 5)];
    const expected = [...texts, ...texts.slice(0, 5)].map((text, at) =>
      at % 100 === 3 ? undefined : text,
    );
    expect(await Promise.all(twice.map((id) => find(id)))).toEqual(expected);
    // Ten large records and the missing one each take their own statement.
    if (engine === "postgresql") expect(statements).toBeLessThan(20);

    const elsewhere = { workspaceId: newWorkspace(), number: type.number };
    const otherType = { workspaceId: workspace, number: type.number + 1 };
    const found = ids.flatMap((id) => [find(id, elsewhere), find(id, otherType)]);
    expect((await Promise.all(found)).filter((text) => text !== undefined)).toEqual([]);
  });

  test("fail together while reads fail, and are found again after that", async () => {
    const database = await open();
    const type = { workspaceId: newWorkspace(), number: 1 };
    let isBroken = true;
    const broken = new Error("the line is cut");
    const reader: Reader = {
      dialect: database.read.dialect,
      all: (statement) => (isBroken ? Promise.reject(broken) : database.read.all(statement)),
      first: (statement) => (isBroken ? Promise.reject(broken) : database.read.first(statement)),
    };
    const find = async () => recordById(reader, type, "nothing");
    const results = await Promise.allSettled([find(), find(), find()]);
    expect(results.map((result) => "reason" in result && result.reason)).toEqual([
      broken,
      broken,
      broken,
    ]);
    isBroken = false;
    expect(await Promise.all([find(), find()])).toEqual([undefined, undefined]);
  });
});
