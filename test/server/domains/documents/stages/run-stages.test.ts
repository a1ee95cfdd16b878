import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { stageNames } from "#contract/documents/jobs.ts";
import { statement } from "#server/database/statement.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import type { DatabaseEngine } from "#test/support/postgres.ts";
import { sized } from "#test/support/size.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  createWorld,
  extractionCommand,
  planning,
  untilDone,
  upload,
  type World,
} from "../world.ts";

/** The worker as one file, which starts in half the processor time; these tests start 30. */
let program = "";
beforeAll(async () => {
  const source = resolve("test/server/domains/documents/killed-worker.ts");
  program = join(await temporaryDirectory("killed-worker"), "worker.js");
  const build = Bun.spawn(
    [process.execPath, "build", source, "--target=bun", `--outfile=${program}`],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  expect([await build.exited, await build.stderr.text()]).toMatchObject([0, expect.any(String)]);
});

const everyMoment = ["begun", "worked", "ended"] as const;

/**
 * The moments at which a stage's worker is killed: all of them, and on PostgreSQL another one for
 * each stage, since the runner of stages knows no database.
 */
function momentsOf(engine: DatabaseEngine, stage: number): readonly string[] {
  const one = everyMoment.filter((_, moment) => moment === stage % everyMoment.length);
  return engine === "sqlite" ? everyMoment : sized<readonly string[]>(one, everyMoment);
}
const pages = ["The wall is 2.4 metres high.", "The roof is made of slate.", "The gate is green."];
const text = pages.join("\f");

/** The passages of a document, in their order. */
async function passagesOf({ database }: World, documentId: string) {
  return database.read.all<{ ordinal: number; text: string }>(
    statement`select ordinal, text from document_chunks
      where workspace_id = ${planning} and document_id = ${documentId} order by ordinal`,
  );
}

describeOnEachDatabase("a worker that is killed", (open, { engine, createTables }) => {
  test.each(stageNames.map((stage, index) => ({ stage, moments: momentsOf(engine, index) })))(
    "in the stage $stage: the job goes on, nothing is lost and nothing is twice",
    async ({ stage, moments }) => {
      const { url } = await createTables();
      const before = await open({ url });
      const dataDirectory = await temporaryDirectory("killed");
      const waiting = await createWorld(before, { dataDirectory, isWorking: false });
      const accepted = await upload(waiting, { filename: "wall.txt", content: text });
      await waiting.stop();
      await before.close();
      for (const moment of moments) {
        const worker = Bun.spawn(
          [process.execPath, program, url, dataDirectory, stage, moment, ...extractionCommand],
          { stdio: ["ignore", "ignore", "pipe"], timeout: 15_000 },
        );
        await worker.exited;
        expect([worker.signalCode, await worker.stderr.text()]).toEqual(["SIGKILL", ""]);
      }
      // The lease of the killed worker ends.
      await Bun.sleep(600);
      const world = await createWorld(await open({ url }), { dataDirectory });
      const job = await untilDone(world, accepted.jobId);
      expect(job).toMatchObject({
        status: "succeeded",
        percentCompleted: 100,
        attempt: moments.length + 1,
        error: null,
        stages: stageNames.map((name) => ({ name, status: "succeeded", error: null })),
      });
      const id = accepted.documentId ?? "";
      const record = await world.documents.record(world.work, planning, id);
      expect(record).toMatchObject({ status: "ready", indexStatus: "indexed" });
      const found = await passagesOf(world, id);
      expect(found.map(({ ordinal }) => ordinal)).toEqual([...found.keys()]);
      expect(found).toHaveLength(record.chunkCount ?? 0);
      expect(new Set(found.map((passage) => passage.text)).size).toBe(found.length);
      expect(found.map((passage) => passage.text).join("\n")).toContain("made of slate");
      const { results } = await world.documents.searches.run(
        world.work,
        planning,
        { query: "slate roof", mode: "fulltext", limit: 10, perDocument: 3 },
        new AbortController().signal,
      );
      expect(results.map(({ documentId }) => documentId)).toEqual([id]);
      const content = await world.documents.content(world.work, planning, id);
      expect(await new Response(content.bytes.stream()).text()).toBe(text);
    },
  );
});
