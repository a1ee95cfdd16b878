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
import { json, members, multipart, replies, repliesBytes, route } from "../route.ts";
import { storedId, wholeNumber } from "../values.ts";

const recordParams = z.object({ documentId });
const jobParams = z.object({ jobId: storedId });
const recordQuery = z.object({
  storage_target: z.literal(storageTarget).optional(),
  job_id: storedId.optional().describe("A lookup cross-check only; grants no authority"),
});

export const documentRoutes = {
  /** Text fields come before files in the form, so that a refused request stores no file. */
  upload: route.post("/v4/data/documents/upload", {
    summary: "Upload documents; accepted with a job",
    source: "spec 4.1, 2.5",
    ...members("tenant-staff", "header"),
    body: multipart(uploadFields, "files"),
    reply: replies(uploadAccepted, 202),
    idempotent: true,
  }),
  listJobs: route.get("/v4/data/documents/jobs", {
    summary: "List a workspace's document jobs, newest first",
    source: "list conventions",
    ...members("tenant-viewer", "header"),
    query: fixedListQuery,
    reply: replies(listBody(documentJob)),
  }),
  job: route.get("/v4/data/documents/jobs/{jobId}", {
    summary: "A job's status with its stages; pushed at each change as server-sent events",
    source: "spec 4.1",
    ...members("tenant-viewer", "header"),
    params: jobParams,
    reply: replies(documentJob),
    events: documentJob,
  }),
  retryJob: route.post("/v4/data/documents/jobs/{jobId}/retry", {
    summary: "Run a failed, cancelled or incomplete job again from its last good stage",
    source: "documents and jobs conventions",
    ...members("tenant-staff", "header"),
    params: jobParams,
    reply: replies(documentJob, 202),
  }),
  cancelJob: route.post("/v4/data/documents/jobs/{jobId}/cancel", {
    summary: "Stop a queued or running job",
    source: "documents and jobs conventions",
    ...members("tenant-staff", "header"),
    params: jobParams,
    reply: replies(documentJob, 202),
  }),
  /** Refused while another job processes the document, and where its lifecycle has no index. */
  ragIndex: route.post("/v4/data/documents/rag-index", {
    summary: "Index a document again for answers; accepted with a job",
    source: "spec 4.1",
    ...members("tenant-staff", "header"),
    body: json(ragIndexRequest),
    reply: replies(documentJob, 202),
    idempotent: true,
  }),
  classifyByUrl: route.post("/v4/data/documents/classify-by-url", {
    summary: "Analyse the file at a URL, and store nothing",
    source: "spec 4.1",
    ...members("tenant-staff", "header"),
    body: json(urlAnalysisRequest),
    reply: replies(urlAnalysis),
    asks: true,
  }),
  list: route.get("/v4/data/documents/records", {
    summary: "List a workspace's documents",
    source: "list conventions",
    ...members("tenant-viewer", "header"),
    query: listQuery,
    reply: replies(listBody(documentRecord)),
  }),
  search: route.get("/v4/data/documents/search", {
    summary: "Search the passages of documents",
    source: "document conventions",
    ...members("tenant-viewer", "header"),
    query: documentSearchQuery,
    reply: replies(documentSearchAnswer),
  }),
  record: route.get("/v4/data/documents/records/{documentId}", {
    summary: "The persisted document record",
    source: "spec 4.1",
    ...members("tenant-viewer", "header"),
    params: recordParams,
    query: recordQuery,
    reply: replies(documentRecord),
  }),
  content: route.get("/v4/data/documents/records/{documentId}/content", {
    summary: "The original file, unchanged",
    source: "spec 4.1",
    ...members("tenant-viewer", "header"),
    params: recordParams,
    query: recordQuery,
    reply: repliesBytes,
  }),
  page: route.get("/v4/data/documents/records/{documentId}/pages/{page}", {
    summary: "One page of the extracted text, where citations point",
    source: "chat conventions",
    ...members("tenant-viewer", "header"),
    params: recordParams.extend({ page: wholeNumber(1, 1_000_000) }),
    query: z.object({
      words: z.enum(["true", "false"]).optional().describe("With the place of each word"),
    }),
    reply: replies(documentPage),
  }),
  tables: route.get("/v4/data/documents/records/{documentId}/tables", {
    summary: "The tables of a document, with the place of each cell",
    source: "content understanding conventions",
    ...members("tenant-viewer", "header"),
    params: recordParams,
    query: fixedListQuery.extend({
      ofPage: wholeNumber(1, 1_000_000).optional().describe("Only tables of this page"),
    }),
    reply: replies(listBody(documentTable)),
  }),
  delete: route.delete("/v4/data/documents/records/{documentId}", {
    summary: "Remove the owned file and its analysis",
    source: "spec 4.1, 5.5",
    ...members("tenant-staff", "header"),
    params: recordParams,
    query: recordQuery,
    reply: replies(deletionReceipt),
    guarded: true,
  }),
};
