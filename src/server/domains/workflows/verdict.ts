import type { WorkflowStatus } from "#contract/apps/workflows.ts";
import type { JsonObject } from "#contract/values.ts";
import { counted } from "#lib/text/counted.ts";
import { isJsonObject } from "#lib/json/value.ts";

/** The stored facts about one workflow of a workspace. */
export interface StoredWorkflow {
  readonly key: string;
  /** Its configuration; undefined for a workflow that only has bindings, or nothing. */
  readonly workflow: JsonObject | undefined;
  readonly bindings: readonly JsonObject[];
  /** The enrollments of the bound apps, by key. */
  readonly enrollments: ReadonlyMap<string, JsonObject>;
  /** Time of the open request. */
  readonly requestedAt: string | undefined;
  /** Number of questions to the workflow in the last 24 hours. */
  questionsOfDay(): Promise<number>;
}

export interface Verdict {
  readonly status: WorkflowStatus;
  /** Why, and the next step. */
  readonly reason: string;
}

const pendingStatuses: ReadonlySet<string> = new Set(["pending", "provisioning", "requested"]);

export function isKnown({ workflow, bindings }: StoredWorkflow): boolean {
  return workflow !== undefined || bindings.length > 0;
}

/**
 * The runtime status of a workflow, with the first reason against its use (spec 2.11). Its own
 * status and limit come first. Then one usable app is enough, and an app that is refused outweighs
 * one that waits for an operator.
 */
export async function verdictOf(stored: StoredWorkflow): Promise<Verdict> {
  const { key, workflow = {}, bindings, requestedAt } = stored;
  if (!isKnown(stored)) {
    return requestedAt === undefined
      ? blockedBy("unsupported", `This workspace has no workflow "${key}": it can be requested`)
      : blockedBy(
          "operator_required",
          `Requested at ${requestedAt}: an operator must provision it (svc workflow provision)`,
        );
  }
  const status = statusOf(workflow);
  if (status !== "active") {
    return blockedBy("blocked", `The workflow "${key}" is ${status}, not active`);
  }
  const limited = await limitVerdict(stored);
  if (limited !== undefined) return limited;
  const verdicts = bindings
    .filter((binding) => statusOf(binding) === "active")
    .map((binding) => appVerdict(stored, textOf(binding, "vertical_key") ?? ""));
  return (
    verdicts.find((verdict) => verdict.status === "available") ??
    verdicts.find((verdict) => verdict.status !== "operator_required") ??
    verdicts[0] ??
    unbound(stored)
  );
}

function unbound({ workflow = {}, bindings }: StoredWorkflow): Verdict {
  if (bindings.length > 0) {
    return blockedBy("blocked", "The binding of the workflow to its app is not active");
  }
  const needed = requiredPlanOf(workflow);
  return needed === undefined
    ? blockedBy("operator_required", "No app is bound to the workflow (svc workflow provision)")
    : blockedBy(
        "paid_upgrade_required",
        `The workflow needs the plan "${needed}", and no app is bound to it`,
      );
}

function appVerdict({ workflow = {}, enrollments }: StoredWorkflow, app: string): Verdict {
  const enrollment = enrollments.get(app);
  const status = enrollment === undefined ? undefined : statusOf(enrollment, "pending");
  const isWaiting = status === undefined || pendingStatuses.has(status);
  if (!isWaiting && status !== "active") {
    return blockedBy("blocked", `The app "${app}" is ${status}`);
  }
  const needed = requiredPlanOf(workflow);
  const plan = textOf(configOf(enrollment ?? {}), "plan");
  if (needed !== undefined && plan !== needed) {
    const present = plan === undefined ? "no plan" : `the plan "${plan}"`;
    const reason = `The workflow needs the plan "${needed}", and the app "${app}" has ${present}`;
    return blockedBy("paid_upgrade_required", reason);
  }
  if (status === undefined) {
    return blockedBy("operator_required", `The app "${app}" is not enrolled (svc app create)`);
  }
  if (isWaiting) {
    return blockedBy("operator_required", `The app "${app}" is ${status} (svc app provision)`);
  }
  return { status: "available", reason: `The workflow is active and bound to the app "${app}"` };
}

/** The limit of a workflow: questions of all users in 24 hours; undefined without one. */
export function questionsPerDayOf(workflow: JsonObject | undefined): number | undefined {
  const limit = configOf(workflow ?? {})["questionsPerDay"];
  return typeof limit === "number" ? limit : undefined;
}

async function limitVerdict(stored: StoredWorkflow): Promise<Verdict | undefined> {
  const limit = questionsPerDayOf(stored.workflow);
  if (limit === undefined) return undefined;
  return limitedBy(limit, await stored.questionsOfDay());
}

/** The verdict of a limit; undefined while another question fits. */
export function limitedBy(limit: number, asked: number): Verdict | undefined {
  if (asked < limit) return undefined;
  const reason = `${counted(asked, "question")} in the last 24 hours; the workflow allows ${limit}`;
  return blockedBy("rate_limited", reason);
}

function blockedBy(status: WorkflowStatus, reason: string): Verdict {
  return { status, reason };
}

function requiredPlanOf(workflow: JsonObject): string | undefined {
  return textOf(configOf(workflow), "requiredPlan");
}

function statusOf(data: JsonObject, initial = "active"): string {
  return textOf(data, "status") ?? initial;
}

function textOf(data: JsonObject, name: string): string | undefined {
  const value = data[name];
  return typeof value === "string" ? value : undefined;
}

function configOf({ config }: JsonObject): JsonObject {
  return isJsonObject(config) ? config : {};
}
