import { afterEach, expect, test } from "vitest";
import { JobRunner, type JobRunnerOptions, type JobWork } from "#server/jobs/runner.ts";
import {
  DamagedFileError,
  FileStoreError,
  StorageError,
  StorageFullError,
} from "#server/kit/storage-errors.ts";
import { enqueueJob, getJob, type Job, type JobKey } from "#server/jobs/store.ts";
import { describeOnEachDatabase, wholeOf, type WholeDatabase } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import { withWrites } from "#test/support/watched-database.ts";
import { testWorks } from "#test/support/work.ts";

const runners: JobRunner[] = [];

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop(0)));
});

/** It never polls, so that only `wake` starts work. */
function runnerOf(
  database: WholeDatabase,
  work: JobWork,
  options: Partial<JobRunnerOptions>,
): JobRunner {
  const runner = new JobRunner({
    platformWork: testWorks(database).works.forPlatform,
    kinds: { document: work },
    concurrency: 1,
    now: () => new Date(),
    pollMs: 1_000_000,
    ...options,
  });
  runners.push(runner);
  return runner;
}

function enqueue(database: WholeDatabase, maxAttempts: number): Promise<Job> {
  const fields = { workspaceId: "ws-1", kind: "document", payload: {}, createdBy: "user-1" };
  const job = { ...fields, stages: [], maxAttempts };
  return testWorks(database).work.write((writer) => enqueueJob(writer, job, new Date()));
}

async function stored(database: WholeDatabase, key: JobKey): Promise<Job> {
  const job = await getJob(database.read, key);
  if (job === undefined) throw new Error("the job is gone");
  return job;
}

describeOnEachDatabase("a job whose storage fails", (open) => {
  test.each([
    [new FileStoreError("secret", "is busy"), "storage-unavailable", "The file store is busy."],
    [new StorageFullError("secret"), "storage-full", "There was no space left."],
  ])("a job reports the error of the storage: %s", async (error, code, message) => {
    const database = await open();
    const work = () => Promise.reject(error);
    const runner = runnerOf(database, work, { onError: () => {} });
    const key = await enqueue(database, 5);
    await runner.start();
    await eventually(async () =>
      expect(await stored(database, key)).toMatchObject({
        state: "queued",
        error: { code, message },
      }),
    );
  });

  test("attempts that end because the storage is away do not count", async () => {
    const database = await open();
    let attempts = 0;
    let aheadMs = 0;
    const work = async (): Promise<void> => {
      attempts += 1;
      if (attempts <= 7) throw new StorageError("The connection was lost");
    };
    const runner = runnerOf(database, work, {
      onError: () => {},
      now: () => new Date(Date.now() + aheadMs),
    });
    const key = await enqueue(database, 1);
    await runner.start();
    await eventually(async () => {
      aheadMs += 30_000;
      runner.wake();
      expect((await stored(database, key)).state).toBe("succeeded");
    });
    expect(attempts).toBe(8);
  });

  test("the end of a job is saved when the storage is back", async () => {
    const database = await open();
    let failures = 0;
    let isAway = false;
    const watched = wholeOf(
      withWrites(database, async (write) => {
        if (!isAway) return write();
        failures += 1;
        isAway = failures < 3;
        throw new StorageError("The connection was lost");
      }),
    );
    const errors: unknown[] = [];
    const work = async (): Promise<void> => {
      isAway = true;
    };
    const runner = runnerOf(watched, work, { onError: (error) => errors.push(error) });
    const key = await enqueue(database, 1);
    await runner.start();
    await eventually(async () =>
      expect(await stored(database, key)).toMatchObject({ state: "succeeded", attempt: 1 }),
    );
    expect(failures).toBe(3);
    expect(errors).toEqual([]);
  });

  test("damaged bytes use up the attempts", async () => {
    const database = await open();
    const work = () => Promise.reject(new DamagedFileError("The file is damaged"));
    const runner = runnerOf(database, work, { onError: () => {} });
    const key = await enqueue(database, 1);
    await runner.start();
    await eventually(async () => expect((await stored(database, key)).state).toBe("failed"));
  });
});
