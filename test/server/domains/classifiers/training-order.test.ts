import { expect, test } from "vitest";
import { trainingJobKind, trainingWork } from "#server/domains/classifiers/training.ts";
import { JobLaterError, type JobContext } from "#server/jobs/runner.ts";
import { enqueueJob, type Job } from "#server/jobs/store.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

const now = new Date("2026-11-27T10:00:00Z");

describeOnEachDatabase("trainings of one classifier", (open) => {
  test("never overlap: the younger one waits until the older one has ended", async () => {
    const database = await open();
    const { work } = testWorks(database);
    const enqueue = async (key: string): Promise<Job> => {
      const stages = ["train"];
      const job = { workspaceId: "ws-1", kind: trainingJobKind, payload: { key }, stages };
      return work.write((tx) => enqueueJob(tx, { ...job, createdBy: "user-1" }, now));
    };
    const started: string[] = [];
    const start = async (job: Job): Promise<unknown> => {
      const context: JobContext = {
        work,
        signal: new AbortController().signal,
        stages: job.stages,
        runStage: async () => {
          started.push(job.id);
        },
        write: (unit) => work.write(unit),
        setCounts: () => {},
      };
      return trainingWork(() => now)(job, context);
    };
    const [first, second, other] = [
      await enqueue("papers"),
      await enqueue("papers"),
      await enqueue("letters"),
    ];
    await expect(start(second)).rejects.toThrow(JobLaterError);
    await start(first);
    await start(other);
    expect(started).toEqual([first.id, other.id]);
  });
});
