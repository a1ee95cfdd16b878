import type { DocumentRecord } from "#client/index.ts";
import { listPlace } from "../kit/places/list-place.tsx";
import type { Column } from "../kit/table/columns.ts";
import { distanceWords, sizeWords } from "../kit/text/words.ts";
import { documentErasure, documentRestore } from "./actions.ts";
import type { DocumentKeys } from "./keys.ts";
import { documentKey } from "./use-documents.ts";
import { documentName } from "./words.ts";

/** When a trashed document is deleted for good, as the platform adds it to the record. */
function untilOf({ restorableUntil }: DocumentRecord): string {
  return typeof restorableUntil === "string" ? restorableUntil : "";
}

function trashColumns(nowMs: number): Column<DocumentRecord>[] {
  return [
    {
      id: "filename",
      title: "document",
      value: documentName,
      priority: 0,
      pinned: true,
      minimum: 16,
      maximum: 48,
    },
    {
      id: "number",
      title: "number",
      value: (document) => document.documentNumber ?? "",
      priority: 2,
      minimum: 15,
    },
    {
      id: "until",
      title: "restorable",
      value: (document) => distanceWords(untilOf(document), nowMs),
      priority: 1,
    },
    {
      id: "size",
      title: "size",
      align: "right",
      value: ({ size }) => sizeWords(size),
      priority: 3,
      minimum: 8,
    },
  ];
}

/** The documents in the trash, last deleted first. */
export const TrashScreen = listPlace<DocumentRecord, DocumentKeys>({
  name: "trash",
  title: "Documents in the trash",
  loading: "Loading the trash",
  list: {
    question: "documents.deleted",
    keyOf: documentKey,
    ask: (client, { tenantId, signal, query }) =>
      client.useDocuments(tenantId).deleted({ ...query, signal }),
  },
  columns: trashColumns,
  actions: { restore: documentRestore, erase: documentErasure },
  copied: documentName,
  command: () => [["docs", "deleted"]],
  missing: { words: "This platform has no trash for documents." },
  empty: { words: "The trash is empty: it keeps deleted documents for some days." },
});
