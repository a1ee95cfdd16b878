import * as z from "zod";
import { uploadMetadataNames } from "./upload-metadata.ts";
import { uuid } from "../values.ts";

export const processingModes = ["classification", "rag", "full", "store_only"] as const;
/** What is done with an upload: kept, read and classified, made answerable, or all of it (spec 2.5). */
export type ProcessingMode = (typeof processingModes)[number];

/** Chosen by the server from the saved classifier binding (spec 2.8). */
export const documentLifecycles = [
  "planning-assist-v1",
  "planning-assess-v1",
  "business-document-v1",
] as const;
export type DocumentLifecycle = (typeof documentLifecycles)[number];

/** The only storage target that is accepted (spec 2.5). */
export const storageTarget = "resourceapi";

const metadataText = z.string().max(16_384).optional();
const metadataFields = Object.fromEntries(
  uploadMetadataNames.map((name) => [name, metadataText]),
) as Record<(typeof uploadMetadataNames)[number], typeof metadataText>;
const key = z.string().trim().min(1).max(255);

/** Text fields of the upload form (spec 2.5). The key pair travels as vertical_key and workflow_key. */
export const uploadFields = z
  .strictObject({
    tenant_id: uuid,
    storage_target: z.literal(storageTarget),
    processing_mode: z.enum(processingModes),
    planning_application_id: uuid.optional(),
    business_request_id: uuid.optional(),
    assess_case_id: uuid.optional(),
    vertical_key: key.optional(),
    workflow_key: key.optional(),
    ...metadataFields,
  })
  .meta({ id: "DocumentUploadFields" });
export type UploadFields = z.output<typeof uploadFields>;

/** Other spellings that the platform takes for the key pair; a conflict is refused. */
export const uploadFieldAliases: Readonly<Record<string, "vertical_key" | "workflow_key">> = {
  app_key: "vertical_key",
  appKey: "vertical_key",
  verticalKey: "vertical_key",
  workflowKey: "workflow_key",
};

/** A document as a job and an upload name it. */
export const documentReference = z.looseObject({
  documentId: z.string(),
  documentNumber: z.string().optional(),
  filename: z.string().optional(),
  duplicateOf: z.string().optional(),
});

/** 202: accepted, which is not processing success (spec 2.6). */
export const uploadAccepted = z
  .looseObject({
    jobId: z.string(),
    documentId: z.string().optional(),
    documentNumber: z.string().optional(),
    documents: z.array(documentReference).optional(),
    status: z.string().optional(),
    /** The document that already holds these bytes in this scope; no second run is made. */
    duplicateOf: z.string().optional(),
  })
  .meta({ id: "DocumentUploadAccepted" });
/** What a 202 says: the job that was queued, and the documents that it is about (spec 2.6). */
export type UploadAccepted = z.output<typeof uploadAccepted>;
