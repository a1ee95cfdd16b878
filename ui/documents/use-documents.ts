import type { DocumentPage, DocumentRecord } from "#client/index.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";

const refreshMs = 20_000;
const countRefreshMs = 30_000;

const keyOf = (document: DocumentRecord) => document.documentId;

/** The documents of the workspace, newest first. */
export function useDocuments(where: string | undefined, height: number): LiveList<DocumentRecord> {
  const { tenantId } = usePlatform();
  return useList<DocumentRecord>(
    ["documents.list", where],
    (client, request) => client.useDocuments(tenantId).list({ ...request, where }),
    { keyOf, height, refreshMs, enabled: tenantId !== undefined },
  );
}

/** One document's record; asks nothing without an id. */
export function useDocument(documentId: string | undefined): LiveAnswer<DocumentRecord> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["documents.record", documentId],
    (client, signal) => client.useDocuments(tenantId).record(documentId ?? "", { signal }),
    { refreshMs, enabled: tenantId !== undefined && documentId !== undefined },
  );
}

/** One page of a document's text. It never changes, so it is asked once. */
export function useDocumentPage(documentId: string, page: number): LiveAnswer<DocumentPage> {
  const { tenantId } = usePlatform();
  return useAnswer(
    ["documents.page", documentId, page],
    (client, signal) => client.useDocuments(tenantId).page(documentId, page, { signal }),
    { enabled: tenantId !== undefined },
  );
}

/** The number of documents in the workspace, if the platform counts them. */
export function useDocumentCount(): number | undefined {
  const { tenantId } = usePlatform();
  const { value } = useAnswer(
    ["documents.count"],
    async (client, signal) =>
      (await client.useDocuments(tenantId).list({ limit: 1, count: true, signal })).total ?? null,
    { refreshMs: countRefreshMs, enabled: tenantId !== undefined },
  );
  return value ?? undefined;
}
