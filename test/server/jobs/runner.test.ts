import { afterEach, expect, test, vi } from "vitest";
import { JobFailedError, JobLaterError, JobRunner } from "#server/jobs/runner.ts";
import type { JobRunnerOptions, JobWork } from "#server/jobs/runner.ts";
import { statement } from "#server/database/statement.ts";
import { claimJobs, enqueueJob, getJob, retryJob } from "#server/jobs/store.ts";
import type { Job, JobChange, JobKey, NewJob } from "#server/jobs/store.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import { testWorks } from "#test/support/work.ts";

const runners: JobRunner[] = [];

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});

/** It never polls, so that only `wake` starts work. */
const makeRunner = (
  database: WholeDatabase,
  work: JobWork,
  options: Partial<JobRunnerOptions> = {},
): JobRunner => {
  const runner = new JobRunner({
    platformWork: testWorks(database).works.forPlatform,
    kinds: { document: work },
    concurrency: 2,
    now: () => new Date(),
    pollMs: 1_000_000,
    ...options,
  });
  runners.push(runner);
  return runner;
};

const enqueue = (database: WholeDatabase, job: Partial<NewJob> = {}): Promise<Job> => {
  const fields = { workspaceId: "ws-1", kind: "document", payload: {}, createdBy: "user-1" };
  const whole = { ...fields, stages: ["extract", "index"], ...job };
  return testWorks(database).work.write((writer) => enqueueJob(writer, whole, new Date()));
};

const cancel = (database: WholeDatabase, runner: JobRunner, key: JobKey): Promise<JobChange> =>
  testWorks(database).work.write((tx) => runner.cancel(tx, key));

const retry = (database: WholeDatabase, runner: JobRunner, key: JobKey): Promise<JobChange> =>
  testWorks(database).work.write((tx) => runner.retry(tx, key));

const stored = async (database: WholeDatabase, key: JobKey): Promise<Job> => {
  const job = await getJob(database.read, key);
  if (job === undefined) throw new Error("the job is gone");
  return job;
};

const untilState = (database: WholeDatabase, key: JobKey, state: Job["state"]): Promise<Job> =>
  eventually(async () => {
    const job = await stored(database, key);
    expect(job.state).toBe(state);
    return job;
  });

/** A promise that test or worker resolves for the other. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopped", { cause: signal.reason })));
  });

describeInTurn("the job runner", (open) => {
  test("a job that must wait is queued again, and the attempt does not count", async () => {
    const database = await open();
    const onError = vi.fn();
    const work: JobWork = () => Promise.reject(new JobLaterError(60_000));
    const runner = makeRunner(database, work, { onError });
    await runner.start();
    const job = await enqueue(database, { maxAttempts: 1 });
    runner.wake();
    await eventually(async () => {
      const later = await stored(database, job);
      expect(later).toMatchObject({ attempt: 1, state: "queued", error: null, maxAttempts: 2 });
      expect(Date.parse(later.runAt)).toBeGreaterThanOrEqual(Date.parse(job.runAt) + 60_000);
    });
    expect(onError).not.toHaveBeenCalled();
  });

  test("a job passes its stages and succeeds", async () => {
    const database = await open();
    const runner = makeRunner(database, async (_job, context) => {
      await context.runStage("extract", async (stage) => {
        stage.progress(1, 2, "pages");
        context.setCounts({ pages: 2 });
        await context.write(async (writer) => {
          await writer.run(statement`update jobs set created_by = 'the stage'`);
        });
      });
      await context.runStage("index", (stage) => stage.skip());
      return { state: "succeeded" };
    });
    await runner.start();
    const key = await enqueue(database);
    const states: string[] = [];
    runner.onChange(key, () => states.push("changed"));
    runner.wake();
    const job = await untilState(database, key, "succeeded");
    expect(job).toMatchObject({
      attempt: 1,
      percentCompleted: 100,
      counts: { pages: 2 },
      createdBy: "the stage",
      stages: [
        { name: "extract", status: "succeeded", attempt: 1, progress: { done: 1, total: 2 } },
        { name: "index", status: "skipped", attempt: 1 },
      ],
    });
    expect(job.expiresAt).not.toBeNull();
    // Claimed, two stages started and ended, finished.
    await eventually(() => expect(states).toHaveLength(6));
  });

  test("at most the allowed number of jobs run at once, and all of them run", async () => {
    const database = await open();
    let now = 0;
    let most = 0;
    const runner = makeRunner(database, async () => {
      now += 1;
      most = Math.max(most, now);
      // A slow machine starts the second job late.
      await eventually(() => expect(most).toBeGreaterThan(1));
      await Bun.sleep(5);
      now -= 1;
    });
    const keys = await Promise.all(Array.from({ length: 7 }, () => enqueue(database)));
    await runner.start();
    for (const key of keys) await untilState(database, key, "succeeded");
    expect(most).toBe(2);
  });

  test("a failure with a reason ends the job and names the stage", async () => {
    const database = await open();
    const runner = makeRunner(database, async (_job, context) => {
      await context.runStage("extract", async () => {
        throw new JobFailedError("The file is encrypted.", "encrypted");
      });
    });
    const key = await enqueue(database);
    await runner.start();
    const error = { code: "encrypted", message: "The file is encrypted." };
    expect(await untilState(database, key, "failed")).toMatchObject({
      error,
      stages: [
        { status: "failed", error },
        { status: "pending", error: null },
      ],
    });
  });

  test("a job continues after a stage in which some items failed, and a retry repeats it", async () => {
    const database = await open();
    const runner = makeRunner(database, async (_job, context) => {
      await context.runStage("extract", (stage) => {
        stage.setCounts({ succeeded: 2, failed: 1 });
        return stage.completeWithErrors({ message: "Page 3 is blank." });
      });
      await context.runStage("index", async () => {});
      return { state: "completed_with_errors", error: { message: "Some pages failed." } };
    });
    const key = await enqueue(database);
    await runner.start();
    expect(await untilState(database, key, "completed_with_errors")).toMatchObject({
      error: { message: "Some pages failed." },
      stages: [
        {
          status: "completed_with_errors",
          counts: { succeeded: 2, failed: 1 },
          error: { message: "Page 3 is blank." },
        },
        { status: "succeeded", counts: null },
      ],
    });
    const change = await retry(database, runner, key);
    expect(change?.job.stages.map(({ status }) => status)).toEqual(["pending", "pending"]);
  });

  test("an unexpected failure is tried again later, after the last good stage", async () => {
    const database = await open();
    let time = Date.now() + 60_000;
    const ran: string[] = [];
    const onError = vi.fn<NonNullable<JobRunnerOptions["onError"]>>();
    const runner = makeRunner(
      database,
      async (job, context) => {
        await context.runStage("extract", async () => void ran.push("extract"));
        await context.runStage("index", async () => {
          ran.push(`index ${job.attempt}`);
          if (job.attempt === 1) throw new Error("secret detail");
        });
      },
      { onError, now: () => new Date(time) },
    );
    const key = await enqueue(database);
    await runner.start();
    const waiting = await eventually(async () => {
      const job = await stored(database, key);
      expect(job).toMatchObject({ state: "queued", attempt: 1 });
      return job;
    });
    expect(waiting.error).toEqual({ code: "internal", message: "The job failed unexpectedly." });
    expect(onError).toHaveBeenCalledOnce();
    runner.wake();
    await Bun.sleep(20);
    expect((await stored(database, key)).state).toBe("queued");
    time += 2_000;
    runner.wake();
    expect(await untilState(database, key, "succeeded")).toMatchObject({ attempt: 2, error: null });
    expect(ran).toEqual(["extract", "index 1", "index 2"]);
  });

  test("a job has a maximum of attempts", async () => {
    const database = await open();
    const runner = makeRunner(
      database,
      async () => {
        throw new Error("always");
      },
      { onError: () => {} },
    );
    const key = await enqueue(database, { maxAttempts: 1 });
    await runner.start();
    expect(await untilState(database, key, "failed")).toMatchObject({
      attempt: 1,
      error: { code: "internal" },
    });
  });

  test("cancelling stops the work, and later saves are refused", async () => {
    const database = await open();
    const started = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<unknown>();
    const runner = makeRunner(database, async (_job, context) => {
      await context.runStage("extract", async () => {
        started.resolve();
        await untilAborted(context.signal).catch(() => {});
        await context.write(async () => {}).catch(refused.resolve);
      });
    });
    const key = await enqueue(database);
    await runner.start();
    await started.promise;
    expect(await cancel(database, runner, key)).toMatchObject({
      changed: true,
      job: { state: "cancelled" },
    });
    expect(await refused.promise).toMatchObject({ name: "JobLeaseLostError" });
    expect(await cancel(database, runner, key)).toMatchObject({ changed: false });
    expect(await cancel(database, runner, { workspaceId: "ws-2", id: key.id })).toBeUndefined();
    expect(await stored(database, key)).toMatchObject({
      state: "cancelled",
      stages: [{ status: "skipped" }, { status: "skipped" }],
    });
  });

  test("a cancelled job can be retried at once", async () => {
    const database = await open();
    let isFirst = true;
    const started = Promise.withResolvers<void>();
    const runner = makeRunner(database, async (_job, context) => {
      if (!isFirst) return;
      isFirst = false;
      started.resolve();
      await untilAborted(context.signal);
    });
    const key = await enqueue(database);
    await runner.start();
    await started.promise;
    await cancel(database, runner, key);
    expect(await retry(database, runner, key)).toMatchObject({
      changed: true,
      job: { state: "queued" },
    });
    expect(await untilState(database, key, "succeeded")).toMatchObject({ attempt: 2 });
  });

  test("a lost lease stops the worker at its next heartbeat", async () => {
    const database = await open();
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<unknown>();
    const runner = makeRunner(
      database,
      async (_job, context) => {
        started.resolve();
        await untilAborted(context.signal).catch((error: Error) => stopped.resolve(error.cause));
      },
      { leaseMs: 90 },
    );
    const key = await enqueue(database);
    await runner.start();
    await started.promise;
    await testWorks(database).work.write((writer) =>
      writer.run(statement`update jobs set attempt = attempt + 1 where id = ${key.id}`),
    );
    expect(await stopped.promise).toMatchObject({ name: "JobLeaseLostError" });
  });

  test("a job of a dead process continues where it stopped", async () => {
    const database = await open();
    const key = await enqueue(database);
    // The lease of a process that was killed one second ago.
    const past = new Date(Date.now() - 61_000);
    await testWorks(database).work.write(async (writer) => {
      await writer.run(statement`update jobs set run_at = ${past.toISOString()}`);
      await claimJobs(writer, { kinds: ["document"], limit: 1, leaseMs: 60_000, now: past });
    });
    const ran: number[] = [];
    const runner = makeRunner(database, async (job) => void ran.push(job.attempt));
    await runner.start();
    await untilState(database, key, "succeeded");
    expect(ran).toEqual([2]);
  });

  test("stopping waits for jobs that end soon", async () => {
    const database = await open();
    const started = Promise.withResolvers<void>();
    const runner = makeRunner(database, async () => {
      started.resolve();
      await Bun.sleep(30);
    });
    const key = await enqueue(database);
    await runner.start();
    await started.promise;
    const second = await enqueue(database, { runAt: new Date(Date.now() + 3_600_000) });
    await runner.stop();
    expect((await stored(database, key)).state).toBe("succeeded");
    expect((await stored(database, second)).state).toBe("queued");
  });

  test("stopping returns other jobs to the queue, without counting the attempt", async () => {
    const database = await open();
    const started = Promise.withResolvers<void>();
    const runner = makeRunner(database, async (_job, context) => {
      await context.runStage("extract", async () => {});
      await context.runStage("index", async () => {
        started.resolve();
        await new Promise(() => {});
      });
    });
    const key = await enqueue(database, { maxAttempts: 1 });
    await runner.start();
    await started.promise;
    await runner.stop(20);
    expect(await stored(database, key)).toMatchObject({
      state: "interrupted",
      leaseUntil: null,
      stages: [{ status: "succeeded" }, { status: "pending" }],
    });
    const next = makeRunner(database, async () => {});
    await next.start();
    expect(await untilState(database, key, "succeeded")).toMatchObject({ attempt: 2 });
  });

  test("work that ends on the signal is also returned to the queue", async () => {
    const database = await open();
    const started = Promise.withResolvers<void>();
    const runner = makeRunner(database, async (_job, context) => {
      started.resolve();
      await untilAborted(context.signal);
    });
    const key = await enqueue(database);
    await runner.start();
    await started.promise;
    await runner.stop(20);
    expect((await stored(database, key)).state).toBe("interrupted");
  });

  test("polling finds jobs without a call of `wake`", async () => {
    const database = await open();
    const runner = makeRunner(database, async () => {}, { pollMs: 10 });
    await runner.start();
    const key = await enqueue(database);
    await untilState(database, key, "succeeded");
  });

  test("changes by another process are noticed on PostgreSQL", async () => {
    const database = await open();
    const runner = makeRunner(database, async () => {}, { pollMs: 10 });
    const key = await enqueue(database, { runAt: new Date(Date.now() + 3_600_000) });
    const changed = vi.fn<() => void>();
    const end = runner.onChange(key, changed);
    if (database.dialect === "postgresql")
      await eventually(() => expect(changed).toHaveBeenCalled());
    changed.mockClear();
    const other = makeRunner(database, async () => {});
    await cancel(database, other, key);
    if (database.dialect === "postgresql")
      await eventually(() => expect(changed).toHaveBeenCalled());
    end();
    changed.mockClear();
    await testWorks(database).work.write((writer) => retryJob(writer, key, { now: new Date() }));
    await Bun.sleep(40);
    expect(changed).not.toHaveBeenCalled();
    await runner.start();
    await runner.stop();
  });
});
