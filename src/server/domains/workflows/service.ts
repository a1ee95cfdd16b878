import { configurationTypes } from "#contract/access/configuration-types.ts";
import { Refusal, type ProblemCode } from "#contract/problems.ts";
import type {
  RequestedWorkflow,
  RuntimeRequest,
  WorkflowReadiness,
  WorkflowRuntime,
  WorkflowStatus,
} from "#contract/apps/workflows.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import type { Work } from "../../work/work.ts";
import type { ChatService } from "../chat/service.ts";
import type { RecordLookup } from "../records/service.ts";
import type { UsedWorkflow, WorkflowGate } from "../workflow-gate.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { insertRequest, requestOf } from "./store.ts";
import {
  isKnown,
  limitedBy,
  questionsPerDayOf,
  verdictOf,
  type StoredWorkflow,
  type Verdict,
} from "./verdict.ts";

const {
  workflow: workflowType,
  binding: bindingType,
  enrollment: enrollmentType,
} = configurationTypes;
const dayMs = 24 * 60 * 60 * 1000;

/** Workflows of workspaces: readiness, runtime status and requests (spec 2.11, 4.5). */
export class WorkflowService {
  constructor(
    private readonly parts: {
      readonly records: Pick<RecordLookup, "findRecords">;
      readonly chat: Pick<ChatService, "conversations">;
      readonly now: () => Date;
    },
  ) {}

  async status(work: Work, workspaceId: string, key: string): Promise<WorkflowRuntime> {
    const stored = await this.#stored(work, workspaceId, { workflow_key: key });
    const { requestedAt } = stored;
    return { workflow_key: key, ...(await verdictOf(stored)), ...given({ requestedAt }) };
  }

  /** The readiness of these workflows; of the workspace's first 100 if no key is given. */
  async readiness(
    work: Work,
    workspaceId: string,
    keys: readonly string[],
  ): Promise<WorkflowReadiness[]> {
    const wanted = keys.length > 0 ? keys : await this.#configured(work, workspaceId);
    const items: WorkflowReadiness[] = [];
    for (const key of wanted) {
      const { status, reason } = await this.status(work, workspaceId, key);
      items.push({
        workflow_key: key,
        ready: status === "available",
        status,
        ...given({ reason }),
      });
    }
    return items;
  }

  async request(
    work: Work,
    { tenant_id: workspaceId, workflow_key: key, display_name, reason }: RuntimeRequest,
  ): Promise<RequestedWorkflow> {
    const { status } = await this.status(work, workspaceId, key);
    if (status === "available") {
      throw new Refusal("conflict", {
        detail: `Cannot request the workflow "${key}": it is available already`,
      });
    }
    return work.write(async (tx) => {
      await insertRequest(tx, {
        workspace_id: workspaceId,
        workflow_key: key,
        id: Bun.randomUUIDv7(),
        display_name: display_name ?? null,
        reason: reason ?? null,
        requested_by: work.scope.caller,
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

  /** Chats and uploads pass it, so that the status is what happens. */
  readonly gate: WorkflowGate = async (work, workspaceId, used) => {
    const stored = await this.#stored(work, workspaceId, used);
    const verdict = await verdictOf(stored);
    const code = isKnown(stored) ? refusals[verdict.status] : "not-found";
    const limit = questionsPerDayOf(stored.workflow);
    const secondsLeft = (read: Pick<Work, "read">) =>
      this.#secondsLeft(read, workspaceId, used.workflow_key, limit ?? 0);
    if (code === "rate-limited") throw refusalOf(code, verdict, await secondsLeft(work));
    if (code !== undefined) throw refusalOf(code, verdict);
    if (limit === undefined) return undefined;
    return async (tx) => {
      // Two questions at once must not both be the last one.
      await lockWorkspace(tx, workspaceId);
      const asked = await this.#questionsOfDay({ read: tx }, workspaceId, used.workflow_key);
      const limited = limitedBy(limit, asked);
      if (limited === undefined) return;
      throw refusalOf("rate-limited", limited, await secondsLeft({ read: tx }));
    };
  };

  #questionsOfDay(work: Pick<Work, "read">, workspaceId: string, key: string): Promise<number> {
    const { chat, now } = this.parts;
    const since = new Date(now().getTime() - dayMs).toISOString();
    return chat.conversations.countQuestions(work, workspaceId, key, since);
  }

  /** Until one of the questions that use up the limit is a day old. */
  async #secondsLeft(
    work: Pick<Work, "read">,
    workspaceId: string,
    key: string,
    limit: number,
  ): Promise<number> {
    const { chat, now } = this.parts;
    const since = now().getTime() - dayMs;
    // A limit of none ends by a change only, which a day may bring.
    const place = Math.max(1, Math.ceil(limit));
    const query = { since: new Date(since).toISOString(), place };
    const at = await chat.conversations.questionAt(work, workspaceId, key, query);
    const leftMs = at === undefined || limit < 1 ? dayMs : Date.parse(at) - since;
    return Math.max(1, Math.ceil(leftMs / 1000));
  }

  async #configured(work: Work, workspaceId: string): Promise<string[]> {
    const found = await this.parts.records.findRecords(work, workspaceId, workflowType, {});
    return found.flatMap(({ data }) => {
      const key = data["workflow_key"] ?? data["key"];
      return typeof key === "string" ? [key] : [];
    });
  }

  /** The stored facts about a workflow; with an app, only those of its binding to this app. */
  async #stored(
    work: Work,
    workspaceId: string,
    { workflow_key: key, vertical_key }: UsedWorkflow,
  ): Promise<StoredWorkflow> {
    const find = async (type: string, where: JsonObject): Promise<JsonObject[]> => {
      const found = await this.parts.records.findRecords(work, workspaceId, type, where);
      return found.map(({ data }) => data);
    };
    const ofKey = { workflow_key: key };
    const workflow = (await find(workflowType, ofKey))[0] ?? (await find(workflowType, { key }))[0];
    const bindings = await find(bindingType, { ...ofKey, ...given({ vertical_key }) });
    const enrollments = new Map<string, JsonObject>();
    for (const app of new Set(bindings.map((data) => data["vertical_key"]))) {
      if (typeof app !== "string") continue;
      const [enrollment] = await find(enrollmentType, { vertical_key: app });
      if (enrollment !== undefined) enrollments.set(app, enrollment);
    }
    const request = await requestOf(work.read, workspaceId, key);
    return {
      key,
      workflow,
      bindings,
      enrollments,
      requestedAt: request?.created_at,
      questionsOfDay: () => this.#questionsOfDay(work, workspaceId, key),
    };
  }
}

/** The problems of a use; `operator_required` is advice and refuses nothing. */
const refusals: Readonly<Record<WorkflowStatus, ProblemCode | undefined>> = {
  available: undefined,
  operator_required: undefined,
  paid_upgrade_required: "workflow-unavailable",
  blocked: "workflow-unavailable",
  rate_limited: "rate-limited",
  unsupported: "not-found",
};

function refusalOf(code: ProblemCode, { status, reason }: Verdict, secondsLeft?: number): Refusal {
  return new Refusal(code, {
    detail: reason,
    members: { workflowStatus: status },
    ...(secondsLeft === undefined ? {} : { headers: { "retry-after": String(secondsLeft) } }),
  });
}
