import * as z from "zod";
import { processingModes, storageTarget, uploadMetadataNames } from "./upload-metadata.ts";
import { alsoNamed, named } from "../deployments.ts";
import { storedId, uuid } from "../values.ts";

const metadataText = z.string().max(16_384).optional();
const metadataFields = Object.fromEntries(
  uploadMetadataNames.map((name) => [name, metadataText]),
) as Record<(typeof uploadMetadataNames)[number], typeof metadataText>;
const key = z.string().trim().min(1).max(255);

/** Text fields of the upload form; the key pair is `vertical_key` and `workflow_key` (spec 2.5). */
export const uploadFields = z
  .strictObject({
    tenant_id: uuid,
    storage_target: z.literal(storageTarget),
    processing_mode: z.enum(processingModes),
    planning_application_id: storedId.optional(),
    business_request_id: storedId.optional(),
    assess_case_id: storedId.optional(),
    vertical_key: key.optional().describe("With workflow_key; also app_key, appKey or verticalKey"),
    workflow_key: key.optional().describe("With vertical_key; also workflowKey"),
    ...metadataFields,
  })
  .meta({ id: "DocumentUploadFields" });
export type UploadFields = z.output<typeof uploadFields>;

/** Other accepted spellings of the key pair; conflicting values are refused. */
export const uploadFieldAliases: Readonly<Record<string, "vertical_key" | "workflow_key">> = {
  app_key: "vertical_key",
  appKey: "vertical_key",
  verticalKey: "vertical_key",
  workflowKey: "workflow_key",
};

/** A document as jobs and uploads refer to it. */
export const documentReference = z.looseObject({
  documentId: alsoNamed(z.string(), "id", "documentNumber"),
  documentNumber: z.string().optional(),
  filename: z.string().optional(),
  duplicateOf: z.string().optional(),
});

/** A document of an upload, with the facts of the received file. */
const uploadedDocument = documentReference.extend({
  /** Length of the received file in bytes. */
  size: z.int().optional(),
  /** The digest of the received file as 64 hexadecimal digits. */
  sha256: z.string().optional(),
});

export const uploadAccepted = z
  .looseObject({
    jobId: named(z.string()),
    documentId: z.string().optional(),
    documentNumber: z.string().optional(),
    documents: z.array(uploadedDocument).optional(),
    status: z.string().optional(),
    /** The document that already has these bytes in this scope; no job runs again. */
    duplicateOf: z.string().optional(),
  })
  .meta({ id: "DocumentUploadAccepted" });
/** The queued job and its documents; acceptance is not processing success (spec 2.6). */
export type UploadAccepted = z.output<typeof uploadAccepted>;
