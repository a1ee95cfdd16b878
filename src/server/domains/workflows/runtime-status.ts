import type { WorkflowStatus } from "#contract/workflows.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json-value.ts";

/** The stored facts about one workflow of a workspace. */
export interface StoredWorkflow {
  readonly key: string;
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
  readonly reason: string;
}

const pendingStatuses: ReadonlySet<string> = new Set(["pending", "provisioning", "requested"]);

/** The runtime status of a workflow, with the first reason against its use (spec 2.11). */
export async function verdictOf(stored: StoredWorkflow): Promise<Verdict> {
  const { key, workflow, requestedAt } = stored;
  if (workflow === undefined) {
    return requestedAt === undefined
      ? blockedBy("unsupported", `This workspace has no workflow "${key}": it can be requested`)
      : blockedBy(
          "operator_required",
          `Requested at ${requestedAt}: an operator must provision it (svc workflow provision)`,
        );
  }
  const status = textOf(workflow, "status") ?? "active";
  if (status !== "active") {
    return blockedBy("blocked", `The workflow is ${status}, not active`);
  }
  const active = stored.bindings.filter(
    (each) => (textOf(each, "status") ?? "active") === "active",
  );
  let first: Verdict | undefined;
  // One usable app is enough; a binding to an app that is not enrolled must not hide it.
  for (const binding of active) {
    const verdict =
      (await appVerdict(stored, binding)) ?? (await limitVerdict(stored, workflow, binding));
    if (verdict.status === "available") return verdict;
    first ??= verdict;
  }
  if (first === undefined) {
    return stored.bindings.length === 0
      ? blockedBy("operator_required", "No app is bound to the workflow (svc workflow provision)")
      : blockedBy("blocked", "The binding of the workflow to its app is not active");
  }
  return first;
}

async function appVerdict(
  { enrollments }: StoredWorkflow,
  binding: JsonObject,
): Promise<Verdict | undefined> {
  const app = textOf(binding, "vertical_key") ?? "";
  const enrollment = enrollments.get(app);
  if (enrollment === undefined) {
    return blockedBy("operator_required", `The app "${app}" is not enrolled (svc app create)`);
  }
  const status = textOf(enrollment, "status") ?? "pending";
  if (pendingStatuses.has(status)) {
    return blockedBy("operator_required", `The app "${app}" is ${status} (svc app provision)`);
  }
  return status === "active" ? undefined : blockedBy("blocked", `The app "${app}" is ${status}`);
}

async function limitVerdict(
  stored: StoredWorkflow,
  workflow: JsonObject,
  binding: JsonObject,
): Promise<Verdict> {
  const app = textOf(binding, "vertical_key") ?? "";
  const settings = configOf(workflow);
  const needed = textOf(settings, "requiredPlan");
  const plan = textOf(configOf(stored.enrollments.get(app) ?? {}), "plan");
  if (needed !== undefined && plan !== needed) {
    const present = plan === undefined ? "no plan" : `the plan "${plan}"`;
    const reason = `The workflow needs the plan "${needed}", and the app "${app}" has ${present}`;
    return blockedBy("paid_upgrade_required", reason);
  }
  const limit = settings["questionsPerDay"];
  if (typeof limit === "number") {
    const asked = await stored.questionsOfDay();
    if (asked >= limit) {
      const reason = `${asked} questions in the last 24 hours; the workflow allows ${limit}`;
      return blockedBy("rate_limited", reason);
    }
  }
  return { status: "available", reason: `The workflow is active and bound to the app "${app}"` };
}

function blockedBy(status: WorkflowStatus, reason: string): Verdict {
  return { status, reason };
}

function textOf(data: JsonObject, name: string): string | undefined {
  const value = data[name];
  return typeof value === "string" ? value : undefined;
}

function configOf({ config }: JsonObject): JsonObject {
  return isJsonObject(config) ? config : {};
}
