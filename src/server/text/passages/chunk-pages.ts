import { type Sentence, splitSentences } from "./sentences.ts";

/** A page's text as it is stored; `number` counts from 1. */
export type Page = { number: number; text: string };

/**
 * A stretch of one page: `text` is exactly that page's `slice(start, end)`, in UTF-16 code units.
 */
export type Chunk = { index: number; page: number; start: number; end: number; text: string };

export type ChunkOptions = {
  /**
   * Code units that a chunk should have; one sentence more is let in rather than cut. Default 900.
   */
  targetCharacters?: number;
  /**
   * Sentences that a chunk repeats from the one before, so that an answer across a cut is found.
   * Default 1.
   */
  overlapSentences?: number;
};

const defaultTargetCharacters = 900;
const defaultOverlapSentences = 1;
/** A chunk this full already ends before a heading rather than behind it. */
const fullEnough = 0.6;

/**
 * Cuts pages into chunks for the search index. A chunk holds whole sentences, never crosses a page,
 * and every visible character of a page is in at least one chunk. `index` counts through the
 * document from 0.
 */
export function chunkPages(pages: readonly Page[], options: ChunkOptions = {}): Chunk[] {
  const target = options.targetCharacters ?? defaultTargetCharacters;
  const overlap = options.overlapSentences ?? defaultOverlapSentences;
  const chunks: Chunk[] = [];
  for (const page of pages) {
    for (const { start, end } of groupSentences(splitSentences(page.text), target, overlap)) {
      const text = page.text.slice(start, end);
      chunks.push({ index: chunks.length, page: page.number, start, end, text });
    }
  }
  return chunks;
}

function* groupSentences(
  sentences: readonly Sentence[],
  target: number,
  overlap: number,
): Generator<{ start: number; end: number }> {
  let first = 0;
  while (first < sentences.length) {
    let last = first;
    while (last + 1 < sentences.length && hasRoom(sentences, first, last + 1, target)) last += 1;
    const start = sentences[first]?.start ?? 0;
    yield { start, end: sentences[last]?.end ?? start };
    if (last + 1 >= sentences.length) return;
    // At least one sentence on, or a chunk of few sentences would repeat itself for ever.
    first = Math.max(first + 1, last + 1 - overlap);
  }
}

function hasRoom(
  sentences: readonly Sentence[],
  first: number,
  candidate: number,
  target: number,
): boolean {
  const start = sentences[first]?.start ?? 0;
  const next = sentences[candidate];
  const before = sentences[candidate - 1];
  if (next === undefined || before === undefined || next.end - start > target) return false;
  const isFull = before.end - start >= target * fullEnough;
  return !(isFull && isHeading(next.text));
}

/** A short line without a sentence's end or a value: what follows it belongs to it. */
export function isHeading(sentence: string): boolean {
  return (
    sentence.length < 80 &&
    !/[\p{Sentence_Terminal}:;,"”)：；、」』）\t]/u.test(sentence.slice(-1)) &&
    !/[\t:：]/.test(sentence)
  );
}
