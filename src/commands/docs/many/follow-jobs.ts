import { stateWord, type JobOutcome } from "#lib/job-outcome.ts";
import { CatalogError } from "#contract/errors.ts";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { CommandContext } from "../../context.ts";
import { inParallel, type Run } from "./run.ts";
import type { SentFile } from "./send-files.ts";

/** Jobs that are followed at the same time; each has its own stream. */
const followedAtOnce = 6;

export interface FollowedJob {
  readonly outcome: JobOutcome;
  readonly job: DocumentJob | undefined;
  readonly error?: CatalogError;
}

/** Follows the job of each sent file to its end, for `waitMs` in all; it only reads. */
export async function followJobs(
  { output, signal }: CommandContext,
  sent: readonly SentFile[],
  { client }: Run,
  waitMs: number,
): Promise<ReadonlyMap<string, FollowedJob>> {
  const ids = [...new Set(sent.flatMap(({ answer }) => answer?.jobId ?? []))];
  const followed = new Map<string, FollowedJob>();
  const endsAtMs = performance.now() + waitMs;
  const documents = client.useDocuments();
  const show = (words: string): void =>
    void output.progress(`Jobs: ${followed.size} of ${ids.length} ended${words}`);
  show("");
  await inParallel(ids, followedAtOnce, async (jobId) => {
    const restMs = Math.max(1, Math.ceil(endsAtMs - performance.now()));
    try {
      const found = await documents.waitForJob(jobId, {
        waitMs: restMs,
        signal,
        onChange: (job) => show(`  ${jobId} ${stateWord(job) ?? ""}`),
      });
      followed.set(jobId, found);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      followed.set(jobId, { outcome: "failed", job: undefined, error });
    }
    show("");
  });
  return followed;
}
