import { Refusal } from "#contract/problems.ts";
import type { Database } from "../../database/database.ts";
import { deleteDocumentRow, lockDocumentFiles, markDocumentDeleting } from "./store/documents.ts";
import type { Document } from "./store/documents.ts";
import { removeChunks } from "./store/chunks.ts";
import { removePages } from "./store/pages.ts";
import type { BlobRemovals } from "../../files/blob-removals.ts";

/** Rows that one unit removes: everybody's writes wait for it. */
const rowsAtATime = 200;

/** What a deletion removed (spec 5.5); a type so that it fits the contract's open record. */
export type Removed = {
  /** The bytes are gone from the store; false when something else has the same ones. */
  file: boolean;
  /** Classification, fields and page texts. */
  analysis: boolean;
  /** Passages taken out of the index. */
  chunks: number;
  vectors: number;
};

/**
 * Takes a document away: its mark first, so that nobody lists or finds it any more, then passages,
 * pages, bytes, and the row last. Stopped anywhere it can be started again and goes on; a storage
 * failure is 503 with what is done so far and `complete: false`.
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
      database.write((writer) => removeChunks(writer, document, limit)),
    );
    await inSteps((limit) => database.write((writer) => removePages(writer, document, limit)));
    removed.analysis = true;
    removed.file = await removals.remove(document, document.size);
    await database.write((writer) => deleteDocumentRow(writer, document));
    return removed;
  } catch (error) {
    throw new Refusal("storage-unavailable", {
      detail: `Not all of ${document.number} could be removed: delete it again to go on`,
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
