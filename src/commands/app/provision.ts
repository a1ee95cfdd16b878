import { textOption } from "#cli/command.ts";
import { usageError } from "#cli/errors.ts";
import { shown } from "#cli/shown.ts";
import { exitCodes } from "#contract/errors.ts";
import { shellWord } from "#lib/shell-word.ts";
import { command } from "../command.ts";
import { normalisedBackend, printSync, syncOptions } from "../resources/storage/report.ts";
import { bindApp, projectEnvFile } from "./binding.ts";
import { findEnrollment } from "./enrollments.ts";
import { appKeyOf } from "./select.ts";

interface Options {
  readonly "tenant-id"?: string;
  readonly "app-tenant-id"?: string;
  readonly "job-id"?: string;
  readonly "dry-run": boolean;
  readonly "rebuild-search": boolean;
  readonly select: boolean;
}

/** Spec 4.7 rule 1. */
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

export const appProvisionCommand = command({
  path: "app provision",
  summary: "Provision an app, and wait until it is ready",
  description:
    "A job can be read again with --job-id, also after an interruption. Only an app that is ready " +
    "is bound to the project, with --select.",
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
  routes: [
    "GET /v4/data/resources/{tenantId}/{objectType}",
    "POST /v4/platform/tenants/{tenantId}/apps/{key}/provisioning-jobs",
    "GET /v4/platform/tenants/{tenantId}/apps/{key}/provisioning-jobs/{jobId}",
    "POST /v4/data/resources/{tenantId}/storage/provision",
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
    const { endedJob, jobLines } = await import("./provisioning-job.ts");
    const { job, outcome } = await endedJob(context, work, options["job-id"]);
    const isReady = outcome === "succeeded";
    if (isReady && file !== undefined) await bindApp(file, key);
    await output.data(job, () => jobLines(context, work, job));
    if (isReady) return exitCodes.done;
    if (outcome !== "pending") return exitCodes.failed;
    const again = `svc app provision ${shellWord(key)} --tenant-id ${target} --job-id ${shellWord(job.jobId)}`;
    const separate = client.tenantId === target ? "" : ` --app-tenant-id ${client.tenantId}`;
    await output.note(shown`Still running. Read it again: \`${again}${separate}\``);
    return exitCodes.stillPending;
  },
});
