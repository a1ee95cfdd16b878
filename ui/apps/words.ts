import type { Membership } from "#client/index.ts";
import { readJob, stateWord, trackedState } from "#lib/job-outcome.ts";
import type { ProvisioningJob } from "#contract/apps/apps.ts";
import type { WorkflowReadiness, WorkflowRuntime } from "#contract/apps/workflows.ts";
import { failureReason, type Failure } from "../kit/answers/failure.ts";
import type { Column } from "../kit/table/columns.ts";
import { fieldLines, type Field, type StyledLine } from "../kit/text/styled-lines.ts";
import { timelineLines } from "../kit/text/timeline.ts";
import { ageWords, distanceWords } from "../kit/text/words.ts";
import { statusLook, statusWords, type StatusLook } from "../kit/theme/theme.ts";
import type { App } from "./use-apps.ts";

/** The slug of a workspace that the user may see, else its id. */
export function workspaceWords(
  id: string | undefined,
  memberships: readonly Membership[] | undefined,
): string {
  return memberships?.find((membership) => membership.id === id)?.slug ?? id ?? "";
}

export function appName({ displayName, key }: App): string {
  return displayName ?? key;
}

function status(value: string | undefined): string {
  return value === undefined ? "" : `${statusLook(value).glyph} ${statusWords(value)}`;
}

export function appColumns(
  nowMs: number,
  memberships: readonly Membership[] | undefined,
): Column<App>[] {
  return [
    { id: "key", title: "key", value: ({ key }) => key, priority: 0, pinned: true, minimum: 12 },
    {
      id: "name",
      title: "name",
      value: ({ displayName }) => displayName ?? "",
      priority: 2,
      minimum: 16,
    },
    {
      id: "status",
      title: "status",
      value: (app) => status(app.status),
      token: (app) => (app.status === undefined ? undefined : statusLook(app.status).token),
      priority: 1,
      minimum: 9,
    },
    {
      id: "runs",
      title: "runs in",
      value: ({ runtimeTenantId: id }) =>
        id === undefined ? "this workspace" : workspaceWords(id, memberships),
      priority: 3,
      minimum: 14,
    },
    {
      id: "address",
      title: "address",
      value: ({ appUrl }) => appUrl ?? "",
      priority: 5,
      minimum: 24,
    },
    {
      id: "age",
      title: "enrolled",
      value: ({ created_at: at }) => ageWords(at, nowMs),
      priority: 4,
    },
  ];
}

function jobLook(job: ProvisioningJob): StatusLook {
  const { outcome, state } = readJob(job);
  return statusLook(outcome === "pending" ? (state ?? "queued") : outcome);
}

export function jobLines(job: ProvisioningJob, width: number, nowMs: number): StyledLine[] {
  const look = jobLook(job);
  const steps = (job.steps ?? []).map((step) => {
    const at = statusLook(trackedState(stateWord(step)) ?? "");
    return {
      name: step.name,
      glyph: at.glyph,
      as: at.token,
      words: statusWords(stateWord(step) ?? ""),
      startedAt: step.startedAt,
      finishedAt: step.finishedAt,
      problem: step.error?.message,
    };
  });
  const problem = job.error?.message;
  const fields: Field[] = [
    {
      name: "provisioning",
      value: `${look.glyph} ${statusWords(stateWord(job) ?? "")}`,
      as: look.token,
    },
    ...(problem === undefined ? [] : [{ name: "error", value: problem, as: "bad" } as const]),
    { name: "job", value: job.jobId, as: "quiet" },
    { name: "started", value: distanceWords(job.createdAt ?? "", nowMs), as: "quiet" },
  ];
  return [...timelineLines(steps, width, nowMs), [], ...fieldLines(fields, width)];
}

export interface AppView {
  readonly width: number;
  readonly nowMs: number;
  readonly job: ProvisioningJob | undefined;
  readonly failure: Failure | undefined;
  readonly memberships: readonly Membership[] | undefined;
  /** The keys that lead on. */
  readonly offer: string;
}

/** An app: its last provisioning step by step, and its enrollment. */
export function appLines(app: App, view: AppView): StyledLine[] {
  const { width, nowMs, job, failure, memberships, offer } = view;
  const { runtimeTenantId: runtime } = app;
  const looked = statusLook(app.status ?? "");
  const fields: Field[] = [
    { name: "key", value: app.key },
    { name: "status", value: status(app.status), as: looked.token },
    {
      name: "runs in",
      value: runtime === undefined ? "this workspace" : workspaceWords(runtime, memberships),
    },
    { name: "address", value: app.appUrl ?? "" },
    { name: "template", value: app.template ?? "" },
    { name: "source", value: app.source ?? "" },
    { name: "enrolled", value: distanceWords(app.created_at ?? "", nowMs), as: "quiet" },
    { name: "id", value: app.id, as: "quiet" },
  ];
  const known = fields.filter(({ value }) => value !== "");
  const lost: StyledLine[] =
    failure === undefined ? [] : [[{ text: `✗ ${failureReason(failure)}`, as: "bad" }]];
  const begun: StyledLine[] =
    job === undefined ? [[{ text: offer, as: "quiet" }]] : jobLines(job, width, nowMs);
  return [...lost, ...begun, [], ...fieldLines(known, width)];
}

export const workflowColumns: readonly Column<WorkflowReadiness>[] = [
  {
    id: "workflow",
    title: "workflow",
    value: ({ workflow_key: key }) => key,
    priority: 0,
    pinned: true,
    minimum: 16,
  },
  {
    id: "ready",
    title: "ready",
    value: ({ ready }) => (ready ? "✓ yes" : "✗ no"),
    token: ({ ready }) => (ready ? "good" : "warn"),
    priority: 1,
  },
  {
    id: "status",
    title: "status",
    value: (row) => status(row.status),
    token: (row) => (row.status === undefined ? undefined : statusLook(row.status).token),
    priority: 2,
    minimum: 12,
  },
  {
    id: "reason",
    title: "reason",
    value: ({ reason }) => reason ?? "",
    priority: 3,
    minimum: 20,
    maximum: 120,
  },
];

/** A workflow: whether it can be used, why, and the request for it. */
export function workflowLines(
  row: WorkflowReadiness,
  view: {
    readonly width: number;
    readonly nowMs: number;
    readonly runtime: WorkflowRuntime | undefined;
    readonly failure: Failure | undefined;
    readonly offer: string;
  },
): StyledLine[] {
  const { width, nowMs, runtime, failure, offer } = view;
  const now = runtime?.status ?? row.status;
  const requestedAt = runtime?.requestedAt;
  const request = requestedAt === undefined ? "none is open" : distanceWords(requestedAt, nowMs);
  const fields: Field[] = [
    { name: "workflow", value: row.workflow_key },
    { name: "ready", value: row.ready ? "✓ yes" : "✗ no", as: row.ready ? "good" : "warn" },
    { name: "status", value: status(now), as: statusLook(now ?? "").token },
    { name: "reason", value: runtime?.reason ?? row.reason ?? "" },
    { name: "request", value: request },
  ];
  return [
    ...fieldLines(fields, width),
    ...(failure === undefined
      ? []
      : [[{ text: `✗ ${failureReason(failure)}`, as: "bad" } as const]]),
    ...(row.ready ? [] : [[], [{ text: offer, as: "quiet" } as const]]),
  ];
}
