import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { documentJobKind } from "#server/domains/documents/document-job.ts";
import { documentWork } from "#server/domains/documents/stages/run-stages.ts";
import { JobRunner, type JobContext } from "#server/jobs/runner.ts";
import { SearchWords } from "#server/search-index/word-list.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { testWorks } from "#test/support/work.ts";

/**
 * A worker that kills itself (-9) at one moment of one stage:
 *
 *     bun killed-worker.ts <database URL> <data directory> <stage> <moment> <extraction command…>
 *
 * `begun`: the stage has begun; `worked`: its results are stored, its end is not; `ended`: its end
 * is stored too.
 */
const [, , url = "", dataDirectory = "", stage, moment, ...extractionCommand] = process.argv;

function killedIn(context: JobContext): JobContext {
  const kill = (now: string): void => {
    if (now === moment) process.kill(process.pid, "SIGKILL");
  };
  return {
    get work() {
      return context.work;
    },
    get signal() {
      return context.signal;
    },
    get stages() {
      return context.stages;
    },
    write: (work) => context.write(work),
    setCounts: (counts) => context.setCounts(counts),
    async runStage(name, work) {
      if (name !== stage) return context.runStage(name, work);
      await context.runStage(name, async (run) => {
        kill("begun");
        await work(run);
        kill("worked");
      });
      kill("ended");
    },
  };
}

const database = await openPlatformDatabase({ url, poolSize: 2 });
const { works } = testWorks(database);
const now = (): Date => new Date();
const work = documentWork({
  blobs: createDiskBlobStore(dataDirectory),
  now,
  words: new SearchWords(testWorks(database).works.forPlatform),
  extractionCommand,
});
const runner = new JobRunner({
  platformWork: works.forPlatform,
  kinds: { [documentJobKind]: (job, context) => work(job, killedIn(context)) },
  concurrency: 1,
  now,
  leaseMs: 500,
  pollMs: 20,
});
await runner.start();
// The runner's own timers do not keep a process alive.
setInterval(() => {}, 1_000);
