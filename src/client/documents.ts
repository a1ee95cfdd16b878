import type { UploadAccepted } from "#contract/documents/upload.ts";
import type { ProcessingMode } from "#contract/documents/upload-metadata.ts";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { readBoundedText } from "#lib/bounded-body.ts";
import { parsedJson } from "#lib/json-value.ts";
import { answerOf } from "./answer.ts";
import { bodyFailure } from "./connection.ts";
import { storedContent } from "./content.ts";
import { documentParams, recordStorage } from "./document-params.ts";
import { documentResponses } from "./document-responses.ts";
import { errorFromResponse } from "./failures.ts";
import { waitForJob } from "./job-wait.ts";
import type { CallOptions, UploadFile } from "./options.ts";
import { listQuery } from "./pages.ts";
import type { Client } from "./surface.ts";
import type {
  DocumentFile,
  Documents,
  ReviewOptions,
  UploadMetadata,
  UploadOptions,
  UploadOutcome,
} from "./surface/documents.ts";
import { lookAtDocuments } from "./unreachable.ts";
import { uploadFields } from "./upload-fields.ts";

function uploadFile(file: DocumentFile): UploadFile {
  if ("content" in file) return file;
  const contentType = file.type === "" ? undefined : file.type;
  return { filename: file.name, contentType, content: file };
}

/** Documents of the client's workspace (spec 4.1, 2.5 to 2.7). */
export function documents(client: Client): Documents {
  const send = async (
    files: DocumentFile | Iterable<DocumentFile>,
    metadata: UploadMetadata,
    { onProgress, ...options }: UploadOptions,
    mode: ProcessingMode | undefined,
  ): Promise<UploadOutcome> => {
    const fields = uploadFields(metadata, options.tenantId ?? client.tenantId, mode);
    const response = await client.documents.upload.raw({
      ...options,
      fields,
      files: (Symbol.iterator in files ? [...files] : [files]).map(uploadFile),
      onProgress,
    });
    return {
      response,
      status: response.status,
      accepted: async () => await readAccepted(response, fields.tenant_id),
    };
  };

  return {
    responses: documentResponses(client),
    upload: async (files, metadata = {}, options = {}) =>
      await send(files, metadata, options, undefined),
    classify: async (files, metadata = {}, options = {}) =>
      await send(files, metadata, options, "classification"),
    job: async (jobId, options = {}) =>
      await client.documents.job({ ...options, params: { jobId } }),
    jobs: async (options = {}) => {
      const { call, query } = listQuery(options);
      return await client.documents.listJobs({ ...call, query });
    },
    waitForJob: async (jobId, options = {}) => await waitForJob(client, jobId, options),
    retryJob: async (jobId, options = {}) =>
      await client.documents.retryJob({ ...options, params: { jobId } }),
    cancelJob: async (jobId, options = {}) =>
      await client.documents.cancelJob({ ...options, params: { jobId } }),
    ragIndex: async (id, options = {}) => {
      const params = documentParams(id);
      const record = await client.documents.record({
        ...plainCall(options),
        params,
        query: recordStorage,
      });
      const { storagePath } = record;
      const body = { ...params, ...(storagePath ? { storagePath } : {}) };
      return await client.documents.ragIndex({ ...options, body });
    },
    classifyByUrl: async (url, { verticalKey, workflowKey, ...options } = {}) => {
      const keys = keyPair(verticalKey, workflowKey);
      return await client.documents.classifyByUrl({ ...options, body: { url, ...keys } });
    },
    list: async (options = {}) => {
      const { call, query } = listQuery(options);
      return await client.documents.list({ ...call, query });
    },
    search: async (query, { mode, limit, where, perDocument, ...call } = {}) => {
      const filter = typeof where === "object" ? JSON.stringify(where) : where;
      return await client.documents.search({
        ...call,
        query: { query, mode, limit, where: filter, perDocument },
      });
    },
    record: async (id, { jobId, ...options } = {}) =>
      await client.documents.record({
        ...options,
        params: documentParams(id),
        query: { ...recordStorage, job_id: jobId },
      }),
    content: async (id, { expected, ...options } = {}) => {
      const input = { ...options, params: documentParams(id), query: recordStorage };
      return await storedContent(client.documents.content, input, expected);
    },
    page: async (id, page, { words, ...options } = {}) => {
      const query = words === true ? ({ words: "true" } as const) : {};
      return await client.documents.page({
        ...options,
        params: { ...documentParams(id), page },
        query,
      });
    },
    tables: async (id, { ofPage, ...options } = {}) => {
      const { call, query } = listQuery(options);
      const params = documentParams(id);
      return await client.documents.tables({ ...call, params, query: { ...query, ofPage } });
    },
    reviews: async ({ status, documentId, ...options } = {}) => {
      const { call, query } = listQuery(options);
      return await client.reviews.list({ ...call, query: { ...query, status, documentId } });
    },
    acceptReview: async (id, target, options = {}) =>
      await client.reviews.decide({
        ...guarded(options),
        params: documentParams(id),
        body: { action: "accept", target },
      }),
    correctReview: async (id, target, value, options = {}) =>
      await client.reviews.decide({
        ...guarded(options),
        params: documentParams(id),
        body: { action: "correct", target, value },
      }),
    reviewHistory: async (id, options = {}) => {
      const { call, query } = listQuery(options);
      return await client.reviews.history({ ...call, params: documentParams(id), query });
    },
    delete: async (id, options = {}) => {
      const params = documentParams(id);
      const receipt = await client.documents.delete({ ...options, params, query: recordStorage });
      if (receipt.complete !== false) return receipt;
      const details = `document ${id} was removed incompletely`;
      throw catalogError("E203", { details }, { status: 200, hint: "Delete it again" });
    },
  };
}

function guarded({ version, ...options }: ReviewOptions) {
  return version === undefined ? options : { ...options, headers: { "if-match": `"${version}"` } };
}

/** A read before a write has no key. */
function plainCall({ idempotencyKey: _, ...options }: CallOptions): CallOptions {
  return options;
}

/** Both keys of a workflow, or neither (spec 4.1 rule 12). Throws E305. */
function keyPair(
  vertical_key: string | undefined,
  workflow_key: string | undefined,
): { readonly vertical_key: string; readonly workflow_key: string } | undefined {
  if (vertical_key === undefined && workflow_key === undefined) return undefined;
  if (vertical_key?.trim() && workflow_key?.trim()) return { vertical_key, workflow_key };
  throw catalogError("E305", { details: "both the app key and the workflow key must be given" });
}

const maximumAcceptedBytes = 1024 * 1024;
const acceptedTimeoutMs = 30_000;
const maybeAccepted = `The upload may have been accepted. ${lookAtDocuments}`;

/** The job of an upload's 202 (spec 4.1 rule 10). E203 if unreadable: then do not send it again. */
async function readAccepted(response: Response, tenantId: string): Promise<UploadAccepted> {
  const copy = response.clone();
  const { ok, status } = response;
  if (!ok) {
    const subject = `Workspace ${tenantId}`;
    throw await errorFromResponse(copy, { subject, unexplained: maybeAccepted });
  }
  const unread = (details: string): CatalogError =>
    catalogError("E203", { details }, { status, hint: maybeAccepted });
  const limits = { limitMs: acceptedTimeoutMs };
  const text = await readBoundedText(copy, maximumAcceptedBytes, limits).catch((error: unknown) => {
    throw unread(`the response to the upload can't be read: ${bodyFailure(error)}`);
  });
  const accepted = await answerOf("documents", "upload", "reply", parsedJson(text));
  if (accepted !== undefined) return accepted;
  throw unread("the response to the upload has no job");
}
