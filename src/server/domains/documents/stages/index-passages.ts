import { keptPromise } from "../../../kit/background.ts";
import { TickShare } from "../../../kit/turns/tick-share.ts";
import { cutAt } from "../../../text/cut-at-character.ts";
import { chunkPages, type Chunk } from "../../../text/passages/chunk-pages.ts";
import { nameWords, passageEntry, type NameWord } from "../passage-entry.ts";
import { removeVectors } from "../store/embeddings.ts";
import { insertPassages, removePassages, type NewPassage } from "../store/passages.ts";
import { pagesAfter } from "../store/page-texts.ts";
import { completeStage, removeAll, writeFor } from "./stage.ts";
import type { StageTools, StageWork } from "./stage.ts";

const pagesAtATime = 20;
/** Passages of one transaction, such as those of five pages; an insert takes about 0.1 ms. */
const passagesAtATime = 25;
const headingCharactersAtMost = 400;

type IndexTools = Pick<StageTools, "words" | "understanding" | "now">;

/** Indexes the passages of the pages. Search finds the document after the last one. */
export async function indexPassages(tools: IndexTools, work: StageWork): Promise<void> {
  const { document } = work;
  await removeAll(work, (tx, limit) => removeVectors(tx, document, limit));
  await removeAll(work, (tx, limit) => removePassages(tx, document, limit));
  const names = nameWords({ filename: document.filename, title: document.properties?.title });
  const passages = new PassageWrites(tools, work);
  let ordinal = 0;
  let heading: string | undefined;
  let pages = 0;
  const ticks = new TickShare(document.workspaceId);
  for await (const page of pagesOf(work)) {
    await ticks.yieldWhenUsed();
    const chunks = chunkPages([page], { heading });
    for (const chunk of chunks) {
      await ticks.yieldWhenUsed();
      await passages.add(newPassage(chunk, ordinal, names));
    }
    ordinal += chunks.length;
    heading = chunks.at(-1)?.headings.at(-1) ?? heading;
    pages += 1;
    work.progress(pages, document.pages, "pages");
  }
  await passages.end();
  await completeStage(tools, work, "index", { chunkCount: ordinal, indexStatus: "indexed" });
}

/**
 * Writes passages of several pages in one transaction: a commit, its locks and its part of the
 * index cost as much as some passages. The next ones are made while the disk writes these.
 */
class PassageWrites {
  #waiting: NewPassage[] = [];
  #running: Promise<void> | undefined;

  constructor(
    private readonly tools: IndexTools,
    private readonly work: StageWork,
  ) {}

  async add(passage: NewPassage): Promise<void> {
    this.#waiting.push(passage);
    if (this.#waiting.length === passagesAtATime) await this.#next();
  }

  /** Writes those that wait, and resolves when all are durable. */
  async end(): Promise<void> {
    await this.#next();
    await this.#running;
  }

  /** Begins to write those that wait, once the ones before are durable. */
  async #next(): Promise<void> {
    const some = this.#waiting;
    this.#waiting = [];
    await this.#running;
    if (some.length > 0) this.#running = keptPromise(this.#write(some));
  }

  async #write(some: readonly NewPassage[]): Promise<void> {
    const { document } = this.work;
    await this.tools.words.note(
      document.workspaceId,
      some.map(({ entry }) => entry),
    );
    await writeFor(this.work, (tx) => insertPassages(tx, document, some));
  }
}

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
