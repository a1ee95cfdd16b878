import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { readJob, stateWord, type JobOutcome } from "#lib/job-outcome.ts";
import type { Client } from "#client/surface.ts";
import type { ProvisioningJob } from "#contract/apps/apps.ts";
import { jitteredPauseMs } from "#lib/time/retry.ts";
import { sleep } from "#lib/time/sleep.ts";
import { command } from "../kit/command.ts";
import { normalisedBackend, printSync, syncOptions } from "../kit/storage/report.ts";
import { appKeyOf, bindApp, projectEnvFile } from "../kit/apps/binding.ts";
import { findEnrollment } from "../kit/apps/enrollments.ts";
import type { CommandContext } from "../kit/context.ts";

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

interface Options {
  readonly "tenant-id"?: string;
  readonly "app-tenant-id"?: string;
  readonly "job-id"?: string;
  readonly "dry-run": boolean;
  readonly "rebuild-search": boolean;
  readonly select: boolean;
}

/** Refuses contradicting options (spec 4.7 rule 1). */
function requireSound(options: Options, given: ReadonlySet<string>): void {
  const hasTenant = options["tenant-id"] !== undefined;
  if (options["job-id"] !== undefined) {
    if (options["dry-run"]) throw usageError("--job-id cannot go with --dry-run");
    if (!hasTenant) throw usageError("--job-id needs --tenant-id, the runtime workspace");
  }
  if (options["app-tenant-id"] !== undefined && !hasTenant) {
    throw usageError("--app-tenant-id needs --tenant-id, the runtime workspace");
  }
  if (options["dry-run"]) {
    if (options.select) throw usageError("--select cannot go with --dry-run");
    return;
  }
  for (const flag of ["backend", "rebuild-search"]) {
    if (given.has(flag)) throw usageError(`--${flag} applies to --dry-run only`);
  }
}

export default command({
  path: "app provision",
  summary: "Provision an app, and wait until it is ready",
  description:
    "A job can be read again with --job-id, also after an interruption. Only an app that is " +
    "ready is bound to the project, with --select.",
  waits: true,
  arguments: [{ name: "key", description: "Key of the app" }],
  options: {
    "tenant-id": {
      ...syncOptions["tenant-id"],
      description: "Runtime workspace ID or slug (default: the selected one)",
    },
    "app-tenant-id": textOption("workspace", "Workspace of the enrollment, if it is another one"),
    "job-id": textOption("id", "Read or resume this job"),
    backend: { ...syncOptions.backend, description: "The backend; only with --dry-run" },
    "dry-run": { type: "boolean", description: "Show what storage would be provisioned" },
    "rebuild-search": { type: "boolean", description: "Plan a rebuild; only with --dry-run" },
    "skip-validate": { type: "boolean", description: "Do not look for the app first" },
    select: { type: "boolean", description: "Bind the project to the app when it is ready" },
  },
  calls: ["resources.list", "apps.provision", "apps.job", "storage.provision"],
  answer: ["apps.job", "storage.provision"],
  trials: [
    { words: "gate-{unique} --select", after: ["app create Gate-{unique}"] },
    { words: "gate-{unique} --dry-run --backend blob", after: ["app create Gate-{unique}"] },
    {
      words: "gate-{unique} --app-tenant-id {workspace} --tenant-id {workspace}",
      after: ["app create Gate-{unique}"],
      at: ["other"],
    },
  ],
  async run(input, context) {
    const { options, given } = input;
    const { output, signal } = context;
    const key = appKeyOf(input.arguments.key);
    requireSound(options, given);
    const file = options.select ? await projectEnvFile(context) : undefined;
    const runtime = await context.client({ workspace: options["tenant-id"] });
    const owner = options["app-tenant-id"];
    const client = owner === undefined ? runtime : await context.client({ workspace: owner });
    const app = options["skip-validate"] ? undefined : await findEnrollment(client, key, signal);
    const own = owner === undefined ? app?.runtimeTenantId : undefined;
    const target = own ?? runtime.tenantId ?? "";
    if (options["dry-run"]) {
      const report = await client.forTenant(target).storage.provision({
        body: {
          backend: normalisedBackend(options.backend),
          dryRun: true,
          rebuildSearch: options["rebuild-search"],
        },
        signal,
      });
      return printSync(context, report);
    }
    const work = { client, key, target };
    const { job, outcome } = await endedJob(context, work, options["job-id"]);
    const isReady = outcome === "succeeded";
    if (isReady && file !== undefined) await bindApp(file, key);
    await output.data(job, () => jobLines(context, work, job));
    if (isReady) return exitCodes.done;
    if (outcome !== "pending") return exitCodes.failed;
    const id = shellWord(job.jobId);
    const again = `svc app provision ${shellWord(key)} --tenant-id ${target} --job-id ${id}`;
    const separate = client.tenantId === target ? "" : ` --app-tenant-id ${client.tenantId}`;
    await output.note(shown`Still running. Read it again: \`${again}${separate}\``);
    return exitCodes.stillPending;
  },
});

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
async function endedJob(
  context: CommandContext,
  work: Provisioning,
  jobId: string | undefined,
): Promise<{ readonly job: ProvisioningJob; readonly outcome: JobOutcome }> {
  const job = await followed(context, work, await begun(context, work, jobId));
  return { job, outcome: readJob(job).outcome };
}

/** The facts of a job for people. */
function jobLines({ output }: CommandContext, { key, target }: Provisioning, job: ProvisioningJob) {
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
