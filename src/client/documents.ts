import type { ProcessingMode } from "#contract/documents/upload.ts";
import { readContent, restOf, wholeResponse } from "./content.ts";
import { waitForJob } from "./job-wait.ts";
import { listQuery } from "./list-query.ts";
import type { UploadFile } from "./options.ts";
import { bareRecordId } from "./record-id.ts";
import type { Client } from "./surface.ts";
import type {
  DocumentFile,
  Documents,
  UploadMetadata,
  UploadOptions,
  UploadOutcome,
} from "./surface/documents.ts";
import { readAccepted } from "./upload-accepted.ts";
import { uploadFields } from "./upload-fields.ts";

/** Every record call names the storage that it means (spec 4.1). */
const storage = { storage_target: "resourceapi" } as const;

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
    const fields = await uploadFields(metadata, options.tenantId ?? client.tenantId, mode);
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
    list: async (options = {}) => {
      const { call, query } = listQuery(options);
      return await client.documents.list({ ...call, query });
    },
    record: async (id, { jobId, ...options } = {}) =>
      await client.documents.record({
        ...options,
        params: { documentId: bareRecordId(id) },
        query: jobId === undefined ? storage : { ...storage, job_id: jobId },
      }),
    content: async (id, { expected, ...options } = {}) => {
      const call = { ...options, params: { documentId: bareRecordId(id) }, query: storage };
      const response = await client.documents.content(call);
      return readContent(
        await wholeResponse(response, options.headers),
        expected,
        options.signal,
        async (from, tag) =>
          await client.documents.content.raw({
            ...call,
            headers: restOf(options.headers, from, tag),
          }),
      );
    },
    page: async (id, page, options = {}) =>
      await client.documents.page({ ...options, params: { documentId: bareRecordId(id), page } }),
    delete: async (id, options = {}) =>
      await client.documents.delete({
        ...options,
        params: { documentId: bareRecordId(id) },
        query: storage,
      }),
  };
}
