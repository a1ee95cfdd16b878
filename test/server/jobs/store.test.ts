import { expect, test } from "vitest";
import { DuplicateError } from "#server/kit/storage-errors.ts";
import {
  areJobsDue,
  cancelJob,
  claimJobs,
  enqueueJob,
  finishJob,
  getJob,
  returnJob,
  heartbeatJobs,
  holdsJob,
  recoverInterruptedJobs,
  removeExpiredJobs,
  retryJob,
  saveJobProgress,
} from "#server/jobs/store.ts";
import type { Job, JobStage, NewJob } from "#server/jobs/store.ts";
import { countJobs, jobPage } from "#server/domains/documents/store/document-jobs.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds));
const kinds = ["document"];

const enqueue = (database: WholeDatabase, job: Partial<NewJob> = {}, seconds = 0): Promise<Job> =>
  testWorks(database).work.write((writer) =>
    enqueueJob(
      writer,
      {
        workspaceId: "ws-1",
        kind: "document",
        payload: { documentId: "d-1", words: ["ä", 'say "hi"'] },
        stages: ["store", "extract"],
        createdBy: "user-1",
        ...job,
      },
      at(seconds),
    ),
  );

const claim = (database: WholeDatabase, seconds: number, limit = 1): Promise<Job[]> =>
  testWorks(database).work.write((writer) =>
    claimJobs(writer, { kinds, limit, leaseMs: 30_000, now: at(seconds) }),
  );

const onlyJob = async (database: WholeDatabase, seconds: number): Promise<Job> => {
  const [job] = await claim(database, seconds);
  if (job === undefined) throw new Error("no job was due");
  return job;
};

const withStatus = (job: Job, ...statuses: JobStage["status"][]): JobStage[] =>
  job.stages.map((stage, index) => ({ ...stage, status: statuses[index] ?? stage.status }));

describeInTurn("the job store", (open) => {
  test("a job is read as it was enqueued", async () => {
    const database = await open();
    const job = await enqueue(database, { id: "j-1" });
    expect(job).toEqual({
      id: "j-1",
      workspaceId: "ws-1",
      kind: "document",
      payload: { documentId: "d-1", words: ["ä", 'say "hi"'] },
      state: "queued",
      attempt: 0,
      maxAttempts: 5,
      runAt: "2026-01-01T12:00:00.000Z",
      leaseUntil: null,
      stages: [
        {
          name: "store",
          status: "pending",
          attempt: 0,
          progress: null,
          counts: null,
          startedAt: null,
          finishedAt: null,
          error: null,
        },
        {
          name: "extract",
          status: "pending",
          attempt: 0,
          progress: null,
          counts: null,
          startedAt: null,
          finishedAt: null,
          error: null,
        },
      ],
      percentCompleted: 0,
      counts: {},
      error: null,
      revision: 1,
      createdBy: "user-1",
      createdAt: "2026-01-01T12:00:00.000Z",
      updatedAt: "2026-01-01T12:00:00.000Z",
      expiresAt: null,
    });
    expect(await getJob(database.read, { workspaceId: "ws-1", id: "j-1" })).toEqual(job);
    await expect(enqueue(database, { id: "j-1" })).rejects.toThrow(DuplicateError);
  });

  test("another workspace's job is not found", async () => {
    const database = await open();
    const { id } = await enqueue(database);
    const key = { workspaceId: "ws-2", id };
    expect(await getJob(database.read, key)).toBeUndefined();
    const limits = { expiresAt: at(99), now: at(1) };
    expect(
      await testWorks(database).work.write((writer) => cancelJob(writer, key, limits)),
    ).toBeUndefined();
    expect(
      await testWorks(database).work.write((writer) => retryJob(writer, key, limits)),
    ).toBeUndefined();
    const page = { workspaceId: "ws-2", kind: "document", limit: 10, offset: 0 };
    expect(await jobPage(database.read, page)).toEqual([]);
  });

  test("due jobs of the given kinds are claimed, oldest first", async () => {
    const database = await open();
    await enqueue(database, { id: "second" }, 2);
    await enqueue(database, { id: "first" }, 1);
    await enqueue(database, { id: "later", runAt: at(60) }, 0);
    await enqueue(database, { id: "other", kind: "geo" }, 0);
    expect(await areJobsDue(database.read, kinds, at(0))).toBe(false);
    expect(await areJobsDue(database.read, kinds, at(1))).toBe(true);
    expect(await areJobsDue(database.read, [], at(1))).toBe(false);
    const claimed = await claim(database, 5, 10);
    expect(claimed.map((job) => job.id)).toEqual(["first", "second"]);
    expect(claimed[0]).toMatchObject({
      state: "running",
      attempt: 1,
      leaseUntil: "2026-01-01T12:00:35.000Z",
      revision: 2,
    });
    expect(await claim(database, 5, 10)).toEqual([]);
    expect((await claim(database, 60)).map((job) => job.id)).toEqual(["later"]);
  });

  test("a workspace without a running job comes before a longer queue", async () => {
    const database = await open();
    for (let index = 0; index < 4; index += 1) await enqueue(database, { id: `long-${index}` });
    await enqueue(database, { id: "future", workspaceId: "ws-0", runAt: at(60) });
    await enqueue(database, { id: "other", workspaceId: "ws-0", kind: "geo" });
    await enqueue(database, { id: "short-0", workspaceId: "ws-2" }, 1);
    await enqueue(database, { id: "short-1", workspaceId: "ws-2" }, 1);
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) {
      ids.push(...(await claim(database, 2)).map((job) => job.id));
    }
    // Both have a running job from the third claim on, and the oldest comes first.
    expect(ids).toEqual(["long-0", "short-0", "long-1", "long-2", "long-3", "short-1"]);
  });

  test("many workers never get the same job", async () => {
    const database = await open({ poolSize: 4 });
    for (let index = 0; index < 12; index += 1) await enqueue(database, { id: `j-${index}` });
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(database, 1, 2)));
    let ids = claims.flat().map((job) => job.id);
    // A worker that only finds locked rows gets none, and tries again.
    ids = [...ids, ...(await claim(database, 1, 12)).map((job) => job.id)];
    expect(ids).toHaveLength(12);
    expect(new Set(ids).size).toBe(12);
  });

  test("progress is saved, and percent counts stages", async () => {
    const database = await open();
    await enqueue(database);
    const job = await onlyJob(database, 1);
    const stages = withStatus(job, "succeeded", "running").map((stage) =>
      stage.status === "running"
        ? { ...stage, progress: { done: 3, total: 10, unit: "pages" } }
        : stage,
    );
    const saved = await testWorks(database).work.write((writer) =>
      saveJobProgress(writer, job, { stages, counts: { pages: 3 }, now: at(2) }),
    );
    expect(saved).toBe(true);
    expect(await getJob(database.read, job)).toMatchObject({
      percentCompleted: 65,
      stages,
      counts: { pages: 3 },
      updatedAt: "2026-01-01T12:00:02.000Z",
      revision: 3,
    });
  });

  test("a new process recovers the jobs of the same data directory at once, and no others", async () => {
    const database = await open();
    const claimOf = async (owner: string) => {
      await enqueue(database);
      const claim = { kinds, limit: 1, leaseMs: 30_000, owner, now: at(1) };
      return (await testWorks(database).work.write((writer) => claimJobs(writer, claim)))[0];
    };
    const [own, other] = [await claimOf("host:/own"), await claimOf("host:/other")];
    const recovered = await testWorks(database).work.write((writer) =>
      recoverInterruptedJobs(writer, {
        all: false,
        owner: "host:/own",
        limit: 10,
        expiresAt: at(99),
        now: at(2),
      }),
    );
    expect(recovered.map(({ id }) => id)).toEqual([own?.id]);
    expect(await getJob(database.read, other ?? { workspaceId: "", id: "" })).toMatchObject({
      state: "running",
    });
  });

  test("a slow worker without its lease changes nothing", async () => {
    const database = await open();
    await enqueue(database);
    const slow = await onlyJob(database, 1);
    const recovered = await testWorks(database).work.write((writer) =>
      recoverInterruptedJobs(writer, { all: false, limit: 10, expiresAt: at(99), now: at(40) }),
    );
    expect(recovered.map((job) => job.state)).toEqual(["interrupted"]);
    const quick = await onlyJob(database, 41);
    expect(quick.attempt).toBe(2);

    const before = await getJob(database.read, quick);
    const results = await testWorks(database).work.write(async (writer) => [
      await saveJobProgress(writer, slow, { stages: [], now: at(42) }),
      await finishJob(writer, slow, {
        state: "succeeded",
        stages: [],
        expiresAt: at(99),
        now: at(42),
      }),
      await returnJob(writer, slow, {
        state: "queued",
        countsAttempt: true,
        stages: [],
        runAt: at(42),
        now: at(42),
      }),
      await holdsJob(writer, slow),
      [...(await heartbeatJobs(writer, [slow, quick], { leaseMs: 30_000, now: at(42) }))],
    ]);
    expect(results).toEqual([false, false, false, false, [quick.id]]);
    expect(await getJob(database.read, quick)).toEqual({
      ...before,
      leaseUntil: "2026-01-01T12:01:12.000Z",
    });
  });

  test("recovery keeps good stages, restarts the others, and fails after the last attempt", async () => {
    const database = await open();
    await enqueue(database, { maxAttempts: 2 });
    const job = await onlyJob(database, 1);
    const stages = withStatus(job, "succeeded", "running");
    await testWorks(database).work.write((writer) =>
      saveJobProgress(writer, job, { stages, now: at(2) }),
    );
    const recover = (seconds: number) =>
      testWorks(database).work.write((writer) =>
        recoverInterruptedJobs(writer, {
          all: true,
          limit: 10,
          expiresAt: at(99),
          now: at(seconds),
        }),
      );
    expect(await recover(3)).toMatchObject([
      { state: "interrupted", stages: withStatus(job, "succeeded", "pending"), leaseUntil: null },
    ]);
    expect(await recover(3)).toEqual([]);
    expect(await onlyJob(database, 4)).toMatchObject({ attempt: 2 });
    expect(await recover(5)).toMatchObject([
      { state: "failed", error: { code: "attempts-exhausted" }, expiresAt: at(99).toISOString() },
    ]);
    expect(await claim(database, 6)).toEqual([]);
  });

  test("a worker that shuts down does not use up an attempt", async () => {
    const database = await open();
    await enqueue(database, { maxAttempts: 1 });
    const job = await onlyJob(database, 1);
    const given = await testWorks(database).work.write((writer) =>
      returnJob(writer, job, {
        state: "interrupted",
        countsAttempt: false,
        stages: job.stages,
        runAt: at(2),
        now: at(2),
      }),
    );
    expect(given).toBe(true);
    expect(await onlyJob(database, 3)).toMatchObject({ attempt: 2, maxAttempts: 2 });
  });

  test("an ended job is kept until it expires", async () => {
    const database = await open();
    await enqueue(database);
    const job = await onlyJob(database, 1);
    await testWorks(database).work.write((writer) =>
      finishJob(writer, job, {
        state: "completed_with_errors",
        stages: withStatus(job, "succeeded", "failed"),
        counts: { failed: 1 },
        error: { code: "extract-failed", message: "No text." },
        expiresAt: at(50),
        now: at(2),
      }),
    );
    expect(await getJob(database.read, job)).toMatchObject({
      state: "completed_with_errors",
      percentCompleted: 100,
      counts: { failed: 1 },
      error: { code: "extract-failed", message: "No text." },
      leaseUntil: null,
      expiresAt: "2026-01-01T12:00:50.000Z",
    });
    const remove = (seconds: number) =>
      testWorks(database).work.write((writer) =>
        removeExpiredJobs(writer, { now: at(seconds), limit: 10 }),
      );
    expect(await remove(50)).toBe(0);
    expect(await remove(51)).toBe(1);
    expect(await getJob(database.read, job)).toBeUndefined();
  });

  test("a running job can be cancelled, then retried from its last good stage", async () => {
    const database = await open();
    await enqueue(database);
    const job = await onlyJob(database, 1);
    const stages = withStatus(job, "succeeded", "running");
    await testWorks(database).work.write((writer) =>
      saveJobProgress(writer, job, { stages, now: at(2) }),
    );
    const cancel = () =>
      testWorks(database).work.write((writer) =>
        cancelJob(writer, job, { expiresAt: at(50), now: at(3) }),
      );
    expect(await cancel()).toMatchObject({
      changed: true,
      job: { state: "cancelled", stages: [{ status: "succeeded" }, { status: "skipped" }] },
    });
    expect(await cancel()).toMatchObject({ changed: false, job: { state: "cancelled" } });
    const late = await testWorks(database).work.write((writer) =>
      finishJob(writer, job, { state: "succeeded", stages, expiresAt: at(50), now: at(4) }),
    );
    expect(late).toBe(false);

    const retry = () =>
      testWorks(database).work.write((writer) => retryJob(writer, job, { now: at(5) }));
    expect(await retry()).toMatchObject({
      changed: true,
      job: {
        state: "queued",
        attempt: 1,
        maxAttempts: 6,
        expiresAt: null,
        stages: [{ status: "succeeded" }, { status: "pending" }],
      },
    });
    expect(await retry()).toMatchObject({ changed: false, job: { state: "queued" } });
    expect(await onlyJob(database, 6)).toMatchObject({ id: job.id, attempt: 2 });
  });

  test("the list has the workspace's jobs, newest first, by page", async () => {
    const database = await open();
    for (let index = 0; index < 5; index += 1) {
      await enqueue(database, { id: `j-${index}` }, Math.floor(index / 2));
    }
    await enqueue(database, { id: "elsewhere", workspaceId: "ws-2" });
    await enqueue(database, { id: "geo", kind: "geo" }, 9);
    const page = { workspaceId: "ws-1", kind: "document", limit: 2, offset: 0 };
    const first = await jobPage(database.read, page);
    expect(first.map(({ id }) => id)).toEqual(["j-4", "j-3"]);
    const second = await jobPage(database.read, { ...page, limit: 9, after: first[1] });
    expect(second.map(({ id }) => id)).toEqual(["j-2", "j-1", "j-0"]);
    expect((await jobPage(database.read, { ...page, offset: 4 })).map(({ id }) => id)).toEqual([
      "j-0",
    ]);
    expect(await countJobs(database.read, page)).toBe(5);
  });
});
