import type { DocumentPage, DocumentRecord } from "#client/index.ts";
import type { PlaceList } from "../kit/places/action.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";

export const documentKey = ({ documentId }: DocumentRecord) => documentId;

/** The documents of the workspace, newest first. */
export const documentList: PlaceList<DocumentRecord> = {
  question: "documents.list",
  keyOf: documentKey,
  ask: (client, { tenantId, signal, query, where }) =>
    client.useDocuments(tenantId).list({ ...query, signal, where }),
};

/** One document's record; no request is sent without an id. */
export function useDocument(documentId: string | undefined): LiveAnswer<DocumentRecord> {
  return useAnswer(
    ["documents.record", documentId],
    (client, signal, tenantId) =>
      client.useDocuments(tenantId).record(documentId ?? "", { signal }),
    { shown: true, enabled: documentId !== undefined },
  );
}

/** One page of a document's text. It never changes, so it is asked once. */
export function useDocumentPage(documentId: string, page: number): LiveAnswer<DocumentPage> {
  return useAnswer(["documents.page", documentId, page], (client, signal, tenantId) =>
    client.useDocuments(tenantId).page(documentId, page, { signal }),
  );
}

/** The number of documents in the workspace, if the platform counts them. */
export function useDocumentCount(): number | undefined {
  const { value } = useAnswer(
    ["documents.count"],
    async (client, signal, tenantId) =>
      (await client.useDocuments(tenantId).list({ limit: 1, count: true, signal })).total ?? null,
    { shown: true },
  );
  return value ?? undefined;
}
