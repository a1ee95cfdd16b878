import { beforeAll, expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { documentCondition } from "#server/domains/documents/search/search-filter.ts";
import { updateDocument } from "#server/domains/documents/store/documents.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import { createWorld, planning, upload, wallFile, type World } from "../world.ts";

describeOnEachDatabase("a filter of document searches by extracted values", (open) => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld(await open(), { isWorking: false });
    const { documentId = "" } = await upload(world, wallFile());
    const place = {
      confidence: 1,
      page: 1,
      span: { start: 0, end: 1 },
      method: "pattern",
    } as const;
    const fields = {
      height: { ...place, type: "number", value: 10.5 },
      officer: { ...place, type: "text", value: "Ann" },
      isSigned: { ...place, type: "boolean", value: true },
    };
    await testWorks(world.database).work.write((writer) =>
      updateDocument(writer, { workspaceId: planning, id: documentId }, { fields }, new Date()),
    );
  });

  const found = async (where: object): Promise<number> => {
    const condition = documentCondition(JSON.stringify(where));
    if (condition === undefined) throw new Error("The filter has no condition");
    const rows = await world.database.read.all(
      statement`select id from documents where ${condition}`,
    );
    return rows.length;
  };

  test.each([
    { "fields.height": 10.5 },
    { "fields.height": { $gt: 9, $lt: 100 } },
    { "fields.height": { $in: [1, 10.5] } },
    { "fields.officer": { $gte: "A", $lt: "B" } },
    { "fields.officer": { $startsWith: "An" } },
    { "fields.isSigned": true },
  ])("finds by %j", async (where) => {
    expect(await found(where)).toBe(1);
  });

  test.each([
    { "fields.height": "10.5" },
    { "fields.height": { $gt: 11 } },
    { "fields.isSigned": false },
    { "fields.isSigned": 1 },
  ])("does not find by %j", async (where) => {
    expect(await found(where)).toBe(0);
  });
});
