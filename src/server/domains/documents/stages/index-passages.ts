import { chunkPages } from "../../../text/passages/chunk-pages.ts";
import { passageTerms } from "../terms.ts";
import { insertChunks, removeChunks } from "../store/chunks.ts";
import type { NewChunk } from "../store/chunks.ts";
import { pagesAfter } from "../store/pages.ts";
import { completeStage, removeAll, writeFor } from "./stage.ts";
import type { Stage, StageTools, StageWork } from "./stage.ts";

const pagesAtATime = 20;
/** An insert into the index takes a fifth of a millisecond: a unit of these, a few. */
const chunksAtATime = 25;

/**
 * Cuts the pages into passages and makes them searchable. Nothing of the document is found before
 * the last one is in.
 */
export const indexPassages: Stage = async (tools, work) => {
  const { document } = work;
  await removeAll(work, (writer, limit) => removeChunks(writer, document, limit));
  let ordinal = 0;
  let pages = 0;
  for await (const page of pagesOf(tools, work)) {
    const chunks = chunkPages([page]);
    for (let start = 0; start < chunks.length; start += chunksAtATime) {
      const some = chunks
        .slice(start, start + chunksAtATime)
        .map(({ index, ...chunk }): NewChunk => ({
          ...chunk,
          ordinal: ordinal + index,
          terms: passageTerms(chunk.text),
        }));
      await writeFor(work, (writer) => insertChunks(writer, document, some));
    }
    ordinal += chunks.length;
    pages += 1;
    work.progress(pages, document.pages, "pages");
  }
  await completeStage(tools, work, "index", { chunkCount: ordinal, indexStatus: "indexed" });
};

/** Page by page, so that a document of any length is never in memory as a whole. */
async function* pagesOf(
  { database }: StageTools,
  { document, job }: StageWork,
): AsyncGenerator<{ number: number; text: string }, void, void> {
  let last = 0;
  for (;;) {
    const pages = await pagesAfter(database.read, document, last, pagesAtATime);
    for (const page of pages) {
      job.signal.throwIfAborted();
      yield page;
      last = page.number;
    }
    if (pages.length < pagesAtATime) return;
  }
}
