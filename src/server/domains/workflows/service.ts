import { enrollmentType } from "#contract/apps.ts";
import { Refusal } from "#contract/problems.ts";
import { roleIncludes, type Role } from "#contract/roles.ts";
import type {
  RequestedWorkflow,
  RuntimeRequest,
  WorkflowReadiness,
  WorkflowRuntime,
} from "#contract/workflows.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Principal } from "../../http/handler.ts";
import { roleTooLow, workspaceNotFound } from "../../http/pipeline-refusals.ts";
import type { Database } from "../../database/database.ts";
import { enterNamedWorkspaceScope } from "../../kit/data-scope.ts";
import type { AccessService } from "../members/service.ts";
import type { FoundRecord } from "../records/service.ts";
import { verdictOf, type Verdict } from "./runtime-status.ts";
import { insertRequest, requestOf } from "./store.ts";

const workflowType = "shared-workflow-config";
const bindingType = "vertical-product-config";
const dayMs = 24 * 60 * 60 * 1000;

/** Workflows of workspaces: readiness, runtime status and requests (spec 2.11, 4.5). */
export class WorkflowService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly access: AccessService;
      readonly records: {
        findRecords(
          workspaceId: string,
          objectType: string,
          where: JsonObject,
        ): Promise<readonly FoundRecord[]>;
      };
      readonly chat: {
        readonly conversations: {
          countQuestions(workspaceId: string, workflowId: string, since: string): Promise<number>;
        };
      };
      readonly now: () => Date;
    },
  ) {}

  async status(principal: Principal, workspaceId: string, key: string): Promise<WorkflowRuntime> {
    await this.#enter(principal, workspaceId, "tenant-viewer");
    const { requestedAt, ...verdict } = await this.#verdict(workspaceId, key);
    return {
      workflow_key: key,
      ...verdict,
      ...(requestedAt === undefined ? {} : { requestedAt }),
    };
  }

  /** Without keys: the first 100 workflows of the workspace. */
  async readiness(
    principal: Principal,
    workspaceId: string,
    keys: readonly string[],
  ): Promise<WorkflowReadiness[]> {
    await this.#enter(principal, workspaceId, "tenant-viewer");
    const wanted = keys.length > 0 ? keys : await this.#configured(workspaceId);
    const items: WorkflowReadiness[] = [];
    for (const key of wanted) {
      const { status, reason } = await this.#verdict(workspaceId, key);
      items.push({ workflow_key: key, ready: status === "available", status, reason });
    }
    return items;
  }

  async request(
    principal: Principal,
    { tenant_id: workspaceId, workflow_key: key, display_name, reason }: RuntimeRequest,
    remember: (made: RequestedWorkflow) => void,
  ): Promise<RequestedWorkflow> {
    await this.#enter(principal, workspaceId, "tenant-staff");
    const { status } = await this.#verdict(workspaceId, key);
    if (status === "available") {
      throw new Refusal("conflict", {
        detail: `Cannot request the workflow "${key}": it is available already`,
      });
    }
    return this.parts.database.write(async (writer) => {
      await insertRequest(writer, {
        workspace_id: workspaceId,
        workflow_key: key,
        id: Bun.randomUUIDv7(),
        display_name: display_name ?? null,
        reason: reason ?? null,
        requested_by: principal.oid,
        created_at: this.parts.now().toISOString(),
      });
      const row = await requestOf(writer, workspaceId, key);
      if (row === undefined) throw new Error("a request was stored and not found");
      const made = {
        requestId: row.id,
        workflow_key: key,
        status: "accepted",
        requestedAt: row.created_at,
      };
      remember(made);
      return made;
    });
  }

  async #enter(principal: Principal, workspaceId: string, least: Role): Promise<void> {
    const role = await this.parts.access.roleIn(workspaceId, principal.oid);
    if (role === undefined) throw workspaceNotFound();
    if (!roleIncludes(role, least)) throw roleTooLow(least, role);
    enterNamedWorkspaceScope(workspaceId, principal.oid);
  }

  async #configured(workspaceId: string): Promise<string[]> {
    const found = await this.parts.records.findRecords(workspaceId, workflowType, {});
    return found.flatMap(({ data }) => {
      const key = data["workflow_key"];
      return typeof key === "string" ? [key] : [];
    });
  }

  async #verdict(
    workspaceId: string,
    key: string,
  ): Promise<Verdict & { readonly requestedAt: string | undefined }> {
    const { database, records, chat, now } = this.parts;
    const ofKey = { workflow_key: key };
    const [workflow] = await records.findRecords(workspaceId, workflowType, ofKey);
    const bindings = await records.findRecords(workspaceId, bindingType, ofKey);
    const enrollments = new Map<string, JsonObject>();
    for (const app of new Set(bindings.map(({ data }) => data["vertical_key"]))) {
      if (typeof app !== "string") continue;
      const ofApp = { vertical_key: app };
      const [enrollment] = await records.findRecords(workspaceId, enrollmentType, ofApp);
      if (enrollment !== undefined) enrollments.set(app, enrollment.data);
    }
    const request = await requestOf(database.read, workspaceId, key);
    const since = new Date(now().getTime() - dayMs).toISOString();
    const verdict = await verdictOf({
      key,
      workflow: workflow?.data,
      bindings: bindings.map(({ data }) => data),
      enrollments,
      requestedAt: request?.created_at,
      questionsOfDay: () => chat.conversations.countQuestions(workspaceId, key, since),
    });
    return { ...verdict, requestedAt: request?.created_at };
  }
}
