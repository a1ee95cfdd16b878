import { documentParams, recordStorage } from "./document-params.ts";
import { listQuery } from "./pages.ts";
import type { Client } from "./surface.ts";
import type { DocumentResponses } from "./surface/documents.ts";

/** The calls of {@link DocumentResponses}. */
export function documentResponses({ documents, reviews }: Client): DocumentResponses {
  const recordInput = (id: string) => ({ params: documentParams(id), query: recordStorage });
  return {
    job: async (jobId, options) => await documents.job.raw({ ...options, params: { jobId } }),
    jobs: async (options = {}) => {
      const { call, query } = listQuery(options);
      return await documents.listJobs.raw({ ...call, query });
    },
    retryJob: async (jobId, options) =>
      await documents.retryJob.raw({ ...options, params: { jobId } }),
    cancelJob: async (jobId, options) =>
      await documents.cancelJob.raw({ ...options, params: { jobId } }),
    ragIndex: async (id, { storagePath, ...options } = {}) => {
      const body = { ...documentParams(id), ...(storagePath ? { storagePath } : {}) };
      return await documents.ragIndex.raw({ ...options, body });
    },
    classifyByUrl: async (url, options) =>
      await documents.classifyByUrl.raw({ ...options, body: { url } }),
    list: async (options = {}) => {
      const { call, query } = listQuery(options);
      return await documents.list.raw({ ...call, query });
    },
    record: async (id, options) => await documents.record.raw({ ...options, ...recordInput(id) }),
    content: async (id, options) => await documents.content.raw({ ...options, ...recordInput(id) }),
    page: async (id, page, { words, ...options } = {}) => {
      const query = words === true ? ({ words: "true" } as const) : {};
      return await documents.page.raw({
        ...options,
        params: { ...documentParams(id), page },
        query,
      });
    },
    tables: async (id, { ofPage, ...options } = {}) => {
      const { call, query } = listQuery(options);
      const params = documentParams(id);
      return await documents.tables.raw({ ...call, params, query: { ...query, ofPage } });
    },
    search: async (query, { mode, limit, where, perDocument, ...call } = {}) => {
      const filter = typeof where === "object" ? JSON.stringify(where) : where;
      const asked = { query, mode, limit, where: filter, perDocument };
      return await documents.search.raw({ ...call, query: asked });
    },
    reviews: async ({ status, documentId, ...options } = {}) => {
      const { call, query } = listQuery(options);
      return await reviews.list.raw({ ...call, query: { ...query, status, documentId } });
    },
    reviewHistory: async (id, options = {}) => {
      const { call, query } = listQuery(options);
      return await reviews.history.raw({ ...call, params: documentParams(id), query });
    },
    delete: async (id, options) => await documents.delete.raw({ ...options, ...recordInput(id) }),
  };
}
