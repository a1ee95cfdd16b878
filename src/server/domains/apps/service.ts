import {
  type App,
  type AppCreation,
  type ProvisioningJob,
  provisioningSteps,
} from "#contract/apps/apps.ts";
import { Refusal } from "#contract/problems.ts";
import { roleIncludes } from "#contract/access/roles.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { WorkspaceScope } from "../../work/caller.ts";
import type { Facts, Work } from "../../work/work.ts";
import { roleTooLow } from "../../work/refusals.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { enqueueJob, getJob, type Job } from "../../jobs/store.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import type { StarterTemplates } from "../starter-templates/service.ts";
import type { WorkspaceService } from "../workspaces/service.ts";
import type { Enrollments } from "./enrollments.ts";
import { provisioningJobKind, provisioningPayload } from "./provisioning.ts";
import { unfinishedJobs } from "./store.ts";

/** Attempts of a job; a restart of the platform counts as one. */
const maximumAttempts = 20;

interface JobRequest {
  readonly key: string;
  readonly targetTenantId?: string | undefined;
}

/** Apps of company workspaces: enrollments and their provisioning (spec 2.9, 4.4). */
export class AppService {
  constructor(
    private readonly parts: {
      readonly enrollments: Enrollments;
      readonly workspaces: Pick<WorkspaceService, "isChild">;
      readonly starterTemplates: StarterTemplates;
      readonly jobs: JobRunner;
      readonly now: () => Date;
    },
  ) {}

  async create(
    work: Work,
    workspaceId: string,
    creation: AppCreation,
    remember: (app: App, facts: Facts) => void,
  ): Promise<App> {
    const { template, runtimeTenantId } = creation;
    if (template !== undefined) this.#requireTemplate(template);
    if (runtimeTenantId !== undefined && runtimeTenantId !== workspaceId) {
      await this.#requireChild(work, workspaceId, runtimeTenantId, "runtimeTenantId");
    }
    return this.parts.enrollments.create(work, workspaceId, creation, remember);
  }

  /** Starts a job, or returns the unfinished one of the same app and target. */
  async provision(
    work: Work,
    workspace: WorkspaceScope,
    { key, targetTenantId = workspace.id }: JobRequest,
    remember: (job: ProvisioningJob, facts: Facts) => void,
  ): Promise<ProvisioningJob> {
    const { enrollments, jobs, now } = this.parts;
    if (targetTenantId !== workspace.id) {
      if (!roleIncludes(workspace.role, "tenant-admin")) {
        throw roleTooLow("tenant-admin", workspace.role);
      }
      await this.#requireChild(work, workspace.id, targetTenantId, "targetTenantId");
    }
    await enrollments.require(work, workspace.id, key);
    return work.write(async (tx) => {
      await lockWorkspace(tx, workspace.id);
      const kind = provisioningJobKind;
      const running = await unfinishedJobs(tx, { workspaceId: workspace.id, kind });
      const present = running.find(({ payload }) => {
        const own = provisioningPayload.parse(payload);
        return own.key === key && own.targetTenantId === targetTenantId;
      });
      const found =
        present ??
        (await enqueueJob(
          tx,
          {
            workspaceId: workspace.id,
            kind,
            payload: { key, targetTenantId },
            stages: provisioningSteps,
            createdBy: work.scope.caller,
            maxAttempts: maximumAttempts,
          },
          now(),
        ));
      const job = provisioningJobOf(found);
      remember(job, tx);
      tx.afterCommit(() => jobs.wake());
      return job;
    });
  }

  /** The job of this app; an interrupted one goes on. 404 for another app's or target's. */
  async job(
    { read }: Work,
    workspaceId: string,
    id: string,
    request: JobRequest,
  ): Promise<ProvisioningJob> {
    const { jobs } = this.parts;
    const job = await getJob(read, { workspaceId, id });
    if (job?.kind !== provisioningJobKind) throw noJob();
    const { key, targetTenantId } = provisioningPayload.parse(job.payload);
    if (key !== request.key) throw noJob();
    if ((request.targetTenantId ?? targetTenantId) !== targetTenantId) throw noJob();
    if (job.state === "interrupted" || job.state === "queued") jobs.wake();
    return provisioningJobOf(job);
  }

  #requireTemplate(template: string): void {
    const known = this.parts.starterTemplates.list().map(({ key }) => key);
    if (known.includes(template)) return;
    throw invalid([faultAt("body", ["template"], `must be one of ${known.join(", ")}`)]);
  }

  async #requireChild(
    work: Work,
    parentId: string,
    childId: string,
    member: string,
  ): Promise<void> {
    if (await this.parts.workspaces.isChild(work, parentId, childId)) return;
    throw invalid([faultAt("body", [member], "must be this workspace or a child of it")]);
  }
}

function noJob(): Refusal {
  return new Refusal("not-found", { detail: "This app has no provisioning job with this id" });
}

function provisioningJobOf(job: Job): ProvisioningJob {
  const { key, targetTenantId } = provisioningPayload.parse(job.payload);
  return {
    jobId: job.id,
    key,
    targetTenantId,
    status: statusOf(job),
    steps: job.stages.map(({ name, status, startedAt, finishedAt, error }) => ({
      name,
      status,
      startedAt,
      finishedAt,
      error: error === null ? null : { ...error },
    })),
    error: job.error === null ? null : { ...job.error },
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
  };
}

function statusOf({ state }: Job): "queued" | "running" | "ready" | "failed" {
  if (state === "queued") return "queued";
  if (state === "succeeded") return "ready";
  return state === "running" || state === "interrupted" ? "running" : "failed";
}
