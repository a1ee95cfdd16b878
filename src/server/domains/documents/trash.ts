import type { DeletionReceipt, DocumentRecord } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import { restorableUntil } from "../../kit/limits.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import type { Work } from "../../work/work.ts";
import { documentByContent, documentById, type Document } from "./store/documents.ts";
import { trashDocument, trashedDocuments, untrashDocument } from "./store/trashed-documents.ts";
import { documentRecordOf } from "./wire.ts";

export interface TrashParts {
  readonly now: () => Date;
  readonly limits: { readonly trashDays: number };
}

/** Hides a document, which then is never the original of another upload; 409 without a trash. */
export async function trashed(
  work: Work,
  document: Document,
  { now, limits }: TrashParts,
): Promise<DeletionReceipt> {
  const date = now();
  const until = restorableUntil(date, limits.trashDays);
  if (until === undefined) {
    const detail = "Cannot keep this document: the platform has no trash; delete it for good";
    throw new Refusal("conflict", { detail });
  }
  const answer = { documentId: document.id, trashed: true as const, restorableUntil: until };
  await work.write(async (tx) => {
    const isHidden = await trashDocument(tx, document, { now: date.toISOString(), until });
    if (!isHidden) throw new Refusal("not-found");
  });
  return answer;
}

/** Brings a document back; 404 if it is not in the trash, 409 where its bytes were sent again. */
export async function untrashed(
  work: Work,
  document: Document,
  { now }: TrashParts,
): Promise<DocumentRecord> {
  return work.write(async (tx) => {
    const same = await documentByContent(tx, document);
    if (same !== undefined) {
      throw new Refusal("not-restorable", {
        detail: `Cannot restore ${document.number}: ${same.number} has the same bytes and context`,
        members: { documentId: same.id, documentNumber: same.number },
      });
    }
    const isBack = await untrashDocument(tx, document, now().toISOString());
    const restored = isBack ? await documentById(tx, document) : undefined;
    if (restored === undefined) throw new Refusal("not-found");
    const record = documentRecordOf(restored);
    tx.remember(record);
    return record;
  });
}

/** Documents that can be restored, last deleted first. */
export async function trashList(
  work: Work,
  { cursors, now }: { readonly cursors: ListCursors; readonly now: () => Date },
  workspaceId: string,
  query: Pick<ListQuery, "page" | "limit" | "cursor">,
): Promise<ListBody<DocumentRecord>> {
  const pages = new ListPages(cursors, ["trash", workspaceId]);
  const start = pages.start(query);
  const [updatedAt, id] = start.after ?? [];
  const after =
    updatedAt === undefined ? undefined : { updatedAt: String(updatedAt), id: String(id) };
  const page = { after, offset: start.offset, limit: start.rows };
  const rows = await trashedDocuments(work.read, workspaceId, now().toISOString(), page);
  return pages.body(start, {
    rows,
    itemOf: (document) => ({
      ...documentRecordOf(document),
      restorableUntil: document.trashedUntil ?? undefined,
    }),
    positionOf: (document) => [document.updatedAt, document.id],
  });
}
