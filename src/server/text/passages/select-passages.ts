import { isHeading } from "./chunk-pages.ts";
import { splitSentences } from "./sentences.ts";
import { rarity } from "../search/ranking.ts";
import { editsBetween } from "../search/spelling.ts";
import { answerKind } from "./answer-kind.ts";
import {
  AskedForms,
  askedForms,
  tellingWords,
  type AskedWord,
  type Correction,
} from "./asked-forms.ts";
import { sharedGroups } from "./letter-groups.ts";
import {
  evidenceOf,
  hasSubject,
  missingNames,
  totalOf,
  unknownWeight,
  weightsOf,
  type Candidate,
  type PassageSource,
} from "./sentence-evidence.ts";
import { findWords, isIdentifier } from "../terms/find-words.ts";
import { languagesOf, type LatinLanguage } from "../terms/languages.ts";
import { wordsOfName, type FormsOfTerm } from "../terms/text-words.ts";

/** A verbatim quote of the page from `start` to `end`; `score` is between 0 and 1. */
export type Passage<Source extends PassageSource> = {
  chunk: Source;
  page: number;
  start: number;
  end: number;
  quote: string;
  score: number;
};

const defaultLimit = 3;
const chunksAtMost = 50;
/** Languages of the chunks in which the words of the question are read. */
const languagesAtMost = 8;
const sureLetters = 6;
/** The weight of a doubtful correction as evidence of an answer. */
const doubtful = 0.4;
/** The best sentences, which are compared with the question letter by letter too. */
const comparedAtMost = 24;
/** The weight of shared letters: a sentence with all groups has 2.1 times the evidence. */
const groupWeight = 1.5;
const usualGroups = 0.5;
/**
 * Least evidence for an answer, in rarest words, of a question whose words are all known; names
 * that a passage has tell its subject. `unmarked`: names look like its other words.
 */
const leastEvidence = { known: 0.8, unmarked: 0.72, named: 0.65, unknown: 0.43 };
/** The growth of that with the share of words that no candidate has: 2.7 times at a half. */
const costOfUnknown = 2;
/** The growth for a passage with the share of names that it lacks: 2.1 times at a quarter. */
const costOfMissingNames = 3;
/** Sentences that usually are of one document if it answers, and the share that is usual. */
const agreeing = { sentences: 5, share: 0.6 };
/** Least evidence of a passage, and of one that follows the best, as a share of the best one's. */
const shareOfBest = { other: 0.7, next: 0.6 };
/** The evidence of a sentence near a question, whatever words the documents lack. */
const leastNear = 0.2;
/** Characters of a quote of two sentences, and of what stands between them. */
const joinedAtMost = { characters: 600, between: 3 };

/** The question's words as the index knows them. */
export interface KnownWords {
  /** The rarity of each word; other words are weighed among the candidates. */
  readonly rarities: ReadonlyMap<string, number>;
  /** The rarity of a word that one passage has. */
  readonly rarest: number;
  /** Misspelt words with the word that replaces each. */
  readonly corrections: ReadonlyMap<string, string>;
}

/**
 * Selects the sentences that best answer a question, best first, by BM25, nearby words, the kind of
 * answer and the search's order. Returns none if no sentence has enough of the question, or if the
 * documents lack a reference (PA-2026-0042) of it. Words count by their rarity, so that function
 * words of any language hardly do, and forms of one word count for each other.
 */
export function selectPassages<Source extends PassageSource>(
  question: string,
  candidates: readonly { chunk: Source; score: number }[],
  options: {
    limit?: number;
    known?: KnownWords;
    /** Terms of which a sentence or its heading has one; default: any sentence. */
    required?: ReadonlySet<string> | undefined;
    /** Whether sentences with less evidence pass, which are only near the question. */
    isNearest?: boolean;
  } = {},
): Passage<Source>[] {
  const { known, limit = defaultLimit, isNearest = false } = options;
  const correct = (term: string) => known?.corrections.get(term) ?? term;
  const correctionOf = (term: string): Correction | undefined => {
    const word = correct(term);
    return word === term ? undefined : { word, weight: trustOf(term, word) };
  };
  const ranked = candidates.toSorted((a, b) => b.score - a.score).slice(0, chunksAtMost);
  const read = ranked.map(({ chunk }) => ({
    chunk,
    languages: languagesOf(findWords(chunk.text)).languages,
  }));
  const ofChunks = new Set(read.flatMap(({ languages }) => languages));
  const asked = askedForms(question, [...ofChunks].slice(0, languagesAtMost), correctionOf);
  if (asked.size === 0) return [];
  const required = new Set([...(options.required ?? [])].map(correct));
  const named = [...asked.keys()].filter(isIdentifier);
  const chunks = chunksAbout(named, read);
  const sentences = sentencesIn(chunks, asked);
  const weights = weightsOf(asked, sentences, known);
  const averageLength =
    sentences.reduce((sum, each) => sum + each.length, 0) / Math.max(1, sentences.length);
  const all = totalOf(weights, sentences, known === undefined ? 1 : unknownWeight.order);
  const whole = totalOf(weights, sentences, known === undefined ? 1 : unknownWeight.share);
  const scoring = {
    weights,
    all,
    whole,
    rarest: known?.rarest ?? rarity(1, sentences.length),
    averageLength,
    wants: answerKind(question),
  };
  const scored = sentences.flatMap((candidate) => {
    if (!hasSome(candidate, required)) return [];
    const found = evidenceOf(candidate, scoring);
    return found === null ? [] : [{ candidate, ...found }];
  });
  // The required terms decide: the others are those of an earlier question.
  const isKnown = known !== undefined && required.size === 0;
  const everything = totalOf(weights, sentences, 1);
  const unknown = everything === 0 ? 0 : 1 - totalOf(weights, sentences, 0) / everything;
  const ordered = byLetters(question, scored);
  const least =
    leastEvidence[isKnown ? namesOf(asked) : "unknown"] *
    Math.exp(costOfUnknown * unknown - (isKnown ? agreement(ordered, sentences) : 0));
  const passing = ordered.filter(({ candidate, evidence, hasWhole }) => {
    if (isNearest) return evidence >= leastNear && hasSubject(candidate, asked);
    const missing = isKnown ? missingNames(candidate, asked, weights) : 0;
    if (hasWhole && missing === 0) return true;
    return evidence >= least * Math.exp(costOfMissingNames * missing);
  });
  return takeBest(passing, limit);
}

/** Whether a question has names, as its writing shows. */
function namesOf(asked: ReadonlyMap<string, AskedWord>): "known" | "named" | "unmarked" {
  const words = [...asked.values()];
  if (words.some(({ isName }) => isName === true)) return "named";
  return words.some(({ isName }) => isName === undefined) ? "unmarked" : "known";
}

type Scored<Source extends PassageSource> = {
  candidate: Candidate<Source>;
  evidence: number;
  hasWhole: boolean;
  isLabelled: boolean;
};

/** The best sentences, best first, with more evidence where they share letters of the question. */
function byLetters<Source extends PassageSource>(
  question: string,
  scored: readonly Scored<Source>[],
): Scored<Source>[] {
  const best = inOrder(scored).slice(0, comparedAtMost);
  const shared = sharedGroups(
    question,
    best.map(({ candidate }) => candidate.text),
  );
  const most = Math.max(0, ...shared);
  return inOrder(
    best.map((each, at) => {
      // A value is short: its label has the words that tell.
      const share = each.isLabelled ? most : (shared[at] ?? 0);
      const gain = Math.exp(groupWeight * (share - usualGroups));
      return { ...each, evidence: each.evidence * gain };
    }),
  );
}

/**
 * How much more of the best sentences than usual are of one document, as those about a subject are.
 * Documents of a few sentences, and those that have all, tell nothing.
 */
function agreement<Source extends PassageSource>(
  best: readonly Scored<Source>[],
  sentences: readonly Candidate<Source>[],
): number {
  const [first] = best;
  if (first === undefined) return 0;
  const isSame = (each: Candidate<Source>): boolean => areOfOne(each, first.candidate);
  const top = best.slice(0, agreeing.sentences);
  const share = top.filter(({ candidate }) => isSame(candidate)).length / top.length;
  const own = sentences.filter(isSame).length;
  const telling = Math.min(1, (own - 1) / (agreeing.sentences - 1)) * (1 - own / sentences.length);
  return (share - agreeing.share) * telling;
}

function areOfOne(
  { chunk: one }: { readonly chunk: PassageSource },
  { chunk: other }: { readonly chunk: PassageSource },
): boolean {
  return (one.documentId ?? one) === (other.documentId ?? other);
}

function inOrder<Source extends PassageSource>(scored: readonly Scored<Source>[]) {
  return scored.toSorted((a, b) => b.evidence - a.evidence || a.candidate.rank - b.candidate.rank);
}

/** A long word with one wrong letter is surely the other one; a shorter one may be a name. */
function trustOf(misspelt: string, correct: string): number {
  const isSure = misspelt.length >= sureLetters && editsBetween(misspelt, correct, 1) === 1;
  return isSure ? 1 : doubtful;
}

/** True for a sentence with one of the terms, itself or in its heading, and for no terms. */
function hasSome(
  { counts, heading }: Candidate<PassageSource>,
  terms: ReadonlySet<string>,
): boolean {
  return terms.size === 0 || [...terms].some((term) => counts.has(term) || heading.has(term));
}

/** A chunk with the languages in which its words are read. */
interface ReadChunk<Source extends PassageSource> {
  readonly chunk: Source;
  readonly languages: readonly LatinLanguage[];
}

/** The chunks of documents that mention all references of the question. */
function chunksAbout<Source extends PassageSource>(
  named: readonly string[],
  chunks: readonly ReadChunk<Source>[],
): ReadChunk<Source>[] {
  if (named.length === 0) return [...chunks];
  const mentions = new Set<string | Source>();
  for (const read of chunks) {
    const words = new Set(wordsAround(read).map(({ term }) => term));
    if (named.every((each) => words.has(each))) mentions.add(read.chunk.documentId ?? read.chunk);
  }
  return chunks.filter(({ chunk }) => mentions.has(chunk.documentId ?? chunk));
}

/** The sentences of all chunks; only those of languages with compounds have parts of them. */
function sentencesIn<Source extends PassageSource>(
  chunks: readonly ReadChunk<Source>[],
  asked: ReadonlyMap<string, AskedWord>,
): Candidate<Source>[] {
  const byLanguages = new Map<string, AskedForms>();
  return chunks.flatMap((read, rank) => {
    const key = read.languages.join();
    const forms = byLanguages.get(key) ?? new AskedForms(asked, read.languages);
    byLanguages.set(key, forms);
    return sentencesOf(read, rank, forms);
  });
}

function sentencesOf<Source extends PassageSource>(
  read: ReadChunk<Source>,
  rank: number,
  forms: AskedForms,
): Candidate<Source>[] {
  const { chunk, languages } = read;
  const around = forms.in(wordsAround(read));
  const none: ReadonlyMap<string, number> = new Map();
  let [heading, before] = [none, none];
  return splitSentences(chunk.text).map(({ start, end, text }) => {
    const counts = new Map<string, number>();
    const words = tellingWords(text, languages);
    for (const [term, weight] of words.flatMap((word) => forms.of(word))) {
      counts.set(term, (counts.get(term) ?? 0) + weight);
    }
    const own = forms.in(words);
    if (isHeading(text)) heading = own;
    const candidate = {
      chunk,
      rank,
      start: chunk.start + start,
      end: chunk.start + end,
      text,
      counts,
      own,
      length: words.length,
      heading,
      before,
      around,
    };
    before = own;
    return candidate;
  });
}

function wordsAround({ chunk, languages }: ReadChunk<PassageSource>): FormsOfTerm[] {
  const { text, context = "" } = chunk;
  return [...wordsOfName(context), ...tellingWords(text, languages)];
}

function takeBest<Source extends PassageSource>(
  scored: readonly Scored<Source>[],
  limit: number,
): Passage<Source>[] {
  const taken: Passage<Source>[] = [];
  const quotes = new Set<string>();
  const best = scored[0]?.evidence ?? 0;
  for (const { candidate, evidence } of scored) {
    if (taken.length >= limit || evidence < best * shareOfBest.other) break;
    const { chunk } = candidate;
    const isTaken = taken.some(
      (each) =>
        areOfOne(each, candidate) &&
        each.page === chunk.page &&
        candidate.start < each.end &&
        each.start < candidate.end,
    );
    if (isTaken || quotes.has(candidate.text)) continue;
    const neighbour = taken.length > 0 ? undefined : neighbourOf(candidate, scored);
    for (const each of [candidate, neighbour]) if (each !== undefined) quotes.add(each.text);
    const start = Math.min(candidate.start, neighbour?.start ?? candidate.start);
    const end = Math.max(candidate.end, neighbour?.end ?? candidate.end);
    const quote = chunk.text.slice(start - chunk.start, end - chunk.start);
    const score = Math.round((evidence / (1 + evidence)) * 1000) / 1000;
    taken.push({ chunk, page: chunk.page, start, end, quote, score });
  }
  return taken;
}

/** The best sentence of the same paragraph right before or after the best one, if it is as good. */
function neighbourOf<Source extends PassageSource>(
  best: Candidate<Source>,
  scored: readonly Scored<Source>[],
): Candidate<Source> | undefined {
  const least = (scored[0]?.evidence ?? 0) * shareOfBest.next;
  const found = scored.find(({ candidate, evidence }) => {
    if (candidate.chunk !== best.chunk || candidate === best || evidence < least) return false;
    const [one, other] = candidate.start < best.start ? [candidate, best] : [best, candidate];
    const { text, start } = best.chunk;
    const between = text.slice(one.end - start, other.start - start);
    return (
      between.length <= joinedAtMost.between &&
      /^[^\S\n]*$/.test(between) &&
      other.end - one.start <= joinedAtMost.characters
    );
  });
  return found?.candidate;
}

/** True if the page's text at `span` is `quote`. Every quote is checked before it is sent. */
export function verifyQuote(
  pageText: string,
  span: { start: number; end: number },
  quote: string,
): boolean {
  const { start, end } = span;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) return false;
  if (start < 0 || end <= start || end > pageText.length) return false;
  return pageText.slice(start, end) === quote;
}
