import { readJob, stateWord, type JobOutcome } from "#lib/job-outcome.ts";
import type { Client } from "#client/surface.ts";
import type { ProvisioningJob } from "#contract/apps.ts";
import { jitteredPauseMs } from "#lib/retry.ts";
import { sleep } from "#lib/sleep.ts";
import type { CommandContext } from "../context.ts";

const waitMs = 10 * 60_000;
const firstPauseMs = 200;
const longestPauseMs = 3_000;

/** An app that is provisioned for a runtime workspace. */
interface Provisioning {
  /** A client of the workspace that has the enrollment. */
  readonly client: Client;
  readonly key: string;
  readonly target: string;
}

/** Reads the job until it has ended, or the wait has. */
async function followed(
  { signal, output }: CommandContext,
  { client, key, target }: Provisioning,
  first: ProvisioningJob,
): Promise<ProvisioningJob> {
  const params = { key, jobId: first.jobId };
  const endMs = Date.now() + waitMs;
  let job = first;
  for (let reads = 0; readJob(job).outcome === "pending" && Date.now() < endMs; reads += 1) {
    const running = (job.steps ?? []).find((step) => stateWord(step) === "running");
    await output.progress(running?.name ?? stateWord(job) ?? "waiting");
    await sleep(firstPauseMs + jitteredPauseMs(reads, firstPauseMs, longestPauseMs), signal);
    job = await client.apps.job({ params, query: { targetTenantId: target }, signal });
  }
  await output.progress("");
  return job;
}

async function begun(
  { signal }: CommandContext,
  { client, key, target }: Provisioning,
  jobId: string | undefined,
): Promise<ProvisioningJob> {
  const params = { key };
  const query = { targetTenantId: target };
  return jobId === undefined
    ? client.apps.provision({ params, body: query, signal })
    : client.apps.job({ params: { ...params, jobId }, query, signal });
}

/** The job that this begins, or the one with the id, when it has ended or the wait has. */
export async function endedJob(
  context: CommandContext,
  work: Provisioning,
  jobId: string | undefined,
): Promise<{ readonly job: ProvisioningJob; readonly outcome: JobOutcome }> {
  const job = await followed(context, work, await begun(context, work, jobId));
  return { job, outcome: readJob(job).outcome };
}

/** The facts of a job for people. */
export function jobLines(
  { output }: CommandContext,
  { key, target }: Provisioning,
  job: ProvisioningJob,
) {
  const steps = job.steps ?? [];
  return output.fields([
    ["job", job.jobId],
    ["app", job.key ?? key],
    ["runtime workspace", job.targetTenantId ?? target],
    ["status", stateWord(job)],
    ["steps", steps.map((step) => `${step.name} ${stateWord(step) ?? ""}`.trim()).join(", ")],
    ["error", job.error?.message],
  ]);
}
