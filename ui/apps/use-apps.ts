import { useMemo } from "react";
import { enrollmentOf, enrollmentType, type Enrollment } from "#client/enrollments.ts";
import type { ProvisioningJob } from "#contract/apps/apps.ts";
import type { WorkflowReadiness, WorkflowRuntime } from "#contract/apps/workflows.ts";
import { ownMember } from "#lib/own-member.ts";
import { readJob } from "#lib/job-outcome.ts";
import { foundRows } from "../kit/answers/found-rows.ts";
import type { PageRequest } from "../kit/answers/page-request.ts";
import type { Failure } from "../kit/answers/failure.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useRemembered } from "../kit/state/use-remembered.ts";
import type { PlaceTable } from "../kit/places/list-place.tsx";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useAnsweredList, useList } from "../shell/platform/use-list.ts";

export interface App extends Enrollment {
  readonly created_at: string | undefined;
  readonly updated_at: string | undefined;
}

export const appId = ({ id }: App) => id;
const jobMs = 1_000;
/** The keys of one request for readiness. */
const maximumWatched = 50;

/** The apps of the workspace, the newest enrollment first. */
export function useApps(
  height: number,
  { text, has }: { readonly text: string; readonly has: (app: App) => boolean },
): LiveList<App> {
  const list = useList<App>(
    ["apps.list", text],
    (client, request, tenantId) => {
      const records = client.useResources(enrollmentType, { tenantId });
      const ask = async (each: PageRequest) => {
        const page = await records.list({ ...each, sort: "-created_at" });
        const items = page.items.map((record) => ({
          ...enrollmentOf(record),
          created_at: record.created_at,
          updated_at: record.updated_at,
        }));
        return { ...page, items };
      };
      return text === "" ? ask(request) : foundRows(ask, request, has);
    },
    { keyOf: appId, height },
  );
  // A workspace whose types lack the enrollment has no apps.
  const isNone = list.count === 0 && list.failure?.status === 404;
  return isNone ? { ...list, failure: undefined, answeredAtMs: 0 } : list;
}

type JobIds = Readonly<Record<string, string>>;
const noJobs: JobIds = {};

export interface ProvisioningJobs {
  readonly jobIdOf: (key: string) => string | undefined;
  readonly follow: (key: string, jobId: string) => void;
}

/** The ids of the provisioning jobs that were last begun or read here, by the key of the app. */
export function useProvisioningJobs(): ProvisioningJobs {
  const [jobs, setJobs] = useRemembered<JobIds>("provisioning", noJobs);
  return {
    jobIdOf: (key) => ownMember(jobs, key),
    follow: (key, id) => setJobs((now) => ({ ...now, [key]: id })),
  };
}

export interface AppTable extends PlaceTable<App> {
  readonly jobs: ProvisioningJobs;
}

/** The provisioning job of an app that was last begun or read here; read again until it ends. */
export function useProvisioning(app: App | undefined): {
  readonly job: ProvisioningJob | undefined;
  readonly failure: Failure | undefined;
} {
  const { jobIdOf } = useProvisioningJobs();
  const { key = "", runtimeTenantId } = app ?? {};
  const jobId = jobIdOf(key);
  const answer = useAnswer<ProvisioningJob>(
    ["apps.job", key, jobId, runtimeTenantId],
    (client, signal, tenantId) =>
      client.apps.job({ tenantId, params: { key, jobId: jobId ?? "" }, query: {}, signal }),
    {
      enabled: jobId !== undefined,
      shown: true,
      refreshMs: (job) =>
        job === undefined || readJob(job).outcome === "pending" ? jobMs : Infinity,
    },
  );
  return { job: jobId === undefined ? undefined : answer.value, failure: answer.failure };
}

export const workflowKey = ({ workflow_key: key }: WorkflowReadiness) => key;

const nothing: readonly string[] = [];

interface Workflows {
  readonly list: LiveList<WorkflowReadiness>;
  readonly watch: (key: string) => void;
}

export type WorkflowTable = Workflows & PlaceTable<WorkflowReadiness>;

/** The workflows of the workspace with their readiness, and those that `watch` adds by key. */
export function useWorkflows(
  height: number,
  has: (workflow: WorkflowReadiness) => boolean,
): Workflows {
  const [watched, setWatched] = useRemembered("requested workflows", nothing);
  const answer = useAnswer<readonly WorkflowReadiness[]>(
    ["workflows.readiness", watched.join(",")],
    async (client, signal, tenantId = "") => {
      const query = { tenant_id: tenantId };
      const { items } = await client.workflows.readiness({ query, signal });
      const others = watched.filter((key) => !items.some((row) => workflowKey(row) === key));
      if (others.length === 0) return items;
      const named = { ...query, workflow_keys: others.join(",") };
      return [...items, ...(await client.workflows.readiness({ query: named, signal })).items];
    },
    { shown: true },
  );
  const { value } = answer;
  const rows = useMemo(() => value?.filter(has), [value, has]);
  return {
    list: useAnsweredList("workflows", { ...answer, value: rows }, workflowKey, height),
    watch: (key) =>
      setWatched((now) => [...now.filter((each) => each !== key), key].slice(-maximumWatched)),
  };
}

/** Whether a workflow can be used, and why. */
export function useWorkflowStatus(key: string | undefined): LiveAnswer<WorkflowRuntime> {
  return useAnswer<WorkflowRuntime>(
    ["workflows.status", key],
    (client, signal, tenantId = "") =>
      client.workflows.status({
        params: { workflowKey: key ?? "" },
        query: { tenant_id: tenantId },
        signal,
      }),
    { enabled: key !== undefined, shown: true },
  );
}
