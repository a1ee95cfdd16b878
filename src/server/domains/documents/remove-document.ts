import { Refusal } from "#contract/problems.ts";
import type { Database } from "../../database/database.ts";
import { deleteDocumentRow, lockDocumentFiles, markDocumentDeleting } from "./store/documents.ts";
import type { Document } from "./store/documents.ts";
import { removePassages } from "./store/passages.ts";
import { removePages } from "./store/page-texts.ts";
import type { BlobRemovals } from "../../files/blob-removals.ts";

/** Rows of one transaction; other writes wait for it. */
const rowsAtATime = 200;

/** What a deletion removed (spec 5.5). A type, because the contract has an open object. */
export type Removed = {
  /** Whether the store removed the bytes; false when another document or record has the same. */
  file: boolean;
  /** Classification, fields and page texts. */
  analysis: boolean;
  /** Passages removed from the index. */
  chunks: number;
  vectors: number;
};

/**
 * Removes a document in steps that can start again: mark (hides it), passages, pages, bytes, row.
 * A storage failure is 503 with the parts removed so far and `complete: false`.
 */
export async function removeDocument(
  options: {
    readonly database: Database;
    readonly removals: BlobRemovals;
    readonly now: () => Date;
  },
  document: Document,
): Promise<Removed> {
  const { database, removals, now } = options;
  const removed: Removed = { file: false, analysis: false, chunks: 0, vectors: 0 };
  try {
    await database.write(async (writer) => {
      await lockDocumentFiles(writer, document.workspaceId);
      await markDocumentDeleting(writer, document, now());
    });
    removed.chunks = await inSteps((limit) =>
      database.write((writer) => removePassages(writer, document, limit)),
    );
    await inSteps((limit) => database.write((writer) => removePages(writer, document, limit)));
    removed.analysis = true;
    removed.file = await removals.remove(document, document.size);
    await database.write((writer) => deleteDocumentRow(writer, document));
    return removed;
  } catch (error) {
    throw new Refusal("storage-unavailable", {
      detail: `Cannot remove all of ${document.number}: delete it again to continue`,
      members: { documentId: document.id, removed, complete: false },
      cause: error,
    });
  }
}

async function inSteps(step: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step(rowsAtATime);
    total += count;
    if (count < rowsAtATime) return total;
  }
}
