import * as z from "zod";
import { ragIndexRequest, urlAnalysis, urlAnalysisRequest } from "./analysis.ts";
import { documentJob } from "./jobs.ts";
import {
  deletionReceipt,
  documentId,
  documentPage,
  documentRecord,
  documentTable,
} from "./records.ts";
import { documentSearchAnswer, documentSearchQuery } from "./search.ts";
import { uploadAccepted, uploadFields } from "./upload.ts";
import { storageTarget } from "./upload-metadata.ts";
import { fixedListQuery, listBody, listQuery } from "../lists.ts";
import { permanent } from "../resources/deletions.ts";
import { json, members, multipart, replies, repliesBytes, route } from "../route.ts";
import { storedId, timestamp, wholeNumber } from "../values.ts";

const recordParams = z.object({ documentId });
const pageParams = recordParams.extend({ page: wholeNumber(1, 1_000_000) });
const jobParams = z.object({ jobId: storedId });
const recordQuery = z.object({
  storage_target: z.literal(storageTarget).optional(),
  job_id: storedId.optional().describe("A lookup cross-check only; grants no authority"),
});

/** Widths of the picture of a page, in dots. */
export const pictureWidths = { least: 16, most: 2_000, usual: 1_000 } as const;

export const documentRoutes = {
  /** Text fields come before files in the form, so that a refused request stores no file. */
  upload: route.post("/v4/data/documents/upload", {
    summary: "Upload documents; accepted with a job",
    ...members("tenant-staff", "header", "spec 4.1, 2.5"),
    body: multipart(uploadFields, "files"),
    reply: replies(uploadAccepted, 202),
    idempotent: true,
  }),
  listJobs: route.get("/v4/data/documents/jobs", {
    summary: "List a workspace's document jobs, newest first",
    ...members("tenant-viewer", "header", "list conventions"),
    query: fixedListQuery,
    reply: replies(listBody(documentJob)),
  }),
  job: route.get("/v4/data/documents/jobs/{jobId}", {
    summary: "A job's status with its stages; pushed at each change as server-sent events",
    ...members("tenant-viewer", "header", "spec 4.1"),
    params: jobParams,
    reply: replies(documentJob),
    events: documentJob,
  }),
  retryJob: route.post("/v4/data/documents/jobs/{jobId}/retry", {
    summary: "Run a failed, cancelled or incomplete job again from its last good stage",
    ...members("tenant-staff", "header", "documents and jobs conventions"),
    params: jobParams,
    reply: replies(documentJob, 202),
  }),
  cancelJob: route.post("/v4/data/documents/jobs/{jobId}/cancel", {
    summary: "Stop a queued or running job",
    ...members("tenant-staff", "header", "documents and jobs conventions"),
    params: jobParams,
    reply: replies(documentJob, 202),
  }),
  /** Refused while another job processes the document, and where its lifecycle has no index. */
  ragIndex: route.post("/v4/data/documents/rag-index", {
    summary: "Index a document again for answers; accepted with a job",
    ...members("tenant-staff", "header", "spec 4.1"),
    body: json(ragIndexRequest),
    reply: replies(documentJob, 202),
    idempotent: true,
  }),
  classifyByUrl: route.post("/v4/data/documents/classify-by-url", {
    summary: "Analyse the file at a URL, and store nothing",
    ...members("tenant-staff", "header", "spec 4.1"),
    body: json(urlAnalysisRequest),
    reply: replies(urlAnalysis),
    asks: true,
  }),
  list: route.get("/v4/data/documents/records", {
    summary: "List a workspace's documents",
    ...members("tenant-viewer", "header", "list conventions"),
    query: listQuery,
    reply: replies(listBody(documentRecord)),
  }),
  search: route.get("/v4/data/documents/search", {
    summary: "Search the passages of documents",
    ...members("tenant-viewer", "header", "document conventions"),
    query: documentSearchQuery,
    reply: replies(documentSearchAnswer),
  }),
  record: route.get("/v4/data/documents/records/{documentId}", {
    summary: "The persisted document record",
    ...members("tenant-viewer", "header", "spec 4.1"),
    params: recordParams,
    query: recordQuery,
    reply: replies(documentRecord),
  }),
  content: route.get("/v4/data/documents/records/{documentId}/content", {
    summary: "The original file, unchanged",
    ...members("tenant-viewer", "header", "spec 4.1"),
    params: recordParams,
    query: recordQuery,
    reply: repliesBytes,
  }),
  page: route.get("/v4/data/documents/records/{documentId}/pages/{page}", {
    summary: "One page of the extracted text, where citations point",
    ...members("tenant-viewer", "header", "chat conventions"),
    params: pageParams,
    query: z.object({
      words: z.enum(["true", "false"]).optional().describe("With the place of each word"),
    }),
    reply: replies(documentPage),
  }),
  /**
   * A PNG of a page that is a scan, a photograph or a picture file; drawn for each request and
   * never enlarged. 422 `no-page-picture` for a page of text, which the platform can't draw.
   */
  picture: route.get("/v4/data/documents/records/{documentId}/pages/{page}/picture", {
    summary: "The picture of a scanned page as PNG",
    ...members("tenant-viewer", "header", "documents and jobs conventions"),
    params: pageParams,
    query: z.object({
      width: wholeNumber(pictureWidths.least, pictureWidths.most)
        .optional()
        .describe(`At most so many dots wide (default ${pictureWidths.usual})`),
    }),
    reply: repliesBytes,
  }),
  tables: route.get("/v4/data/documents/records/{documentId}/tables", {
    summary: "The tables of a document, with the place of each cell",
    ...members("tenant-viewer", "header", "content understanding conventions"),
    params: recordParams,
    query: fixedListQuery.extend({
      ofPage: wholeNumber(1, 1_000_000).optional().describe("Only tables of this page"),
    }),
    reply: replies(listBody(documentTable)),
  }),
  /**
   * With `trash=true` the document is only hidden; without it the removal is final.
   * `permanent=true` needs a tenant-admin, removes what names the document too, and takes one
   * that is deleted.
   */
  delete: route.delete("/v4/data/documents/records/{documentId}", {
    summary: "Remove the owned file and its analysis, or put it into the trash",
    ...members("tenant-staff", "header", "spec 4.1, 5.5"),
    params: recordParams,
    query: recordQuery.extend({
      trash: z.enum(["true", "false"]).optional().describe("Keep it restorable for some days"),
      permanent,
    }),
    reply: replies(deletionReceipt),
    guarded: true,
  }),
  deleted: route.get("/v4/data/documents/deleted", {
    summary: "Documents in the trash, last deleted first",
    ...members("tenant-viewer", "header", "list conventions"),
    query: fixedListQuery,
    reply: replies(listBody(documentRecord.extend({ restorableUntil: timestamp.optional() }))),
  }),
  restore: route.post("/v4/data/documents/records/{documentId}/restore", {
    summary: "Bring a document back from the trash",
    ...members("tenant-staff", "header", "documents and jobs conventions"),
    params: recordParams,
    reply: replies(documentRecord),
    idempotent: true,
  }),
};
