import {
  TermFinder,
  weightOfTimes,
  type AskedTerm,
  type CountedText,
} from "../../../text/search/asked-terms.ts";
import { bm25, rarity, type WordLikeness } from "../../../text/search/ranking.ts";
import { numberedTexts, type NumberedTexts } from "../../../text/terms/numbered-words.ts";
import { wordsOfText } from "../../../text/terms/text-words.ts";
import { nameWords } from "../passage-entry.ts";
import type { SearchedPassage } from "../store/passage-search.ts";
import { withLikeness } from "./likeness-to-best.ts";

/** BM25's weight of a passage's length: passages are about equally long. */
const lengthWeight = 0.3;
/** The weight of the file name and title next to the text. */
const nameWeight = 1;
/** The weight of the heading above a passage and of those inside it. */
const headingWeight = 0.1;
/** The weight of the document's other passages next to the best one. */
const documentWeight = 0.2;

export interface ScoredPassage {
  readonly passage: SearchedPassage;
  readonly score: number;
  /** The likeness of its words to those of the question, by their spelling. */
  readonly likeness: number;
}

/** A term of a question with its rarity. */
export type WeighedTerm = AskedTerm & { readonly rarity: number };

/**
 * Ranks candidates by BM25 of their text, their headings, their document's name, and all candidates
 * of their document together. It runs here, so that both databases rank the same.
 */
export function rankPassages(
  found: readonly SearchedPassage[],
  terms: readonly WeighedTerm[],
  spelling?: WordLikeness,
): ScoredPassage[] {
  const weighed = terms.map(({ term, times, rarity: weight }) => {
    return { term, rarity: weight * weightOfTimes(times) };
  });
  const finder = new TermFinder(terms);
  const numbered = numberedTexts(found.map(({ text }) => text.normalize("NFC")));
  const texts = finder.count(numbered);
  const own = bm25(texts, weighed, lengthWeight);
  const lines = found.map(({ headings }) => headings.normalize("NFC"));
  const ofHeadings = bm25(finder.count(numberedTexts(lines)), weighed, lengthWeight);
  const documents = [...Map.groupBy(found.keys(), (index) => found[index]?.documentId).values()];
  const names = documents.map(([first = 0]) => {
    const passage = found[first];
    return countedName(passage, finder);
  });
  const ofNames = bm25(names, rarities(weighed, names));
  const ofDocuments = bm25(
    documents.map((indexes) => together(indexes.map((index) => texts[index]))),
    weighed,
    lengthWeight,
  );
  const scores = found.map(() => 0);
  for (const [place, indexes] of documents.entries()) {
    const shared = nameWeight * (ofNames[place] ?? 0) + documentWeight * (ofDocuments[place] ?? 0);
    for (const index of indexes) {
      scores[index] = (own[index] ?? 0) + headingWeight * (ofHeadings[index] ?? 0) + shared;
    }
  }
  const like = withLikeness(
    numbered.texts.map((words, at) => ({
      score: scores[at] ?? 0,
      words: numbered.numbers.stemsOf(words),
    })),
  );
  return found
    .map((passage, at): ScoredPassage => {
      const counts = spelling === undefined ? undefined : spelt(numbered, at);
      const likeness = counts && spelling?.ofRecord({ counts, length: counts.size }).score;
      return { passage, score: like[at] ?? 0, likeness: likeness ?? 0 };
    })
    .toSorted((a, b) => b.score - a.score || compare(a.passage, b.passage));
}

function countedName(passage: SearchedPassage | undefined, finder: TermFinder): CountedText {
  const names = passage === undefined ? [] : nameWords(passage);
  const counts = new Map<string, number>();
  for (const word of names) for (const term of finder.termsOf(word)) counts.set(term, 1);
  return { counts, length: names.length };
}

/** All words of a text, with which a spelling is compared. */
function spelt({ texts, numbers }: NumberedTexts, at: number): ReadonlyMap<string, number> {
  return new Map(Array.from(texts[at] ?? [], (word) => [numbers.word(word).term, 1]));
}

function together(parts: readonly (CountedText | undefined)[]): CountedText {
  const counts = new Map<string, number>();
  let length = 0;
  for (const part of parts) {
    if (part === undefined) continue;
    length += part.length;
    for (const [word, count] of part.counts) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  return { counts, length };
}

function rarities(terms: readonly { readonly term: string }[], among: readonly CountedText[]) {
  return terms.map(({ term }) => {
    const having = among.filter(({ counts }) => counts.has(term)).length;
    return { term, rarity: rarity(having, among.length) };
  });
}

/** A stable order for equal scores. */
function compare(a: SearchedPassage, b: SearchedPassage): number {
  if (a.documentId !== b.documentId) return a.documentId < b.documentId ? -1 : 1;
  return a.ordinal - b.ordinal;
}

const matchesAtMost = 50;

/** The places of the terms in a text, in order. */
export function matchesIn(text: string, finder: TermFinder): { start: number; end: number }[] {
  const matches: { start: number; end: number }[] = [];
  for (const { start, end, ...word } of wordsOfText(text)) {
    // A reference matches as a whole and by its parts at the same place.
    if (start === matches.at(-1)?.start) continue;
    if (finder.termsOf(word).length > 0) matches.push({ start, end });
    if (matches.length === matchesAtMost) break;
  }
  return matches;
}
