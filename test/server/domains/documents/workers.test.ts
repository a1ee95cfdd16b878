import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Job } from "#server/jobs/store.ts";
import { enqueueJob, getJob } from "#server/jobs/store.ts";
import { JobRunner, type JobWork } from "#server/jobs/runner.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import {
  businessRequest,
  codeOf,
  createWorld,
  licensing,
  planning,
  untilDone,
  upload,
  type World,
} from "./world.ts";
import { testWorks } from "#test/support/work.ts";

/** Files of one document wait at the gate; the others do not. */
function slowFiles() {
  const gate = { sha256: "", opened: Promise.withResolvers<void>(), waits: 0 };
  const wrap = (blobs: World["blobs"]): World["blobs"] => ({
    ...blobs,
    withFile: async (address, work) => {
      if (address.sha256 === gate.sha256) {
        gate.waits += 1;
        await gate.opened.promise;
      }
      return blobs.withFile(address, work);
    },
  });
  return { gate, wrap };
}

describeOnEachDatabase("several workers", (open, { engine, createTables }) => {
  test("of several platforms run each job once", async () => {
    const { url } = await createTables();
    const database = await open({ url });
    const jobs = 60;
    const made: Job[] = await testWorks(database).work.write(async (writer) => {
      const queued: Job[] = [];
      for (let count = 0; count < jobs; count += 1) {
        queued.push(
          await enqueueJob(
            writer,
            { workspaceId: planning, kind: "count", payload: {}, stages: ["run"], createdBy: "me" },
            new Date(),
          ),
        );
      }
      return queued;
    });
    const ran: string[] = [];
    const busy = new Set<string>();
    const workOf =
      (worker: number): JobWork =>
      async ({ id }, context) =>
        context.runStage("run", async () => {
          ran.push(id);
          busy.add(`worker ${worker}`);
          await Bun.sleep(2);
        });
    // On SQLite one process has the directory alone, so its workers share a connection.
    const handles = [database, engine === "postgresql" ? await open({ url }) : database];
    const runners = [0, 1, 2, 3].map(
      (worker) =>
        new JobRunner({
          platformWork: testWorks(handles[worker % 2] ?? database).works.forPlatform,
          kinds: { count: workOf(worker) },
          concurrency: 2,
          now: () => new Date(),
          pollMs: 5,
        }),
    );
    await Promise.all(runners.map((runner) => runner.start()));
    await eventually(async () => {
      const states = await Promise.all(made.map((job) => getJob(database.read, job)));
      expect(new Set(states.map((job) => job?.state))).toEqual(new Set(["succeeded"]));
    });
    await Promise.all(runners.map((runner) => runner.stop()));
    expect(ran.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    expect(busy.size).toBeGreaterThan(1);
  });

  test("process other documents while one is slow and one is bad", async () => {
    const { gate, wrap } = slowFiles();
    const world = await createWorld(await open(), { blobs: wrap, isWorking: false });
    const slow = await upload(world, { filename: "slow.txt", content: "A slow text." });
    const record = await world.documents.record(world.work, planning, slow.documentId ?? "");
    gate.sha256 = record.sha256 ?? "";
    const bad = await upload(world, { filename: "bad.pdf", content: "%PDF-1.7 and nothing else" });
    const good = [];
    for (let count = 0; count < 5; count += 1) {
      good.push(await upload(world, { filename: `${count}.txt`, content: `Text ${count}.` }));
    }
    await world.runner.start();
    for (const { jobId } of good) {
      expect(await untilDone(world, jobId)).toMatchObject({ status: "succeeded", attempt: 1 });
    }
    expect(await untilDone(world, bad.jobId)).toMatchObject({ status: "failed", attempt: 1 });
    const key = { workspaceId: planning, id: slow.jobId };
    expect(await world.documents.jobs.get(world.work, key)).toMatchObject({ status: "running" });
    gate.opened.resolve();
    expect(await untilDone(world, slow.jobId)).toMatchObject({ status: "succeeded", attempt: 1 });
    expect(gate.waits).toBe(1);
  });

  test("have a bounded queue: a full one refuses before a byte is stored", async () => {
    const limits = { waitingJobs: 2 };
    const world = await createWorld(await open(), { limits, isWorking: false });
    const first = await upload(world, { filename: "1.txt", content: "One." });
    const second = await upload(world, { filename: "2.txt", content: "Two." });
    const third = { filename: "3.txt", content: "Three." };
    await expect(upload(world, third)).rejects.toMatchObject({
      code: "rate-limited",
      options: { headers: { "retry-after": "30" }, members: { waitingJobs: 2 } },
    });
    const stored = await readdir(world.dataDirectory, { recursive: true, withFileTypes: true });
    expect(stored.filter((entry) => entry.isFile())).toHaveLength(2);
    // Another workspace has its own queue.
    const keys = { business_request_id: businessRequest, processing_mode: "store_only" } as const;
    expect(await codeOf(upload(world, third, keys, licensing))).toBe("document-context-missing");
    await world.runner.start();
    for (const { jobId } of [first, second]) await untilDone(world, jobId);
    expect(await untilDone(world, (await upload(world, third)).jobId)).toMatchObject({
      status: "succeeded",
    });
  });
});
