import { configurationTypes } from "#contract/access/configuration-types.ts";
import { provisioningSteps, type ProvisioningStep } from "#contract/apps/apps.ts";
import { Refusal } from "#contract/problems.ts";
import { defaultStarterTemplate } from "#contract/workspaces/workspace-values.ts";
import * as z from "zod";
import { JobFailedError, type JobWork, type StageRun } from "../../jobs/runner.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { StarterTemplates } from "../starter-templates/service.ts";
import type { StorageService } from "../storage/service.ts";
import type { WorkspaceService } from "../workspaces/service.ts";
import { textOf, type Enrollments } from "./enrollments.ts";

export const provisioningJobKind = "app-provisioning";

/** The ledger of provisioning is kept longer than the trackers of documents. */
export const provisioningRetentionMs = 5 * 365 * 24 * 60 * 60 * 1000;

export const provisioningPayload = z.object({ key: z.string(), targetTenantId: z.string() });

export interface ProvisioningParts {
  readonly platformWork: PlatformWork;
  readonly enrollments: Enrollments;
  readonly workspaces: Pick<WorkspaceService, "isChild">;
  readonly objectTypes: Pick<ObjectTypeService, "find" | "createAll">;
  readonly starterTemplates: StarterTemplates;
  readonly storage: Pick<StorageService, "provision">;
}

interface Provisioning {
  readonly workspaceId: string;
  readonly key: string;
  readonly target: string;
  /** Acts in the name of the user who started the job, over the rows of each workspace. */
  readonly own: Work;
  readonly ofTarget: Work;
}

type Step = (parts: ProvisioningParts, job: Provisioning, run: StageRun) => Promise<void>;

/** Each step finds what an earlier run has done, so that it may start again after a crash. */
const steps: Readonly<Record<ProvisioningStep, Step>> = {
  async enrollment({ enrollments }, { own, workspaceId, key }) {
    await enrollments.require(own, workspaceId, key);
  },
  async workspace({ workspaces }, { own, workspaceId, target }, run) {
    if (target === workspaceId) return run.skip();
    if (await workspaces.isChild(own, workspaceId, target)) return;
    throw new JobFailedError("The runtime workspace no longer exists", "not-found");
  },
  async "object-types"({ enrollments, objectTypes, starterTemplates }, job) {
    const { data } = await enrollments.require(job.own, job.workspaceId, job.key);
    const template = textOf(data, "template") ?? defaultStarterTemplate;
    const missing = [];
    for (const type of starterTemplates.typesFor(template)) {
      if ((await objectTypes.find(job.target, type.slug)) === undefined) missing.push(type);
    }
    if (missing.length > 0) await objectTypes.createAll(job.ofTarget, job.target, missing);
  },
  async storage({ storage }, { ofTarget, target }) {
    const options = { backend: "all", dryRun: false, rebuildSearch: false } as const;
    await storage.provision(ofTarget, target, options);
  },
  async binding({ enrollments, objectTypes }, { workspaceId, key, target, own, ofTarget }, run) {
    if (target === workspaceId) return run.skip();
    const { data } = await enrollments.require(own, workspaceId, key);
    const { status: _status, runtime_tenant_id: _runtime, ...rest } = data;
    if ((await objectTypes.find(target, configurationTypes.enrollment)) === undefined) {
      return run.skip();
    }
    await enrollments.put(ofTarget, target, { ...rest, status: "active" });
  },
  async activation({ enrollments }, { workspaceId, key, target, own }) {
    const { data } = await enrollments.require(own, workspaceId, key);
    const status = textOf(data, "status");
    await enrollments.put(own, workspaceId, {
      vertical_key: key,
      // An operator may have set another status.
      status: status === undefined || status === "pending" ? "active" : status,
      ...(target === workspaceId ? {} : { runtime_tenant_id: target }),
    });
  },
};

/** The work of a provisioning job, step by step. A refusal of a step ends the job as failed. */
export function provisioningWork(parts: ProvisioningParts): JobWork {
  return async ({ workspaceId, createdBy, payload }, context) => {
    const { key, targetTenantId: target } = provisioningPayload.parse(payload);
    const work = parts.platformWork("the provisioning of an app").onBehalfOf(createdBy);
    const workspaces = { own: work.within(workspaceId), ofTarget: work.within(target) };
    const job: Provisioning = { workspaceId, key, target, ...workspaces };
    for (const name of provisioningSteps) {
      await context.runStage(name, (run) => refusalsFail(() => steps[name](parts, job, run)));
    }
  };
}

/** Codes of refusals that may go away by themselves. */
const temporary: ReadonlySet<string> = new Set(["version-conflict", "storage-unavailable"]);

async function refusalsFail(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!(error instanceof Refusal) || temporary.has(error.code)) throw error;
    throw new JobFailedError(error.message, error.code, { cause: error });
  }
}
