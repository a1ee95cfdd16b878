import * as z from "zod";
import { listBody, listQuery } from "./lists.ts";
import { multipart, replies, repliesBytes, route } from "./route.ts";
import { uploadMetadataNames } from "./upload-metadata.ts";
import { jsonObject, timestamp, uuid, wholeNumber } from "./values.ts";

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

const documentReference = z.looseObject({
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

const jobStatuses = [
  "queued",
  "running",
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
  "interrupted",
] as const;
/** States of a job; `interrupted` goes on by itself when its platform is back (spec 2.7). */
export type JobStatus = (typeof jobStatuses)[number];

/** States in which a job's tracker changes no more by itself. */
export const finalJobStatuses: ReadonlySet<string> = new Set([
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
]);

export const stageNames = ["store", "extract", "classify", "analyze", "index"] as const;
/** Stages of a job, in their order. */
export type StageName = (typeof stageNames)[number];
const stageStatuses = ["pending", "running", "succeeded", "failed", "skipped"] as const;
/** States of a stage. */
export type StageStatus = (typeof stageStatuses)[number];

const jobError = z.looseObject({ code: z.string().optional(), message: z.string() });

const jobStage = z.looseObject({
  name: z.string(),
  status: z.string(),
  attempt: z.int().optional(),
  progress: z
    .looseObject({ done: z.number(), total: z.number().nullable(), unit: z.string() })
    .nullable()
    .optional(),
  startedAt: timestamp.nullable().optional(),
  finishedAt: timestamp.nullable().optional(),
  error: jobError.nullable().optional(),
});
/** One stage of a job: how far it is, and what went wrong in it. Times are RFC 3339. */
export type JobStage = z.output<typeof jobStage>;

/** A document job's tracker (spec 2.6). Only `jobId` and `status` are required of a deployment. */
export const documentJob = z
  .looseObject({
    jobId: z.string(),
    status: z.string(),
    percentCompleted: z.number().optional(),
    documentId: z.string().nullable().optional(),
    documentIds: z.array(z.string()).optional(),
    documents: z.array(documentReference).optional(),
    stages: z.array(jobStage).optional(),
    counts: z.record(z.string(), z.number()).optional(),
    error: jobError.nullable().optional(),
    createdAt: timestamp.optional(),
    updatedAt: timestamp.optional(),
    expiresAt: timestamp.nullable().optional(),
  })
  .meta({ id: "DocumentJob" });
/** The processing of an upload, stage by stage; gone after `expiresAt` (spec 2.7). */
export type DocumentJob = z.output<typeof documentJob>;

const extractedField = z.looseObject({
  type: z.string().optional(),
  value: z.unknown(),
  confidence: z.number().optional(),
  page: z.int().nullable().optional(),
  span: z.looseObject({ start: z.int(), end: z.int() }).nullable().optional(),
  method: z.string().optional(),
});

/** The persisted record of a document (spec 2.7). */
export const documentRecord = z
  .looseObject({
    documentId: z.string(),
    documentNumber: z.string().optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
    /** Bytes of the original file. */
    size: z.number().optional(),
    sha256: z.string().optional(),
    storagePath: z.string().optional(),
    lifecycle: z.string().nullable().optional(),
    processingMode: z.string().optional(),
    status: z.string().optional(),
    context: jsonObject.optional(),
    classification: z
      .looseObject({
        label: z.string(),
        confidence: z.number().optional(),
        candidates: z
          .array(z.looseObject({ label: z.string(), confidence: z.number() }))
          .optional(),
      })
      .nullable()
      .optional(),
    fields: z.record(z.string(), extractedField).nullable().optional(),
    pages: z.int().nullable().optional(),
    chunkCount: z.int().nullable().optional(),
    indexStatus: z.string().optional(),
    jobId: z.string().nullable().optional(),
    createdBy: z.string().nullable().optional(),
    created_at: timestamp.optional(),
    updated_at: timestamp.optional(),
    version: z.int().optional(),
  })
  .meta({ id: "DocumentRecord" });
/** What is known of a document: its file, its class, the fields found in it (spec 2.6). `size` is in bytes. */
export type DocumentRecord = z.output<typeof documentRecord>;

/** One page of a document's extracted text; citation spans are UTF-16 offsets into `text`. */
const documentPage = z
  .looseObject({
    documentId: z.string(),
    page: z.int(),
    pages: z.int().optional(),
    text: z.string(),
  })
  .meta({ id: "DocumentPage" });
/** The text of one page, from 1; spans of citations are offsets of UTF-16 units into it. */
export type DocumentPage = z.output<typeof documentPage>;

/** What a deletion removed; anything left over is a 5xx with `complete: false`. */
const deletionReceipt = z
  .looseObject({
    documentId: z.string().optional(),
    removed: z.record(z.string(), z.union([z.boolean(), z.number()])).optional(),
    complete: z.boolean().optional(),
  })
  .meta({ id: "DocumentDeletionReceipt" });

/** `DOC-2026-000042`, or a UUID, hyphenated or compact (spec 2.7). */
export const documentId = z
  .string()
  .max(64)
  .regex(
    /^(?:DOC-[A-Za-z0-9-]+|[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/,
    "is neither DOC-… nor a UUID",
  );

const recordParams = z.object({ documentId });
const jobParams = z.object({ jobId: uuid });
const recordQuery = z.object({
  storage_target: z.literal(storageTarget).optional(),
  job_id: uuid.optional().describe("A lookup cross-check only; grants no authority"),
});

export const documentRoutes = {
  /** Fields come before files in the form, so that a refusal writes no upload data. */
  upload: route({
    method: "POST",
    path: "/v4/data/documents/upload",
    summary: "Upload documents; accepted with a job",
    source: "spec 4.1, 2.5",
    access: "tenant-staff",
    workspace: "header",
    body: multipart(uploadFields, "files"),
    reply: replies(uploadAccepted, 202),
    idempotent: true,
  }),
  listJobs: route({
    method: "GET",
    path: "/v4/data/documents/jobs",
    summary: "List a workspace's document jobs, newest first",
    source: "list conventions",
    access: "tenant-viewer",
    workspace: "header",
    query: listQuery.pick({ page: true, limit: true, cursor: true, count: true }),
    reply: replies(listBody(documentJob)),
  }),
  job: route({
    method: "GET",
    path: "/v4/data/documents/jobs/{jobId}",
    summary: "A job's status with its stages; pushed at each change as server-sent events",
    source: "spec 4.1",
    access: "tenant-viewer",
    workspace: "header",
    params: jobParams,
    reply: replies(documentJob),
    events: documentJob,
  }),
  retryJob: route({
    method: "POST",
    path: "/v4/data/documents/jobs/{jobId}/retry",
    summary: "Run a failed, cancelled or incomplete job again from its last good stage",
    source: "documents and jobs conventions",
    access: "tenant-staff",
    workspace: "header",
    params: jobParams,
    reply: replies(documentJob, 202),
  }),
  cancelJob: route({
    method: "POST",
    path: "/v4/data/documents/jobs/{jobId}/cancel",
    summary: "Stop a queued or running job",
    source: "documents and jobs conventions",
    access: "tenant-staff",
    workspace: "header",
    params: jobParams,
    reply: replies(documentJob, 202),
  }),
  list: route({
    method: "GET",
    path: "/v4/data/documents/records",
    summary: "List a workspace's documents",
    source: "list conventions",
    access: "tenant-viewer",
    workspace: "header",
    query: listQuery,
    reply: replies(listBody(documentRecord)),
  }),
  record: route({
    method: "GET",
    path: "/v4/data/documents/records/{documentId}",
    summary: "The persisted document record",
    source: "spec 4.1",
    access: "tenant-viewer",
    workspace: "header",
    params: recordParams,
    query: recordQuery,
    reply: replies(documentRecord),
  }),
  content: route({
    method: "GET",
    path: "/v4/data/documents/records/{documentId}/content",
    summary: "The original file, unchanged",
    source: "spec 4.1",
    access: "tenant-viewer",
    workspace: "header",
    params: recordParams,
    query: recordQuery,
    reply: repliesBytes,
  }),
  page: route({
    method: "GET",
    path: "/v4/data/documents/records/{documentId}/pages/{page}",
    summary: "One page of the extracted text, where citations point",
    source: "chat conventions",
    access: "tenant-viewer",
    workspace: "header",
    params: recordParams.extend({ page: wholeNumber(1, 1_000_000) }),
    reply: replies(documentPage),
  }),
  delete: route({
    method: "DELETE",
    path: "/v4/data/documents/records/{documentId}",
    summary: "Remove the owned file and its analysis",
    source: "spec 4.1, 5.5",
    access: "tenant-staff",
    workspace: "header",
    params: recordParams,
    query: recordQuery,
    reply: replies(deletionReceipt),
    guarded: true,
  }),
};
