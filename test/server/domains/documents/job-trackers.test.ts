import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { indexPassages } from "#server/domains/documents/stages/index-passages.ts";
import { documentById } from "#server/domains/documents/store/documents.ts";
import { searchPassages } from "#server/domains/documents/store/passage-search.ts";
import { SearchWords } from "#server/search-index/word-list.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { makePdfOf } from "../../text/extraction/formats/build-files.ts";
import { createWorld, planning, untilDone, upload } from "./world.ts";
import type { World } from "./world.ts";
import { searched } from "./store/new-document.ts";
import { testWorks } from "#test/support/work.ts";

const samples = join(import.meta.dirname, "../../../../src/server/sample-data/files");
const sample = async (name: string) => ({
  filename: name,
  content: await Bun.file(join(samples, name)).bytes(),
});
const letter =
  "Dear officer,\n\nThe new wall at 18 Quay Street is 2.4 metres high.\n\nYours, Ada\n";
const text = (filename: string, content = letter) => ({ filename, content });

const stageStates = (job: { stages?: { name: string; status: string }[] | undefined }) =>
  Object.fromEntries((job.stages ?? []).map(({ name, status }) => [name, status]));

/** A blob store whose files cannot be read while the gate is closed. */
function gated() {
  const gate = { isClosed: false, opened: Promise.withResolvers<void>() };
  return {
    gate,
    wrap: (blobs: World["blobs"]): World["blobs"] => ({
      ...blobs,
      withFile: async (address, work) => {
        if (gate.isClosed) await gate.opened.promise;
        return blobs.withFile(address, work);
      },
    }),
  };
}

describeInTurn("document jobs", (open) => {
  test("a PDF passes all stages and has text, label, fields and passages", async () => {
    const world = await createWorld(await open());
    const accepted = await upload(world, await sample("planning-statement-18-quay-street.pdf"));
    expect(accepted.status).toBe("queued");
    const job = await untilDone(world, accepted.jobId);
    expect(job).toMatchObject({
      status: "succeeded",
      percentCompleted: 100,
      documentIds: [accepted.documentId],
      documents: [{ documentId: accepted.documentId, status: "ready", error: null }],
      counts: { documents: 1, failed: 0 },
      error: null,
    });
    const stages = ["store", "extract", "classify", "analyze", "index"];
    expect(Object.entries(stageStates(job))).toEqual(stages.map((name) => [name, "succeeded"]));
    const record = await world.documents.record(world.work, planning, accepted.documentId ?? "");
    expect(record).toMatchObject({
      documentNumber: expect.stringMatching(/^DOC-\d{4}-000001$/),
      mediaType: "application/pdf",
      lifecycle: "planning-assist-v1",
      processingMode: "full",
      status: "ready",
      indexStatus: "indexed",
      error: null,
    });
    expect(record.pages).toBeGreaterThan(0);
    expect(record.chunkCount).toBeGreaterThan(0);
    expect(record.classification?.label).toBeTruthy();
    expect(Object.keys(record.fields ?? {}).length).toBeGreaterThan(0);
    const page = await world.documents.page(world.work, planning, record.documentId, 1);
    expect(page.text).toContain("18 Quay Street");
    for (const field of Object.values(record.fields ?? {})) {
      const { page: number, span } = field;
      const place = [planning, record.documentId, number ?? 1] as const;
      const shown = await world.documents.page(world.work, ...place);
      expect(shown.text.slice(span?.start, span?.end)).not.toBe("");
    }
  });

  test("every sample document is read", async () => {
    const world = await createWorld(await open());
    const files = await Promise.all((await readdir(samples)).toSorted().map(sample));
    const accepted = await upload(world, files);
    const job = await untilDone(world, accepted.jobId);
    expect(job).toMatchObject({
      status: "succeeded",
      counts: { documents: 10, succeeded: 10, failed: 0 },
    });
    expect(job.documents).toHaveLength(10);
  });

  test.each([
    ["store_only", ["store"], "none"],
    ["rag", ["store", "extract", "index"], "indexed"],
    ["classification", ["store", "extract", "classify", "analyze"], "none"],
  ] as const)("%s runs its own stages and skips the others", async (mode, ran, indexStatus) => {
    const world = await createWorld(await open());
    const accepted = await upload(world, text("a.txt"), { processing_mode: mode });
    const job = await untilDone(world, accepted.jobId);
    expect(job.status).toBe("succeeded");
    const states = stageStates(job);
    expect(Object.keys(states).filter((name) => states[name] === "succeeded")).toEqual([...ran]);
    expect(Object.keys(states).filter((name) => states[name] === "skipped")).toHaveLength(
      5 - ran.length,
    );
    const record = await world.documents.record(world.work, planning, accepted.documentId ?? "");
    expect(record.indexStatus).toBe(indexStatus);
    expect(record.status).toBe("ready");
  });

  test.each([
    ["an empty file", text("empty.pdf", ""), "empty-file", /0 bytes/],
    ["a damaged PDF", text("broken.pdf", "%PDF-1.7\nnot a pdf at all"), "corrupt", /damaged/],
    [
      "a PDF with a password",
      {
        filename: "secret.pdf",
        content: makePdfOf(
          [
            { dictionary: "/Type /Catalog /Pages 2 0 R" },
            { dictionary: "/Type /Pages /Kids [] /Count 0" },
            {
              dictionary: `/Filter /Standard /V 1 /R 2 /O <${"5a".repeat(32)}> /U <${"5a".repeat(32)}> /P -4`,
            },
          ],
          "/Encrypt 3 0 R /ID [<00> <00>]",
        ),
      },
      "encrypted",
      /password/,
    ],
    [
      "a film",
      { filename: "film.mp4", content: Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0", "latin1") },
      "unsupported",
      /video/,
    ],
  ])("%s ends as a failed job that says why", async (_what, file, code, words) => {
    const world = await createWorld(await open());
    const accepted = await upload(world, file);
    const job = await untilDone(world, accepted.jobId);
    expect(job).toMatchObject({
      status: "failed",
      error: { code, message: expect.stringMatching(words) },
      documents: [{ status: "failed", error: { code } }],
    });
    expect(stageStates(job)).toMatchObject({ store: "succeeded", extract: "failed" });
    expect(
      await world.documents.record(world.work, planning, accepted.documentId ?? ""),
    ).toMatchObject({
      status: "failed",
      indexStatus: "failed",
      error: { code },
    });
    // The file itself is kept.
    const { size } = await world.documents.content(world.work, planning, accepted.documentId ?? "");
    expect(size).toBe(file.content.length);
  });

  test("one bad file of three does not affect the others, and a retry processes only that one", async () => {
    const database = await open();
    const directory = await temporaryDirectory("retry");
    const world = await createWorld(database, { dataDirectory: directory });
    const accepted = await upload(world, [
      text("one.txt", "The first letter is about trees."),
      text("two.pdf", "%PDF-1.7 broken"),
      text("three.txt", "The third letter is about walls."),
    ]);
    const job = await untilDone(world, accepted.jobId);
    expect(job).toMatchObject({
      status: "completed_with_errors",
      counts: { documents: 3, succeeded: 2, failed: 1 },
      error: {
        code: "corrupt",
        message: expect.stringMatching(/^1 of 3 documents failed\. two\.pdf: /),
      },
      documents: [{ status: "ready" }, { status: "failed" }, { status: "ready" }],
    });
    const passed = { status: "succeeded", counts: { succeeded: 2, failed: 0 } };
    expect(job.stages).toMatchObject([
      { name: "store", status: "succeeded", counts: { succeeded: 3, failed: 0 } },
      {
        name: "extract",
        status: "completed_with_errors",
        counts: { succeeded: 2, failed: 1 },
        error: {
          code: "corrupt",
          message: expect.stringMatching(/^1 of 3 documents failed\. two/),
        },
      },
      { name: "classify", ...passed },
      { name: "analyze", ...passed },
      { name: "index", ...passed },
    ]);
    const before = await world.documents.record(world.work, planning, accepted.documentId ?? "");
    const key = { workspaceId: planning, id: accepted.jobId };
    expect((await world.documents.jobs.retry(world.work, key)).status).toBe("queued");
    const again = await untilDone(world, accepted.jobId);
    expect(again).toMatchObject({ status: "completed_with_errors", attempt: 2 });
    const after = await world.documents.record(world.work, planning, accepted.documentId ?? "");
    expect(after.status).toBe("ready");
    expect(after.chunkCount).toBe(before.chunkCount);
  });

  test("the job fails when all its files fail", async () => {
    const world = await createWorld(await open());
    const accepted = await upload(world, [
      text("one.pdf", "%PDF-1 a"),
      text("two.pdf", "%PDF-1 b"),
    ]);
    expect(await untilDone(world, accepted.jobId)).toMatchObject({
      status: "failed",
      counts: { documents: 2, succeeded: 0, failed: 2 },
      stages: [
        { status: "succeeded", counts: { succeeded: 2, failed: 0 } },
        { status: "failed", counts: { succeeded: 0, failed: 2 } },
        { status: "pending", counts: null },
        { status: "pending" },
        { status: "pending" },
      ],
      error: { code: "corrupt", message: expect.stringMatching(/^2 of 2 documents failed\./) },
    });
  });

  test("an interrupted job continues after its last good stage", async () => {
    const database = await open();
    const directory = await temporaryDirectory("resume");
    const { gate, wrap } = gated();
    const first = await createWorld(database, { dataDirectory: directory, blobs: wrap });
    gate.isClosed = true;
    const accepted = await upload(first, text("a.txt"));
    const key = { workspaceId: planning, id: accepted.jobId };
    await eventually(async () => {
      const states = stageStates(await first.documents.jobs.get(first.work, key));
      expect(states).toMatchObject({ store: "succeeded", extract: "running" });
    });
    const stopping = first.stop();
    gate.opened.resolve();
    await stopping;
    expect((await first.documents.jobs.get(first.work, key)).status).toBe("interrupted");

    const second = await createWorld(database, { dataDirectory: directory });
    const job = await untilDone(second, accepted.jobId);
    expect(job.status).toBe("succeeded");
    expect(job.stages?.map(({ attempt }) => attempt)).toEqual([1, 2, 2, 2, 2]);
  });

  test("processing a document again replaces its pages and passages", async () => {
    const database = await open();
    const world = await createWorld(database);
    const accepted = await upload(world, text("a.txt"));
    await untilDone(world, accepted.jobId);
    const scope = await searched(database, { workspaceId: planning });
    const terms = { ranked: [{ indexed: ["quay"], weight: 1 }], frequent: [] };
    const before = await searchPassages(database.scan, scope, terms, 10);
    expect(before).toHaveLength(1);
    const document = await documentById(database.read, {
      workspaceId: planning,
      id: accepted.documentId ?? "",
    });
    await indexPassages(
      {
        now: () => new Date(),
        words: new SearchWords(testWorks(database).works.forPlatform),
      },
      {
        document: document!,
        job: {
          work: world.work,
          signal: new AbortController().signal,
          stages: [],
          runStage: async () => {},
          write: (unit) => world.work.write(unit),
          setCounts: () => {},
        },
        progress: () => {},
      },
    );
    expect(await searchPassages(database.scan, scope, terms, 10)).toEqual(before);
  });
});

describeInTurn("cancelling and watching a job", (open) => {
  /** A child that writes no output. */
  const stuck = ["/bin/sh", "-c", "sleep 600"];

  test("cancelling kills the child and sets the status of the document", async () => {
    const world = await createWorld(await open(), { extractionCommand: stuck });
    const accepted = await upload(world, text("a.txt"));
    const key = { workspaceId: planning, id: accepted.jobId };
    await eventually(async () => {
      expect(stageStates(await world.documents.jobs.get(world.work, key))["extract"]).toBe(
        "running",
      );
    });
    const cancelled = await world.documents.jobs.cancel(world.work, key);
    expect(cancelled).toMatchObject({
      status: "cancelled",
      documents: [{ status: "cancelled" }],
    });
    await eventually(async () => {
      expect(await childrenOf(process.pid)).toEqual([]);
    });
    await expect(world.documents.jobs.cancel(world.work, key)).rejects.toThrow(
      "it has already ended",
    );
  });

  test("a cancelled job can be retried, a successful one cannot", async () => {
    const database = await open();
    const directory = await temporaryDirectory("cancelled");
    const idle = await createWorld(database, { dataDirectory: directory, isWorking: false });
    const accepted = await upload(idle, text("a.txt"));
    const key = { workspaceId: planning, id: accepted.jobId };
    expect((await idle.documents.jobs.cancel(idle.work, key)).status).toBe("cancelled");
    const world = await createWorld(database, { dataDirectory: directory });
    expect((await world.documents.jobs.retry(world.work, key)).status).toBe("queued");
    expect((await untilDone(world, accepted.jobId)).status).toBe("succeeded");
    await expect(world.documents.jobs.retry(world.work, key)).rejects.toThrow(
      "The job is succeeded: only a failed, cancelled or incomplete job can be retried",
    );
  });

  test("a watcher sees each state once, up to the last", async () => {
    const world = await createWorld(await open());
    const accepted = await upload(world, text("a.txt"));
    const key = { workspaceId: planning, id: accepted.jobId };
    const ids: number[] = [];
    const states: string[] = [];
    const { signal } = new AbortController();
    for await (const { id, data } of world.documents.jobs.watch(world.work, key, { signal })) {
      ids.push(Number(id));
      if (data.status !== states.at(-1)) states.push(data.status);
    }
    expect(states.at(-1)).toBe("succeeded");
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  test("a watcher that reconnects gets the changes after its last event", async () => {
    const world = await createWorld(await open());
    const accepted = await upload(world, text("a.txt"));
    const key = { workspaceId: planning, id: accepted.jobId };
    await untilDone(world, accepted.jobId);
    const { signal } = new AbortController();
    const seen = async (lastEventId: string | undefined) =>
      Array.fromAsync(world.documents.jobs.watch(world.work, key, { signal, lastEventId }));
    const [last, ...others] = await seen(undefined);
    expect(others).toEqual([]);
    expect(last?.data.status).toBe("succeeded");
    expect(await seen("0")).toEqual([last]);
    expect(await seen(last?.id)).toEqual([]);
  });

  test("a watcher that disconnects is released", async () => {
    const world = await createWorld(await open(), { isWorking: false });
    const accepted = await upload(world, text("a.txt"));
    const leaving = new AbortController();
    const events = world.documents.jobs.watch(
      world.work,
      { workspaceId: planning, id: accepted.jobId },
      { signal: leaving.signal },
    );
    expect((await events.next()).value).toMatchObject({ data: { status: "queued" } });
    const next = events.next();
    leaving.abort();
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test("a tracker expires after seven days; the record stays", async () => {
    const world = await createWorld(await open());
    const accepted = await upload(world, text("a.txt"));
    await untilDone(world, accepted.jobId);
    const key = { workspaceId: planning, id: accepted.jobId };
    world.advance(7 * 24 * 60 * 60 * 1000 - 60_000);
    expect((await world.documents.jobs.get(world.work, key)).status).toBe("succeeded");
    world.advance(2 * 60_000);
    await expect(world.documents.jobs.get(world.work, key)).rejects.toMatchObject({
      code: "job-expired",
    });
    const { status } = await world.documents.record(
      world.work,
      planning,
      accepted.documentId ?? "",
    );
    expect(status).toBe("ready");
  });
});

async function childrenOf(pid: number): Promise<string[]> {
  const child = Bun.spawn(["ps", "-o", "pid=,args=", "--ppid", String(pid)], { stdout: "pipe" });
  const lines = (await new Response(child.stdout).text()).split("\n");
  return lines.filter((line) => line.includes("sleep 600"));
}
