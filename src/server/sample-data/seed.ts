import * as z from "zod";
import { membership } from "#contract/identity.ts";
import { objectType } from "#contract/object-types.ts";
import type { ObjectTypeCreation } from "#contract/object-types.ts";
import { resource } from "#contract/resources.ts";
import type { JsonObject } from "#contract/values.ts";
import { workspace } from "#contract/workspaces.ts";
import { sampleDocuments } from "./documents.ts";
import { licensingTypes, planningTypes, workflowTypes } from "./object-types.ts";
import {
  assessCases,
  businessRequests,
  licences,
  members,
  planningApplications,
  workflowRecords,
} from "./records.ts";
import { SampleDataCaller } from "./wire.ts";
import type { SampleDataTarget } from "./wire.ts";

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
 * A platform that has the council already is left as it is. Document jobs go on by themselves.
 */
export async function seedSampleData(target: SampleDataTarget): Promise<SampleWorkspaces> {
  const caller = new SampleDataCaller(target);
  const mine = await caller.call(
    "GET",
    "/v4/identity/tenants",
    z.looseObject({ items: z.array(membership) }),
  );
  const found = (slug: string) => mine.items.find((item) => item.slug === slug)?.id;
  const known = [found(councilSlug), found("planning"), found("licensing")];
  const [councilId, planningId, licensingId] = known;
  if (councilId !== undefined && planningId !== undefined && licensingId !== undefined) {
    return { councilId, planningId, licensingId };
  }
  const council = await caller.call("POST", "/v4/platform/tenants", workspace, {
    displayName: "Northwind Council",
    slug: councilSlug,
    usecase: "council",
    homeRegion: "eu",
  });
  const planning = await createDesk(caller, council.id, "Planning", "planning");
  const licensing = await createDesk(caller, council.id, "Licensing", "licensing");
  await fillPlanning(caller.within(planning));
  await fillLicensing(caller.within(licensing));
  return { councilId: council.id, planningId: planning, licensingId: licensing };
}

async function createDesk(
  caller: SampleDataCaller,
  parentId: string,
  displayName: string,
  slug: string,
): Promise<string> {
  const children = `/v4/platform/tenants/${parentId}/children`;
  const child = await caller.call("POST", children, workspace, {
    displayName,
    slug,
    usecase: "council",
  });
  await caller.call("POST", `${children}/${child.id}/bootstrap-admin`, z.looseObject({}));
  for (const member of members) {
    const path = `/v4/platform/tenants/${child.id}/members/invite`;
    await caller.call("POST", path, z.looseObject({}), member);
  }
  return child.id;
}

async function createTypes(
  caller: SampleDataCaller,
  types: readonly Partial<ObjectTypeCreation>[],
): Promise<void> {
  for (const type of types) {
    await caller.call("POST", "/v4/data/resources/object-types", objectType, type);
  }
}

async function createRecords(
  caller: SampleDataCaller,
  slug: string,
  records: readonly JsonObject[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const data of records) {
    const path = `/v4/data/resources/${caller.tenantId ?? ""}/${slug}`;
    ids.push((await caller.call("POST", path, resource, data)).id);
  }
  return ids;
}

async function fillPlanning(caller: SampleDataCaller): Promise<void> {
  await createTypes(caller, [...planningTypes, ...workflowTypes]);
  const applicationIds = await createRecords(caller, "planning-application", planningApplications);
  await createRecords(caller, "business-request", businessRequests);
  await createRecords(caller, "assess-case", assessCases(applicationIds.slice(-5)));
  for (const [slug, data] of Object.entries(workflowRecords)) {
    await createRecords(caller, slug, [data]);
  }
  const idByReference = new Map(
    planningApplications.map((record, index) => [record["reference"], applicationIds[index]]),
  );
  for (const document of sampleDocuments) {
    const form = new FormData();
    form.set("tenant_id", caller.tenantId ?? "");
    form.set("storage_target", "resourceapi");
    form.set("processing_mode", "full");
    const applicationId = idByReference.get(document.about);
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
  await createTypes(caller, [...licensingTypes, ...workflowTypes]);
  await createRecords(caller, "licence", licences);
  for (const [slug, data] of Object.entries(workflowRecords)) {
    await createRecords(caller, slug, [data]);
  }
}
