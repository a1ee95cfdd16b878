import type { Reader, Writer } from "../../database/database.ts";
import type { Work } from "../../work/work.ts";
import { forgetDimensions, removeVectors } from "./store/embeddings.ts";
import { erasePassages as erase } from "./store/passages.ts";
import {
  passagesWithoutEntry as countLost,
  rewriteTerms,
  searchedDocuments,
} from "./store/reindex-passages.ts";

const documentsAtATime = 100;
const passagesAtATime = 50;
const vectorsAtATime = 500;

/** Rebuilds the entries of a workspace's passages from their texts; the vectors follow later. */
export async function rebuildSearchIndex(
  work: Work,
  workspaceId: string,
  isStopped: () => boolean,
): Promise<void> {
  await work.write((tx) => forgetDimensions(tx, workspaceId));
  let afterId = "";
  for (;;) {
    const documents = await searchedDocuments(work.read, workspaceId, afterId, documentsAtATime);
    for (const document of documents) {
      let removed = vectorsAtATime;
      while (removed === vectorsAtATime && !isStopped()) {
        removed = await work.write((tx) => removeVectors(tx, document, vectorsAtATime));
      }
      let last: number | undefined = -1;
      while (last !== undefined && !isStopped()) {
        const after: number = last;
        last = await work.write((tx) => rewriteTerms(tx, document, after, passagesAtATime));
      }
      afterId = document.id;
    }
    if (isStopped() || documents.length < documentsAtATime) return;
  }
}

/** Removes up to `limit` passages or search entries of a purged workspace; returns how many. */
export function erasePassages(writer: Writer, workspaceId: string, limit: number): Promise<number> {
  return erase(writer, workspaceId, limit);
}

/** The number of passages in a workspace that no search can find. */
export function passagesWithoutEntry(reader: Reader, workspaceId: string): Promise<number> {
  return countLost(reader, workspaceId);
}
