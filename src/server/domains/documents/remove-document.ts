import { Refusal } from "#contract/problems.ts";
import type { BlobRemovals } from "../../files/blob-removals.ts";
import type { Transaction, Work } from "../../work/work.ts";
import {
  deleteDocumentRow,
  lockDocumentFiles,
  markDocumentDeleting,
  type Document,
} from "./store/documents.ts";
import { removeVectors } from "./store/embeddings.ts";
import { removePages } from "./store/page-texts.ts";
import { removePassages } from "./store/passages.ts";

/** Rows of one transaction; other writes wait for it. */
const rowsAtATime = 200;

/** The parts that a deletion removed (spec 5.5): a type, since the contract has an open object. */
export type Removed = {
  /** True if the store removed the bytes; false when another document or record has the same. */
  file: boolean;
  /** Classification, fields and page texts. */
  analysis: boolean;
  /** Passages removed from the index. */
  chunks: number;
  vectors: number;
};

export type OnRemoved = (tx: Transaction, document: Document) => Promise<void>;

/**
 * Removes a document in steps that can start again: mark (hides it), index, pages, bytes, row.
 * A storage failure is 503 with the parts removed so far and `complete: false`.
 */
export async function removeDocument(
  work: Work,
  document: Document,
  parts: {
    readonly removals: BlobRemovals;
    readonly now: () => Date;
    readonly onRemoved?: OnRemoved;
  },
): Promise<Removed> {
  const removed: Removed = { file: false, analysis: false, chunks: 0, vectors: 0 };
  const inSteps = async (remove: typeof removePages): Promise<number> => {
    for (let total = 0; ;) {
      const count = await work.write((tx) => remove(tx, document, rowsAtATime));
      total += count;
      if (count < rowsAtATime) return total;
    }
  };
  try {
    await work.write(async (tx) => {
      await lockDocumentFiles(tx, document.workspaceId);
      await markDocumentDeleting(tx, document, parts.now());
    });
    removed.vectors = await inSteps(removeVectors);
    removed.chunks = await inSteps(removePassages);
    await inSteps(removePages);
    removed.analysis = true;
    removed.file = await parts.removals.remove(document, document.size);
    await work.write(async (tx) => {
      await parts.onRemoved?.(tx, document);
      await deleteDocumentRow(tx, document);
    });
    return removed;
  } catch (error) {
    throw new Refusal("storage-unavailable", {
      detail: `Cannot remove all of ${document.number}: delete it again to continue`,
      members: { documentId: document.id, removed, complete: false },
      cause: error,
    });
  }
}
