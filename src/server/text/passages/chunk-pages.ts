import type { PageText } from "../extraction/extracted-document.ts";
import { type Sentence, splitSentences } from "./sentences.ts";

/** A part of one page: `text` is that page's `slice(start, end)`, in UTF-16 code units. */
export type Chunk = {
  index: number;
  page: number;
  start: number;
  end: number;
  text: string;
  /** The last heading before it, in this page or an earlier one, and the headings inside it. */
  headings: string[];
};

export type ChunkOptions = {
  /** Code units of a chunk; a longer sentence is not cut. Default 900. */
  targetCharacters?: number;
  /** Sentences that are repeated from the previous chunk. Default 1. */
  overlapSentences?: number;
  /** The last heading before the pages. */
  heading?: string | undefined;
};

const defaultTargetCharacters = 900;
const defaultOverlapSentences = 1;
/** A chunk that is this full ends before the next heading. */
const fullEnough = 0.6;

/**
 * Cuts pages into chunks of whole sentences for the search index, which together hold all visible
 * characters. `index` counts through the document from 0.
 */
export function chunkPages(pages: readonly PageText[], options: ChunkOptions = {}): Chunk[] {
  const target = options.targetCharacters ?? defaultTargetCharacters;
  const overlap = options.overlapSentences ?? defaultOverlapSentences;
  const chunks: Chunk[] = [];
  let { heading } = options;
  for (const page of pages) {
    const sentences = splitSentences(page.text);
    let first = 0;
    for (const { start, end } of groupSentences(sentences, target, overlap)) {
      for (let each = sentences[first]; each !== undefined && each.start < start;) {
        if (isTitle(each.text)) heading = each.text;
        first += 1;
        each = sentences[first];
      }
      const inside = headingsOf(sentences, first, end);
      const headings = heading === undefined ? inside : [heading, ...inside];
      const text = page.text.slice(start, end);
      chunks.push({ index: chunks.length, page: page.number, start, end, text, headings });
    }
    heading = chunks.at(-1)?.headings.at(-1) ?? heading;
  }
  return chunks;
}

function headingsOf(sentences: readonly Sentence[], first: number, end: number): string[] {
  const headings: string[] = [];
  for (let at = first; at < sentences.length && (sentences[at]?.end ?? 0) <= end; at += 1) {
    const text = sentences[at]?.text ?? "";
    if (isTitle(text)) headings.push(text);
  }
  return headings;
}

const titleWordsAtMost = 8;

/** True for a heading that names a section: a few words from a capital letter or number on. */
function isTitle(sentence: string): boolean {
  return (
    isHeading(sentence) &&
    /^[\p{Lu}\p{Lt}\p{Lo}\p{N}][^=<>|{}()[\]\\]*$/u.test(sentence) &&
    sentence.split(/\s+/).length <= titleWordsAtMost
  );
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
    // The next chunk begins one sentence further or more, so that no short chunk repeats for ever.
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

/** True for a short line without a sentence's end or a value. */
export function isHeading(sentence: string): boolean {
  return (
    sentence.length < 80 &&
    !/[\p{Sentence_Terminal}:;,"”)：；、」』）\t]/u.test(sentence.slice(-1)) &&
    !/[\t:：]/.test(sentence)
  );
}
