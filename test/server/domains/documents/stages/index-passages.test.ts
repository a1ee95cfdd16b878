import { expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { indexPassages } from "#server/domains/documents/stages/index-passages.ts";
import { documentById } from "#server/domains/documents/store/documents.ts";
import { insertPages } from "#server/domains/documents/store/page-texts.ts";
import type { JobContext } from "#server/jobs/runner.ts";
import { chunkPages } from "#server/text/passages/chunk-pages.ts";
import type { NotedWords } from "#server/text/search/searched-texts.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import { addDocument, now, planning } from "../store/new-document.ts";

const sentence = (page: number, at: number): string =>
  `The wall ${page}.${at} at the side of the garden is made of slate and of larch from the north. `;
const pages = Array.from({ length: 45 }, (_, index) => ({
  number: index + 1,
  text: Array.from({ length: index % 7 === 0 ? 90 : 14 }, (__, at) => sentence(index, at)).join(""),
}));

/** A stored document, and the stage over it whose `fails`-th transaction fails. */
async function prepared(database: WholeDatabase, { fails = 0 } = {}) {
  const document = await addDocument(database);
  await database.write((writer) => insertPages(writer, document, pages));
  const { work } = testWorks(database);
  const noted = new Set<string>();
  const seen: number[] = [];
  let writes = 0;
  const tools = {
    now: () => now,
    words: {
      note: (_workspace: string, entries: readonly (NotedWords | undefined)[]) => {
        for (const entry of entries) for (const word of entry?.words ?? []) noted.add(word);
        return undefined;
      },
    },
  };
  const job: JobContext = {
    work,
    signal: new AbortController().signal,
    stages: [],
    runStage: () => Promise.resolve(),
    setCounts: () => {},
    write: (unit) => {
      writes += 1;
      return writes === fails ? Promise.reject(new Error("the disk is away")) : work.write(unit);
    },
  };
  const run = () =>
    indexPassages(tools, { document, job, progress: (done) => void seen.push(done) });
  return { document, run, noted, seen, writesOf: () => writes };
}

describeOnEachDatabase("the passages of a document", (open) => {
  test("are those of its pages in their order, in few transactions", async () => {
    const database = await open();
    const { document, run, noted, seen, writesOf } = await prepared(database);
    await run();
    const stored = await database.read.all(statement`select ordinal, page, span_start as start,
        span_end as "end", text from document_chunks
      where workspace_id = ${planning} and document_id = ${document.id} order by ordinal`);
    const chunks = chunkPages(pages);
    expect(stored).toEqual(
      chunks.map(({ index: ordinal, page, start, end, text }) => {
        return { ordinal, page, start, end, text };
      }),
    );
    expect(await documentById(database.read, document)).toMatchObject({
      chunkCount: chunks.length,
      indexStatus: "indexed",
      doneStages: ["index"],
    });
    expect(noted.has("slate")).toBe(true);
    expect(seen).toEqual(pages.map(({ number }) => number));
    // Two removals and the end of the stage.
    expect(writesOf()).toBe(Math.ceil(chunks.length / 25) + 3);
  });

  test("do not count as indexed when one of their transactions has failed", async () => {
    const database = await open();
    const { document, run, writesOf } = await prepared(database, { fails: 4 });
    await expect(run()).rejects.toThrow("the disk is away");
    expect(writesOf()).toBe(4);
    expect(await documentById(database.read, document)).toMatchObject({
      chunkCount: null,
      indexStatus: "pending",
      doneStages: [],
    });
  });
});
