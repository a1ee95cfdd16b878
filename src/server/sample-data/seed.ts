import * as z from "zod";
import { documentRecord } from "#contract/documents/records.ts";
import { membership, type Membership } from "#contract/access/identity.ts";
import { objectType, type ObjectTypeDraft } from "#contract/object-types/object-types.ts";
import { resource } from "#contract/resources/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { invited, member } from "#contract/access/members.ts";
import { workspace } from "#contract/workspaces/workspaces.ts";
import {
  sampleAnalyzer,
  sampleClassifier,
  sampleClassifierKey,
  sampleType,
  sampleTypeKey,
} from "./classifier/definition.ts";
import { sampleExamples } from "./classifier/example-texts.ts";
import { SampleDataCaller, type SampleDataTarget } from "./caller.ts";
import { sampleDocuments } from "./sample-documents.ts";
import {
  assessCases,
  businessRequests,
  licences,
  planningApplications,
  workflowRecords,
} from "./sample-records.ts";
import { licensingTypes, planningTypes } from "./sample-types.ts";

export interface SampleWorkspaces {
  readonly councilId: string;
  readonly planningId: string;
  readonly licensingId: string;
}

const councilSlug = "northwind-council";
const anything = z.looseObject({});
const keyed = z.looseObject({ key: z.string() });

/**
 * Creates a council with two desks, their records, members and documents, through the v4 routes.
 * A run adds only what is missing. It does not wait for the document jobs.
 */
export async function seedSampleData(target: SampleDataTarget): Promise<SampleWorkspaces> {
  const caller = new SampleDataCaller(target);
  const tenants = z.looseObject({ items: z.array(membership) });
  const { items } = await caller.call("GET", "/v4/identity/tenants", tenants);
  const councilId =
    items.find(({ slug }) => slug === councilSlug)?.id ?? (await createCouncil(caller));
  const planningId = await ensureDesk(caller, items, councilId, "planning", "Planning");
  const licensingId = await ensureDesk(caller, items, councilId, "licensing", "Licensing");
  await ensureMembers(caller, planningId, planningMembers, target.admit);
  await ensureMembers(caller, licensingId, licensingMembers, target.admit);
  await fillPlanning(caller.within(planningId));
  await fillLicensing(caller.within(licensingId));
  return { councilId, planningId, licensingId };
}

async function createCouncil(caller: SampleDataCaller): Promise<string> {
  const council = await caller.call("POST", "/v4/platform/tenants", workspace, {
    displayName: "Northwind Council",
    slug: councilSlug,
    usecase: "council",
    homeRegion: "eu",
  });
  return council.id;
}

/** Returns the ID of a child of the council; the first user becomes its admin. */
async function ensureDesk(
  caller: SampleDataCaller,
  memberships: readonly Membership[],
  parentId: string,
  slug: string,
  displayName: string,
): Promise<string> {
  const desk = memberships.find((item) => item.slug === slug && item.parentId === parentId);
  if (desk !== undefined) return desk.id;
  const children = `/v4/platform/tenants/${parentId}/children`;
  const body = { displayName, slug, usecase: "council" };
  const child = await caller.call("POST", children, workspace, body);
  await caller.call("POST", `${children}/${child.id}/bootstrap-admin`, anything);
  return child.id;
}

async function ensureMembers(
  caller: SampleDataCaller,
  workspaceId: string,
  members: readonly SampleMember[],
  admit: SampleDataTarget["admit"],
): Promise<void> {
  const path = `/v4/platform/tenants/${workspaceId}/members`;
  const emails = new Set((await caller.list(path, member)).map(({ email }) => email));
  for (const person of members) {
    if (emails.has(person.email)) continue;
    const { secret } = await caller.call("POST", `${path}/invite`, invited, person);
    // A platform that sends mail returns no secret, and a sample person reads no mail.
    if (secret !== undefined) await admit(secret);
  }
}

async function ensureTypes(
  caller: SampleDataCaller,
  types: readonly ObjectTypeDraft[],
): Promise<void> {
  const path = "/v4/data/resources/object-types";
  const slugs = new Set((await caller.list(path, objectType)).map(({ slug }) => slug));
  for (const type of types) {
    if (!slugs.has(type.slug)) await caller.call("POST", path, objectType, type);
  }
}

/** Returns the records' IDs in their order. A record is present if all its `key` values match. */
async function ensureRecords(
  caller: SampleDataCaller,
  slug: string,
  records: readonly JsonObject[],
  key: readonly string[] = ["reference"],
): Promise<string[]> {
  const path = `/v4/data/resources/${caller.tenantId ?? ""}/${slug}`;
  const keyOf = (data: JsonObject): string => JSON.stringify(key.map((name) => data[name]));
  // The oldest first: the sample records come before the records that users added.
  const present = await caller.list(path, resource, "id");
  const ids = new Map(present.map(({ id, data }) => [keyOf(data), id]));
  const ordered: string[] = [];
  for (const data of records) {
    ordered.push(ids.get(keyOf(data)) ?? (await caller.call("POST", path, resource, data)).id);
  }
  return ordered;
}

async function ensureWorkflow(caller: SampleDataCaller): Promise<void> {
  for (const [slug, data] of Object.entries(workflowRecords)) {
    const key = Object.keys(data).filter((name) => name.endsWith("_key"));
    await ensureRecords(caller, slug, [data], key);
  }
}

/** Trained in the background; its rules classify at once. */
async function ensureClassifier(caller: SampleDataCaller): Promise<void> {
  const path = "/v4/data/documents/classifiers";
  const present = await caller.list(path, keyed);
  if (present.some(({ key }) => key === sampleClassifierKey)) return;
  const own = `${path}/${sampleClassifierKey}`;
  await caller.call("PUT", own, anything, sampleClassifier);
  await caller.call("POST", `${own}/examples`, anything, { examples: sampleExamples });
}

/** The fields of one kind of document, without which no workflow classifies files by itself. */
async function ensureDocumentType(caller: SampleDataCaller): Promise<void> {
  const documents = "/v4/data/documents";
  const present = await caller.list(`${documents}/document-types`, keyed);
  if (present.some(({ key }) => key === sampleTypeKey)) return;
  await caller.call("PUT", `${documents}/analyzers/${sampleTypeKey}`, anything, sampleAnalyzer);
  await caller.call("PUT", `${documents}/document-types/${sampleTypeKey}`, anything, sampleType);
}

async function fillPlanning(caller: SampleDataCaller): Promise<void> {
  await ensureTypes(caller, planningTypes);
  await ensureClassifier(caller);
  await ensureDocumentType(caller);
  const ids = await ensureRecords(caller, "planning-application", planningApplications);
  const requestIds = await ensureRecords(caller, "business-request", businessRequests);
  await ensureRecords(caller, "assess-case", assessCases(ids.slice(-5), requestIds));
  await ensureWorkflow(caller);
  const references = planningApplications.map((record) => record["reference"]);
  await ensureDocuments(caller, new Map(references.map((name, index) => [name, ids[index]])));
}

async function ensureDocuments(
  caller: SampleDataCaller,
  applicationIds: ReadonlyMap<unknown, string | undefined>,
): Promise<void> {
  const present = await caller.list("/v4/data/documents/records", documentRecord);
  const filenames = new Set(present.map(({ filename }) => filename));
  for (const document of sampleDocuments) {
    if (filenames.has(document.filename)) continue;
    const form = new FormData();
    form.set("tenant_id", caller.tenantId ?? "");
    form.set("storage_target", "resourceapi");
    form.set("processing_mode", "full");
    const applicationId = applicationIds.get(document.about);
    if (applicationId === undefined) {
      form.set("vertical_key", "planning-portal");
      form.set("workflow_key", "planning-assistant");
    } else {
      form.set("planning_application_id", applicationId);
    }
    const bytes = await document.open();
    form.set("files", new File([bytes.slice()], document.filename, { type: document.mediaType }));
    await caller.call("POST", "/v4/data/documents/upload", anything, form);
  }
}

async function fillLicensing(caller: SampleDataCaller): Promise<void> {
  await ensureTypes(caller, licensingTypes);
  await ensureClassifier(caller);
  await ensureDocumentType(caller);
  await ensureRecords(caller, "licence", licences);
  await ensureWorkflow(caller);
}

/** The members of the planning desk without the first user: some of each role. */
const planningMembers = [
  ...people("tenant-viewer", [
    ["v.ward", "Vera", "Ward"],
    ["r.calloway", "Ruth", "Calloway"],
  ]),
  ...people("tenant-staff", [
    ["m.okafor", "Mercy", "Okafor"],
    ["p.sharma", "Priti", "Sharma"],
    ["i.kemp", "Iris", "Kemp"],
  ]),
  ...people("tenant-builder", [["j.lindqvist", "Jonas", "Lindqvist"]]),
  ...people("tenant-admin", [
    ["h.brandt", "Helena", "Brandt"],
    ["e.hughes", "Elin", "Hughes"],
  ]),
];

/** Two of these members also belong to the planning desk. */
const licensingMembers = [
  ...people("tenant-viewer", [["r.calloway", "Ruth", "Calloway"]]),
  ...people("tenant-staff", [["d.osei", "Daniel", "Osei"]]),
  ...people("tenant-admin", [["h.brandt", "Helena", "Brandt"]]),
];

interface SampleMember {
  readonly email: string;
  readonly role: "tenant-viewer" | "tenant-staff" | "tenant-builder" | "tenant-admin";
  readonly firstName: string;
  readonly lastName: string;
}

function people(
  role: SampleMember["role"],
  names: readonly (readonly [account: string, firstName: string, lastName: string])[],
): SampleMember[] {
  return names.map(([account, firstName, lastName]) => ({
    email: `${account}@northwind.example`,
    role,
    firstName,
    lastName,
  }));
}
