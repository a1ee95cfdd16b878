import { beforeAll, expect, test } from "vitest";
import { updateDocument } from "#server/domains/documents/store/documents.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import {
  ada,
  application,
  assessCase,
  codeOf,
  createWorld,
  firstDocument,
  licensing,
  planning,
  upload,
  wallFile,
} from "./world.ts";
import type { World } from "./world.ts";

const idle = { isWorking: false };

describeInTurn("a document's record", (open) => {
  test("is found by number and by UUID, hyphenated, compact and in capitals", async () => {
    const world = await createWorld(await open(), idle);
    const { documentId = "", documentNumber = "", jobId } = await upload(world, wallFile());
    const record = await world.documents.record(world.work, planning, documentId);
    for (const id of [documentNumber, documentId.replaceAll("-", ""), documentId.toUpperCase()]) {
      expect(await world.documents.record(world.work, planning, id)).toEqual(record);
    }
    expect(await world.documents.record(world.work, planning, documentId, jobId)).toEqual(record);
    expect(await codeOf(world.documents.record(world.work, planning, documentId, ada))).toBe(
      "not-found",
    );
    expect(await codeOf(world.documents.record(world.work, licensing, documentId))).toBe(
      "not-found",
    );
    expect(await codeOf(world.documents.record(world.work, licensing, documentNumber))).toBe(
      "not-found",
    );
    expect(await codeOf(world.documents.content(world.work, licensing, documentId))).toBe(
      "not-found",
    );
    expect(await codeOf(world.documents.page(world.work, licensing, documentId, 1))).toBe(
      "not-found",
    );
  });

  test("returns its pages, and the number of pages for others", async () => {
    const world = await createWorld(await open());
    const { documentId, documentNumber } = await firstDocument(world);
    expect(await world.documents.page(world.work, planning, documentId, 1)).toEqual({
      documentId,
      page: 1,
      pages: 1,
      text: "The wall is 2.4 metres high.",
    });
    await expect(world.documents.page(world.work, planning, documentId, 2)).rejects.toThrow(
      `${documentNumber} has 1 page`,
    );
  });
});

describeInTurn("a list of documents", (open) => {
  let world: World;
  const names = ["b.txt", "a.txt", "d.csv", "c.txt", "e.md"];

  beforeAll(async () => {
    world = await createWorld(await open(), idle);
    for (const [index, filename] of names.entries()) {
      const hasCase = index === 3 ? { assess_case_id: assessCase } : {};
      const mode = index === 0 ? "rag" : "full";
      const fields = { ...hasCase, processing_mode: mode, category: `c${index % 2}` } as const;
      await upload(world, wallFile("x".repeat(index + 1), filename), fields);
    }
    await testWorks(world.database).work.write(async (writer) => {
      const { items } = await world.documents.list(world.work, planning, { sort: "size" });
      const classification = { label: "plan", confidence: 1, candidates: [] };
      const key = { workspaceId: planning, id: items[1]?.documentId ?? "" };
      await updateDocument(writer, key, { pages: 7, classification }, new Date());
    });
  });

  const listed = async (query: Parameters<World["documents"]["list"]>[2]) =>
    (await world.documents.list(world.work, planning, query)).items.map(({ filename }) => filename);
  const where = (filter: unknown) => listed({ where: JSON.stringify(filter), sort: "size" });

  test("is newest first, a page at a time", async () => {
    const first = await world.documents.list(world.work, planning, { limit: 2, count: true });
    expect(first).toMatchObject({
      page: 1,
      limit: 2,
      hasNextPage: true,
      total: 5,
      items: [{ filename: "e.md" }, { filename: "c.txt" }],
    });
    expect(await listed({ limit: 2, page: 3 })).toEqual(["b.txt"]);
    expect(await listed({ limit: 2, page: 4 })).toEqual([]);
    expect((await world.documents.list(world.work, licensing, { count: true })).total).toBe(0);
  });

  test.each(["-created_at", "filename", "-pages,filename", "processingMode,-size", "mediaType"])(
    "a cursor walks through %s without a gap or a repeat",
    async (sort) => {
      const walked: (string | undefined)[] = [];
      const numbers: (number | undefined)[] = [];
      let cursor: string | undefined;
      do {
        const page = await world.documents.list(world.work, planning, { sort, limit: 2, cursor });
        walked.push(...page.items.map(({ filename }) => filename));
        numbers.push(page.page);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(numbers).toEqual([1, 2, 3]);
      expect(walked).toEqual(await listed({ sort }));
      expect(new Set(walked).size).toBe(5);
    },
  );

  test("sorts missing values before all others", async () => {
    expect((await listed({ sort: "-pages" }))[0]).toBe("a.txt");
    expect((await listed({ sort: "pages" })).at(-1)).toBe("a.txt");
    expect(await listed({ sort: "filename" })).toEqual([
      "a.txt",
      "b.txt",
      "c.txt",
      "d.csv",
      "e.md",
    ]);
  });

  test.each<[unknown, string[]]>([
    [{}, names],
    [{ filename: "a.txt" }, ["a.txt"]],
    [{ size: { $gt: 1, $lte: 3 } }, ["a.txt", "d.csv"]],
    [{ size: { $gte: 5 } }, ["e.md"]],
    [{ size: { $lt: 2 } }, ["b.txt"]],
    [{ filename: { $in: ["a.txt", "e.md", "z"] } }, ["a.txt", "e.md"]],
    [{ filename: { $nin: ["a.txt", "e.md"] } }, ["b.txt", "d.csv", "c.txt"]],
    [{ filename: { $contains: ".t" } }, ["b.txt", "a.txt", "c.txt"]],
    [{ filename: { $contains: "%" } }, []],
    [{ filename: { $startsWith: "A" } }, []],
    [{ filename: { $regex: "^[a-c]\\.TXT$", $options: "i" } }, ["b.txt", "a.txt", "c.txt"]],
    [{ filename: { $regex: "^[a-c]\\.TXT$" } }, []],
    [{ filename: { $not: { $regex: "t$" } } }, ["d.csv", "e.md"]],
    [{ "classification.label": { $regex: "L", $options: "i" } }, ["a.txt"]],
    [{ filename: { $startsWith: "a" } }, ["a.txt"]],
    [{ pages: 7 }, ["a.txt"]],
    [{ pages: null }, ["b.txt", "d.csv", "c.txt", "e.md"]],
    [{ pages: { $ne: 7 } }, ["b.txt", "d.csv", "c.txt", "e.md"]],
    [{ pages: { $exists: true } }, ["a.txt"]],
    [{ pages: { $in: [null, 8] } }, ["b.txt", "d.csv", "c.txt", "e.md"]],
    [{ pages: { $not: { $gt: 5 } } }, ["b.txt", "d.csv", "c.txt", "e.md"]],
    [{ "classification.label": "plan" }, ["a.txt"]],
    [{ "classification.label": { $ne: "plan" } }, ["b.txt", "d.csv", "c.txt", "e.md"]],
    [{ "context.assess_case_id": assessCase }, ["c.txt"]],
    [{ "context.planning_application_id": application }, names],
    [{ "metadata.category": "c1" }, ["a.txt", "c.txt"]],
    [{ processingMode: "rag" }, ["b.txt"]],
    [{ $or: [{ size: 1 }, { filename: "e.md" }] }, ["b.txt", "e.md"]],
    [{ $nor: [{ size: 1 }, { filename: "e.md" }] }, ["a.txt", "d.csv", "c.txt"]],
    [{ $and: [{ size: { $gt: 1 } }, { size: { $lt: 3 } }] }, ["a.txt"]],
    [{ status: "deleting" }, []],
  ])("where %j", async (filter, expected) => {
    expect(await where(filter)).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ["nonsense", ["#/query/where"]],
    ["[]", ["#/query/where"]],
    ['{"owner":"x"}', ["#/query/where/owner"]],
    ['{"size":"1"}', ["#/query/where/size"]],
    ['{"size":1.5}', ["#/query/where/size"]],
    ['{"filename":{"$regex":"(a"}}', ["#/query/where/filename/$regex"]],
    ['{"filename":{"$regex":"(a)\\\\1"}}', ["#/query/where/filename/$regex"]],
    ['{"filename":{"$regex":1}}', ["#/query/where/filename/$regex"]],
    ['{"filename":{"$regex":"a","$options":"x"}}', ["#/query/where/filename/$options"]],
    ['{"filename":{"$options":"i"}}', ["#/query/where/filename/$options"]],
    ['{"size":{"$regex":"1"}}', ["#/query/where/size/$regex"]],
    ['{"filename":{"$near":"a"}}', ["#/query/where/filename/$near"]],
    ['{"filename":{"$in":"a"}}', ["#/query/where/filename/$in"]],
    ['{"filename":{"$in":["a",1]}}', ["#/query/where/filename/$in/1"]],
    ['{"size":{"$contains":"1"}}', ["#/query/where/size/$contains"]],
    ['{"filename":{}}', ["#/query/where/filename"]],
    ['{"$or":[]}', ["#/query/where/$or"]],
    ['{"$or":[{"a":1},{"size":true}]}', ["#/query/where/$or/0/a", "#/query/where/$or/1/size"]],
    [
      `{"$or":[${Array.from({ length: 1_000 }, () => "{}").join()}]}`,
      Array.from({ length: 50 }, (_, index) => `#/query/where/$or/${199 + index}`),
    ],
    ['{"filename":{"$in":[null,"a",1]}}', ["#/query/where/filename/$in/2"]],
    ['{"filename":"a\\u0000"}', ["#/query/where/filename"]],
    ['{"filename":{"$contains":"\\ud800"}}', ["#/query/where/filename/$contains"]],
    [`${'{"$or":['.repeat(9)}{}${"]}".repeat(9)}`, [`#/query/where${"/$or/0".repeat(8)}`]],
  ])("where %s is refused", async (text, pointers) => {
    const failure = await world.documents
      .list(world.work, planning, { where: text })
      .catch((error) => error);
    expect(failure).toMatchObject({ code: "validation-failed" });
    expect(failure.options.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      pointers,
    );
  });

  test("an unknown sort field and another list's cursor are refused", async () => {
    expect(await codeOf(world.documents.list(world.work, planning, { sort: "scope_key" }))).toBe(
      "validation-failed",
    );
    const { nextCursor } = await world.documents.list(world.work, planning, { limit: 1 });
    const cursor = nextCursor ?? "";
    for (const other of [
      world.documents.list(world.work, planning, { limit: 1, cursor, sort: "size" }),
      world.documents.list(world.work, planning, { limit: 1, cursor, where: '{"size":1}' }),
      world.documents.list(world.work, licensing, { limit: 1, cursor }),
      world.documents.list(world.work, planning, { limit: 1, cursor: `${cursor}x` }),
      world.documents.jobs.list(world.work, planning, { cursor }),
    ]) {
      expect(await codeOf(other)).toBe("validation-failed");
    }
  });

  test("of jobs is also newest first, with its documents", async () => {
    const first = await world.documents.jobs.list(world.work, planning, { limit: 3, count: true });
    expect(first).toMatchObject({ page: 1, limit: 3, hasNextPage: true, total: 5 });
    expect(first.items[0]).toMatchObject({
      status: "queued",
      documents: [{ filename: "e.md", status: "queued" }],
    });
    const cursor = first.nextCursor ?? "";
    const second = await world.documents.jobs.list(world.work, planning, { limit: 3, cursor });
    expect(second).toMatchObject({ page: 2, hasNextPage: false, nextCursor: null });
    expect(second.items).toHaveLength(2);
    const jobs = [...first.items, ...second.items].map(({ jobId }) => jobId);
    expect(jobs).toEqual(
      (await world.documents.jobs.list(world.work, planning, {})).items.map((j) => j.jobId),
    );
    expect(
      (await world.documents.jobs.list(world.work, planning, { limit: 3, page: 2 })).items,
    ).toEqual(second.items);
    expect((await world.documents.jobs.list(world.work, licensing, {})).items).toEqual([]);
  });
});
