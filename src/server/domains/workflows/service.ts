import { configurationTypes } from "#contract/access/configuration-types.ts";
import { Refusal } from "#contract/problems.ts";
import { roleIncludes, type Role } from "#contract/access/roles.ts";
import type {
  RequestedWorkflow,
  RuntimeRequest,
  WorkflowReadiness,
  WorkflowRuntime,
  WorkflowStatus,
} from "#contract/apps/workflows.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import type { Work } from "../../work/work.ts";
import { roleTooLow, workspaceNotFound } from "../../work/refusals.ts";
import type { ChatService } from "../chat/service.ts";
import type { AccessService } from "../members/service.ts";
import type { ResourceService } from "../records/service.ts";
import { insertRequest, requestOf } from "./store.ts";

const {
  workflow: workflowType,
  binding: bindingType,
  enrollment: enrollmentType,
} = configurationTypes;
const dayMs = 24 * 60 * 60 * 1000;

/** The stored facts about one workflow of a workspace. */
interface StoredWorkflow {
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

interface Verdict {
  readonly status: WorkflowStatus;
  readonly reason: string;
}

const pendingStatuses: ReadonlySet<string> = new Set(["pending", "provisioning", "requested"]);

/** Workflows of workspaces: readiness, runtime status and requests (spec 2.11, 4.5). */
export class WorkflowService {
  constructor(
    private readonly parts: {
      readonly access: AccessService;
      readonly records: Pick<ResourceService, "findRecords">;
      readonly chat: Pick<ChatService, "conversations">;
      readonly now: () => Date;
    },
  ) {}

  async status(work: Work, workspaceId: string, key: string): Promise<WorkflowRuntime> {
    const own = await this.#enter(work, workspaceId, "tenant-viewer");
    const { requestedAt, ...verdict } = await this.#verdict(own, workspaceId, key);
    return { workflow_key: key, ...verdict, ...given({ requestedAt }) };
  }

  /** The readiness of these workflows; of the workspace's first 100 if no key is given. */
  async readiness(
    work: Work,
    workspaceId: string,
    keys: readonly string[],
  ): Promise<WorkflowReadiness[]> {
    const own = await this.#enter(work, workspaceId, "tenant-viewer");
    const wanted = keys.length > 0 ? keys : await this.#configured(own, workspaceId);
    const items: WorkflowReadiness[] = [];
    for (const key of wanted) {
      const { status, reason } = await this.#verdict(own, workspaceId, key);
      items.push({ workflow_key: key, ready: status === "available", status, reason });
    }
    return items;
  }

  async request(
    work: Work,
    { tenant_id: workspaceId, workflow_key: key, display_name, reason }: RuntimeRequest,
  ): Promise<RequestedWorkflow> {
    const own = await this.#enter(work, workspaceId, "tenant-staff");
    const { status } = await this.#verdict(own, workspaceId, key);
    if (status === "available") {
      throw new Refusal("conflict", {
        detail: `Cannot request the workflow "${key}": it is available already`,
      });
    }
    return own.write(async (tx) => {
      await insertRequest(tx, {
        workspace_id: workspaceId,
        workflow_key: key,
        id: Bun.randomUUIDv7(),
        display_name: display_name ?? null,
        reason: reason ?? null,
        requested_by: own.scope.caller,
        created_at: this.parts.now().toISOString(),
      });
      const row = await requestOf(tx, workspaceId, key);
      if (row === undefined) throw new Error("a request was stored and not found");
      const made = {
        requestId: row.id,
        workflow_key: key,
        status: "accepted",
        requestedAt: row.created_at,
      };
      tx.remember(made);
      return made;
    });
  }

  /** Refuses a stranger with 404 and a role that is too low with 403. */
  async #enter(work: Work, workspaceId: string, least: Role): Promise<Work> {
    const role = await this.parts.access.roleIn(workspaceId, work.scope.caller);
    if (role === undefined) throw workspaceNotFound();
    if (!roleIncludes(role, least)) throw roleTooLow(least, role);
    return work.within(workspaceId);
  }

  async #configured(work: Work, workspaceId: string): Promise<string[]> {
    const found = await this.parts.records.findRecords(work, workspaceId, workflowType, {});
    return found.flatMap(({ data }) => {
      const key = data["workflow_key"];
      return typeof key === "string" ? [key] : [];
    });
  }

  async #verdict(
    work: Work,
    workspaceId: string,
    key: string,
  ): Promise<Verdict & { readonly requestedAt: string | undefined }> {
    const { records, chat, now } = this.parts;
    const ofKey = { workflow_key: key };
    const [workflow] = await records.findRecords(work, workspaceId, workflowType, ofKey);
    const bindings = await records.findRecords(work, workspaceId, bindingType, ofKey);
    const enrollments = new Map<string, JsonObject>();
    for (const app of new Set(bindings.map(({ data }) => data["vertical_key"]))) {
      if (typeof app !== "string") continue;
      const ofApp = { vertical_key: app };
      const [enrollment] = await records.findRecords(work, workspaceId, enrollmentType, ofApp);
      if (enrollment !== undefined) enrollments.set(app, enrollment.data);
    }
    const request = await requestOf(work.read, workspaceId, key);
    const since = new Date(now().getTime() - dayMs).toISOString();
    const verdict = await verdictOf({
      key,
      workflow: workflow?.data,
      bindings: bindings.map(({ data }) => data),
      enrollments,
      requestedAt: request?.created_at,
      questionsOfDay: () => chat.conversations.countQuestions(work, workspaceId, key, since),
    });
    return { ...verdict, requestedAt: request?.created_at };
  }
}

/** The runtime status of a workflow, with the first reason against its use (spec 2.11). */
async function verdictOf(stored: StoredWorkflow): Promise<Verdict> {
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
