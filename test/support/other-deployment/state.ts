import type { Json } from "./answers.ts";
import type { Dialect } from "./dialects.ts";
import { createIds, type IdSource } from "./ids.ts";

export interface StoredRecord {
  readonly id: string;
  version: number;
  data: Json;
  readonly createdAt: number;
  readonly earlier: { readonly version: number; readonly data: Json }[];
  readonly files: Map<string, { readonly bytes: Buffer; readonly filename: string }>;
}

export interface StoredType {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  definition: Json;
}

export interface StoredDocument {
  readonly id: string;
  readonly filename: string;
  readonly bytes: Buffer;
  readonly mode: string;
  readonly jobId: string;
}

export interface StoredJob {
  readonly id: string;
  readonly documentId: string;
  /** Reads so far; each one moves the job on. */
  reads: number;
  /** Whether one of its stages fails. */
  readonly fails: boolean;
}

export interface StoredMember {
  readonly id: string;
  readonly oid: string;
  readonly email: string;
  role: string;
}

export interface StoredWorkspace {
  readonly id: string;
  readonly slug: string;
  readonly displayName: string;
  readonly parent: string | undefined;
  readonly types: Map<string, StoredType>;
  /** Keyed by the slug of their type. */
  readonly records: Map<string, Map<string, StoredRecord>>;
  readonly documents: Map<string, StoredDocument>;
  readonly jobs: Map<string, StoredJob>;
  readonly members: StoredMember[];
  readonly provisioning: Map<string, { readonly target: string; reads: number }>;
}

/** Everything that a deployment knows. */
export interface State {
  readonly ids: IdSource;
  readonly workspaces: Map<string, StoredWorkspace>;
  readonly token: string;
  readonly oid: string;
  readonly codes: Map<string, { readonly challenge: string; readonly redirectUri: string }>;
  readonly registrations: Set<string>;
}

/** The types whose records the workflow commands keep (spec 2.9). */
const workflowTypes = {
  SharedWorkflowConfig: "shared-workflow-config",
  VerticalProductConfig: "vertical-product-config",
  SharedAiProfile: "shared-ai-profile",
  SharedChatbotConfig: "shared-chatbot-config",
  TenantVerticalEnrollment: "tenant-vertical-enrollment",
};

export function addWorkspace(
  state: State,
  made: { readonly slug: string; readonly displayName: string; readonly parent?: string },
): StoredWorkspace {
  const id = state.ids.nextWorkspace();
  const member = { id: state.ids.next(), oid: state.oid, email: "ada@example.org" };
  const workspace: StoredWorkspace = {
    id,
    slug: made.slug,
    displayName: made.displayName,
    parent: made.parent,
    types: new Map(),
    records: new Map(),
    documents: new Map(),
    jobs: new Map(),
    members: [{ ...member, role: "tenant-admin" }],
    provisioning: new Map(),
  };
  state.workspaces.set(id, workspace);
  return workspace;
}

export function addType(
  { ids }: State,
  { types, records }: StoredWorkspace,
  definition: Json & { readonly name: string; readonly slug: string },
): StoredType {
  const { name, slug } = definition;
  const type = { id: ids.next(), name, slug, definition };
  types.set(slug, type);
  records.set(slug, new Map());
  return type;
}

export function addRecord(
  { ids }: State,
  records: Map<string, StoredRecord>,
  data: Json,
): StoredRecord {
  const createdAt = Date.UTC(2026, 4, 1, 9, records.size);
  const id = ids.next();
  const record: StoredRecord = {
    id,
    version: 1,
    data,
    createdAt,
    earlier: [],
    files: new Map(),
  };
  records.set(id, record);
  return record;
}

/** A city with one child workspace and a few records of each type. */
export function seed(dialect: Dialect): {
  readonly state: State;
  readonly workspace: StoredWorkspace;
} {
  const ids = createIds(dialect);
  const oid = ids.next();
  const state: State = {
    ids,
    workspaces: new Map(),
    token: `opaque.${dialect.name}/token+1`,
    oid,
    codes: new Map(),
    registrations: new Set(),
  };
  const workspace = addWorkspace(state, { slug: "harbour", displayName: "Harbour City" });
  const parks = { slug: "harbour-parks", displayName: "Parks", parent: workspace.id };
  addWorkspace(state, parks);
  // The stored slug is older than the name (spec 2.2).
  addType(state, workspace, {
    name: "Tree",
    slug: "street-tree",
    properties: {
      species: { type: "string" },
      height: { type: "number" },
      plan: { type: "file" },
    },
    linkTypes: [{ name: "permits", targetObjectType: "felling-permit" }],
  });
  addType(state, workspace, {
    name: "Permit",
    slug: "felling-permit",
    properties: { applicant: { type: "string" } },
  });
  for (const [name, slug] of Object.entries(workflowTypes)) {
    addType(state, workspace, { name, slug, properties: {} });
  }
  const trees = workspace.records.get("street-tree") ?? new Map();
  for (const [index, species] of ["elm", "oak", "ash", "lime", "yew"].entries()) {
    addRecord(state, trees, { species, height: 3 + index });
  }
  addRecord(state, workspace.records.get("felling-permit") ?? new Map(), { applicant: "Ada" });
  const enrollments = workspace.records.get("tenant-vertical-enrollment") ?? new Map();
  addRecord(state, enrollments, { key: "parks-portal", name: "Parks portal", status: "active" });
  addDocument(state, workspace, { filename: "plan.txt", bytes: Buffer.from("An elm.\n") });
  return { state, workspace };
}

export function addDocument(
  { ids }: State,
  { documents, jobs }: StoredWorkspace,
  file: { readonly filename: string; readonly bytes: Buffer; readonly mode?: string },
): StoredDocument {
  const [id, jobId] = [ids.nextDocument(), ids.next()];
  const document = { mode: "full", ...file, id, jobId };
  documents.set(id, document);
  jobs.set(jobId, { id: jobId, documentId: id, reads: 0, fails: /fail/.test(file.filename) });
  return document;
}
