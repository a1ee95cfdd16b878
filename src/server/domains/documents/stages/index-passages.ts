import { TickShare } from "../../../kit/turns/tick-share.ts";
import { cutAt } from "../../../text/cut-at-character.ts";
import { chunkPages, type Chunk } from "../../../text/passages/chunk-pages.ts";
import { nameWords, passageEntry, type NameWord } from "../passage-entry.ts";
import { removeVectors } from "../store/embeddings.ts";
import { insertPassages, removePassages, type NewPassage } from "../store/passages.ts";
import { pagesAfter } from "../store/page-texts.ts";
import { completeStage, removeAll, writeFor } from "./stage.ts";
import type { Stage, StageWork } from "./stage.ts";

const pagesAtATime = 20;
/** Passages of one transaction; an insert takes about 0.2 ms. */
const passagesAtATime = 25;
const headingCharactersAtMost = 400;

/** Indexes the passages of the pages. Search finds the document after the last one. */
export const indexPassages: Stage = async (tools, work) => {
  const { document } = work;
  await removeAll(work, (tx, limit) => removeVectors(tx, document, limit));
  await removeAll(work, (tx, limit) => removePassages(tx, document, limit));
  const names = nameWords({ filename: document.filename, title: document.properties?.title });
  let ordinal = 0;
  let heading: string | undefined;
  let pages = 0;
  const ticks = new TickShare(document.workspaceId);
  for await (const page of pagesOf(work)) {
    await ticks.yieldWhenUsed();
    const chunks = chunkPages([page], { heading });
    for (let start = 0; start < chunks.length; start += passagesAtATime) {
      const some: NewPassage[] = [];
      for (const chunk of chunks.slice(start, start + passagesAtATime)) {
        await ticks.yieldWhenUsed();
        some.push(newPassage(chunk, ordinal, names));
      }
      await tools.words.note(
        document.workspaceId,
        some.map(({ entry }) => entry),
      );
      await writeFor(work, (tx) => insertPassages(tx, document, some));
    }
    ordinal += chunks.length;
    heading = chunks.at(-1)?.headings.at(-1) ?? heading;
    pages += 1;
    work.progress(pages, document.pages, "pages");
  }
  await completeStage(tools, work, "index", { chunkCount: ordinal, indexStatus: "indexed" });
};

/** A chunk with its search entry; `before` is the number of passages on earlier pages. */
export function newPassage(
  { index, headings: list, ...place }: Chunk,
  before: number,
  names: readonly NameWord[],
): NewPassage {
  const joined = list.join("\n");
  const headings = joined.slice(0, cutAt(joined, headingCharactersAtMost));
  const entry = passageEntry({ text: place.text, headings }, names);
  return { ...place, ordinal: before + index, headings, entry };
}

/** Reads pages in batches, so that memory does not grow with the document. */
async function* pagesOf({
  document,
  job,
}: StageWork): AsyncGenerator<{ number: number; text: string }, void, void> {
  let last = 0;
  for (;;) {
    const pages = await pagesAfter(job.work.read, document, last, pagesAtATime);
    for (const page of pages) {
      job.signal.throwIfAborted();
      yield page;
      last = page.number;
    }
    if (pages.length < pagesAtATime) return;
  }
}
