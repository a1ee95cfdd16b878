import * as z from "zod";
import { documentRecord } from "#contract/documents/records.ts";
import { membership, type Membership } from "#contract/identity.ts";
import { listBody } from "#contract/lists.ts";
import { objectType } from "#contract/object-types.ts";
import { resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { member, workspace } from "#contract/workspaces.ts";
import { sampleDocuments } from "./sample-documents.ts";
import { licences } from "./licences.ts";
import { licensingTypes, planningTypes, workflowTypes, type Definition } from "./sample-types.ts";
import { licensingMembers, planningMembers, type SampleMember } from "./people.ts";
import {
  assessCases,
  businessRequests,
  planningApplications,
  workflowRecords,
} from "./sample-records.ts";
import { SampleDataCaller } from "./caller.ts";
import type { SampleDataTarget } from "./caller.ts";

/** IDs of what was made, for whoever goes on with it. */
export interface SampleWorkspaces {
  readonly councilId: string;
  readonly planningId: string;
  readonly licensingId: string;
}

const councilSlug = "northwind-council";
const appKey = "planning-portal";
const workflowKey = "planning-assistant";

/**
 * Fills in a council with two desks, their records, people and documents, through the v4 routes.
 * What is there already stays as it is, so that a second run changes nothing, and one after a crash
 * adds what is missing. Document jobs go on by themselves.
 */
export async function seedSampleData(target: SampleDataTarget): Promise<SampleWorkspaces> {
  const caller = new SampleDataCaller(target);
  const { items } = await caller.call(
    "GET",
    "/v4/identity/tenants",
    z.looseObject({ items: z.array(membership) }),
  );
  const councilId =
    items.find(({ slug }) => slug === councilSlug)?.id ?? (await createCouncil(caller));
  const planningId = await ensureDesk(caller, items, councilId, {
    displayName: "Planning",
    slug: "planning",
  });
  const licensingId = await ensureDesk(caller, items, councilId, {
    displayName: "Licensing",
    slug: "licensing",
  });
  await ensureMembers(caller, planningId, planningMembers);
  await ensureMembers(caller, licensingId, licensingMembers);
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

/** A child of the council, with the first user as its admin; its id. */
async function ensureDesk(
  caller: SampleDataCaller,
  known: readonly Membership[],
  parentId: string,
  desk: { readonly displayName: string; readonly slug: string },
): Promise<string> {
  const found = known.find((item) => item.slug === desk.slug && item.parentId === parentId);
  if (found !== undefined) return found.id;
  const children = `/v4/platform/tenants/${parentId}/children`;
  const body = { ...desk, usecase: "council" };
  const child = await caller.call("POST", children, workspace, body);
  await caller.call("POST", `${children}/${child.id}/bootstrap-admin`, z.looseObject({}));
  return child.id;
}

async function ensureMembers(
  caller: SampleDataCaller,
  workspaceId: string,
  members: readonly SampleMember[],
): Promise<void> {
  const path = `/v4/platform/tenants/${workspaceId}/members`;
  const present = await caller.call("GET", `${path}?limit=500`, listBody(member));
  const emails = new Set(present.items.map(({ email }) => email));
  for (const person of members) {
    if (emails.has(person.email)) continue;
    await caller.call("POST", `${path}/invite`, z.looseObject({}), person);
  }
}

async function ensureTypes(caller: SampleDataCaller, types: readonly Definition[]): Promise<void> {
  const path = "/v4/data/resources/object-types";
  const present = await caller.call("GET", `${path}?limit=500`, listBody(objectType));
  const slugs = new Set(present.items.map(({ slug }) => slug));
  for (const type of types) {
    if (!slugs.has(type.slug)) await caller.call("POST", path, objectType, type);
  }
}

/** The records' ids, in their order; one is known again by all of its `key` values. */
async function ensureRecords(
  caller: SampleDataCaller,
  slug: string,
  records: readonly JsonObject[],
  key: readonly string[],
): Promise<string[]> {
  const path = `/v4/data/resources/${caller.tenantId ?? ""}/${slug}`;
  const keyOf = (data: JsonObject): string => JSON.stringify(key.map((name) => data[name]));
  const present = await caller.call("GET", `${path}?limit=500&sort=id`, listBody(resource));
  const ids = new Map(present.items.map(({ id, data }) => [keyOf(data), id]));
  const ordered: string[] = [];
  for (const data of records) {
    const id = ids.get(keyOf(data)) ?? (await caller.call("POST", path, resource, data)).id;
    ordered.push(id);
  }
  return ordered;
}

async function ensureWorkflow(caller: SampleDataCaller): Promise<void> {
  for (const [slug, data] of Object.entries(workflowRecords)) {
    const key = Object.keys(data).filter((name) => name.endsWith("_key"));
    await ensureRecords(caller, slug, [data], key);
  }
}

async function fillPlanning(caller: SampleDataCaller): Promise<void> {
  const key = ["reference"];
  await ensureTypes(caller, [...planningTypes, ...workflowTypes]);
  const applicationIds = await ensureRecords(
    caller,
    "planning-application",
    planningApplications,
    key,
  );
  const requestIds = await ensureRecords(caller, "business-request", businessRequests, key);
  const cases = assessCases(applicationIds.slice(-5), requestIds);
  await ensureRecords(caller, "assess-case", cases, key);
  await ensureWorkflow(caller);
  await ensureDocuments(
    caller,
    new Map(
      planningApplications.map((record, index) => [record["reference"], applicationIds[index]]),
    ),
  );
}

async function ensureDocuments(
  caller: SampleDataCaller,
  applicationIds: ReadonlyMap<unknown, string | undefined>,
): Promise<void> {
  const list = "/v4/data/documents/records?limit=500";
  const present = await caller.call("GET", list, listBody(documentRecord));
  const filenames = new Set(present.items.map(({ filename }) => filename));
  for (const document of sampleDocuments) {
    if (filenames.has(document.filename)) continue;
    const form = new FormData();
    form.set("tenant_id", caller.tenantId ?? "");
    form.set("storage_target", "resourceapi");
    form.set("processing_mode", "full");
    const applicationId = applicationIds.get(document.about);
    if (applicationId === undefined) {
      form.set("vertical_key", appKey);
      form.set("workflow_key", workflowKey);
    } else {
      form.set("planning_application_id", applicationId);
    }
    const bytes = await document.open();
    form.set("files", new File([bytes.slice()], document.filename, { type: document.mediaType }));
    await caller.call("POST", "/v4/data/documents/upload", z.looseObject({}), form);
  }
}

async function fillLicensing(caller: SampleDataCaller): Promise<void> {
  await ensureTypes(caller, [...licensingTypes, ...workflowTypes]);
  await ensureRecords(caller, "licence", licences, ["reference"]);
  await ensureWorkflow(caller);
}
