import { expect } from "vitest";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import { documentJob } from "#contract/documents/jobs.ts";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { field } from "./platform.ts";
import { eventually } from "./eventually.ts";
import type { Answered, TestPlatform, TestUser } from "./platform.ts";

/** Ids of the records that uploads of the tests belong to. */
export interface Context {
  readonly application: string;
  readonly request: string;
  readonly assessCase: string;
  /** A document in the outsider's workspace. */
  readonly foreign: string;
}

const text = { type: "string" } as const;
const types = [
  { name: "PlanningApplication", slug: "planning-application", properties: { reference: text } },
  { name: "BusinessRequest", slug: "business-request", properties: { reference: text } },
  {
    name: "AssessCase",
    slug: "assess-case",
    properties: { planning_application_id: text, business_request_id: text },
  },
  {
    name: "VerticalProductConfig",
    slug: "vertical-product-config",
    properties: {
      vertical_key: text,
      workflow_key: text,
      status: text,
      config: {
        type: "object",
        properties: { documentLifecycle: text, classifierKey: text },
      },
    },
  },
  {
    name: "SharedWorkflowConfig",
    slug: "shared-workflow-config",
    properties: {
      workflow_key: text,
      status: text,
      stages: { type: "array", items: { type: "object", properties: { id: text } } },
    },
  },
] as const;

/** Object Types and records that give uploads a context, and chats a workflow. */
export async function makeContext(the: TestPlatform): Promise<Context> {
  const { tenant, other } = the.workspaces;
  await makeTypes(the, "tenant-admin", tenant);
  await makeTypes(the, "outsider", other);
  const make = (type: string, data: object, user: TestUser = "tenant-admin", workspace = tenant) =>
    makeRecord(the, user, workspace, type, data);
  const application = await make("planning-application", { reference: "PA-1" });
  const request = await make("business-request", { reference: "BR-1" });
  await make("vertical-product-config", {
    vertical_key: "planning-portal",
    workflow_key: "planning-assistant",
    status: "active",
    config: { documentLifecycle: "planning-assist-v1" },
  });
  await make("shared-workflow-config", { workflow_key: "planning-assistant", status: "active" });
  await make("shared-workflow-config", { workflow_key: "sleeping", status: "draft" });
  const stages = [{ id: "intake" }, { id: "review" }];
  await make("shared-workflow-config", { workflow_key: "casework", status: "active", stages });
  return {
    application,
    request,
    assessCase: await make("assess-case", { planning_application_id: application }),
    foreign: await make("planning-application", { reference: "PA-9" }, "outsider", other),
  };
}

async function makeTypes(the: TestPlatform, user: TestUser, workspace: string): Promise<void> {
  for (const type of types) {
    const made = await the.as(user).post("/v4/data/resources/object-types", type, {
      headers: { "x-tenant-id": workspace },
    });
    expect({ status: made.status, text: made.text }).toMatchObject({ status: 201 });
  }
}

async function makeRecord(
  the: TestPlatform,
  user: TestUser,
  workspace: string,
  type: string,
  data: object,
): Promise<string> {
  const made = await the.as(user).post(`/v4/data/resources/${workspace}/${type}`, data);
  expect({ status: made.status, text: made.text }).toMatchObject({ status: 201 });
  return String(field(made.json, "id"));
}

export type FormEntry = readonly [name: string, value: string | File];

export const file = (name: string, content: string | Uint8Array<ArrayBuffer>, type?: string) =>
  new File([content], name, type === undefined ? {} : { type });

/** A good form for the workspace, with the given entries after its first three fields. */
export function form(the: TestPlatform, ...entries: readonly FormEntry[]): FormData {
  return formOf(
    ["tenant_id", the.workspaces.tenant],
    ["storage_target", "resourceapi"],
    ["processing_mode", "full"],
    ...entries,
  );
}

/** Entries in their very order. */
export function formOf(...entries: readonly FormEntry[]): FormData {
  const made = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === "string") made.append(name, value);
    else made.append(name, value, value.name);
  }
  return made;
}

export const uploadPath = "/v4/data/documents/upload";

/** Sends a form as a browser would; the answer is held to the contract. */
export function send(
  the: TestPlatform,
  body: FormData,
  user: TestUser | "nobody" = "tenant-staff",
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  return the.as(user).post(uploadPath, undefined, {
    rawBody: body,
    headers: { "x-tenant-id": the.workspaces.tenant, ...headers },
  });
}

/** Uploads text for the application, and waits for its job's end. */
export async function uploaded(
  the: TestPlatform,
  context: Context,
  content: string | Uint8Array<ArrayBuffer>,
  name = `${crypto.randomUUID()}.txt`,
): Promise<UploadAccepted> {
  const body = form(
    the,
    ["planning_application_id", context.application],
    ["files", file(name, content)],
  );
  const answered = await send(the, body);
  expect({ status: answered.status, text: answered.text }).toMatchObject({ status: 202 });
  const accepted = uploadAccepted.parse(answered.json);
  await untilDone(the, accepted.jobId);
  return accepted;
}

export async function untilDone(the: TestPlatform, jobId: string): Promise<DocumentJob> {
  return eventually(async () => {
    const answered = await the.as("tenant-viewer").get(`/v4/data/documents/jobs/${jobId}`, {
      headers: { "x-tenant-id": the.workspaces.tenant },
    });
    const job = documentJob.parse(answered.json);
    expect(["succeeded", "completed_with_errors", "failed", "cancelled"]).toContain(job.status);
    return job;
  });
}
