import type { Reader, Writer } from "../../database/database.ts";
import { removeAllEntries } from "../../search-index/entries.ts";
import { passageSource } from "../../search-index/sources.ts";
import type { Work } from "../../work/work.ts";
import { forgetDimensions, removeVectors } from "./store/embeddings.ts";
import { erasePassages as erase } from "./store/passages.ts";
import {
  passagesWithoutEntry as countLost,
  rewriteTerms,
  searchedDocuments,
  type SearchedDocument,
} from "./store/reindex-passages.ts";

const documentsAtATime = 100;
const passagesAtATime = 50;
const vectorsAtATime = 500;
const entriesAtATime = 500;

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
        ({ last } = await work.write((tx) => rewriteTerms(tx, document, after, passagesAtATime)));
      }
      afterId = document.id;
    }
    if (isStopped() || documents.length < documentsAtATime) return;
  }
}

/** Writes all entries of a workspace's passages again; the vectors stay. */
export async function rewritePassageEntries(work: Work, workspaceId: string): Promise<void> {
  const source = await passageSource(work.read, workspaceId);
  if (source === undefined) return;
  let removed = entriesAtATime;
  while (removed === entriesAtATime) {
    removed = await work.write((tx) => removeAllEntries(tx, source, entriesAtATime));
  }
  let documents: readonly SearchedDocument[] = [];
  do {
    const afterId = documents.at(-1)?.id ?? "";
    documents = await searchedDocuments(work.read, workspaceId, afterId, documentsAtATime);
    for (const document of documents) {
      for (let last: number | undefined = -1; last !== undefined;) {
        const after: number = last;
        ({ last } = await work.write((tx) => rewriteTerms(tx, document, after, passagesAtATime)));
      }
    }
  } while (documents.length === documentsAtATime);
}

/** Removes up to `limit` passages or search entries of a purged workspace; returns how many. */
export function erasePassages(writer: Writer, workspaceId: string, limit: number): Promise<number> {
  return erase(writer, workspaceId, limit);
}

/** The number of passages in a workspace that no search can find. */
export function passagesWithoutEntry(reader: Reader, workspaceId: string): Promise<number> {
  return countLost(reader, workspaceId);
}
