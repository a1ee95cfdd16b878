import { type Chunk, isHeading } from "./chunk-pages.ts";
import { splitSentences } from "./sentences.ts";
import { rarity } from "../search/ranking.ts";
import { editsBetween } from "../search/spelling.ts";
import { answerKind } from "./answer-kind.ts";
import { AskedForms, askedForms, tellingWords } from "./asked-forms.ts";
import { findWords, isIdentifier } from "../terms/find-words.ts";
import { functionWordsOfAll } from "../terms/function-words.ts";
import { languagesOf, type LatinLanguage } from "../terms/languages.ts";
import { findTerms } from "../terms/terms.ts";
import { wordsOfName, type FormsOfTerm } from "../terms/text-words.ts";

/** A chunk whose passages may be quoted. */
export type PassageSource = Pick<Chunk, "page" | "start" | "end" | "text"> & {
  /** Chunks without one count as separate documents. */
  documentId?: string;
  /** Title, file name and reference: searched but never quoted. */
  context?: string;
};

/** A verbatim quote of the page from `start` to `end`; `score` is between 0 and 1. */
export type Passage<Source extends PassageSource> = {
  chunk: Source;
  page: number;
  start: number;
  end: number;
  quote: string;
  score: number;
};

type Candidate<Source extends PassageSource> = {
  chunk: Source;
  rank: number;
  start: number;
  end: number;
  text: string;
  /** How often it has each word of the question, or a form of it. */
  counts: ReadonlyMap<string, number>;
  /** The weight of the best form that it has of each word of the question. */
  own: ReadonlyMap<string, number>;
  length: number;
  /** The words of the question in its heading. */
  heading: ReadonlyMap<string, number>;
  /** The words of the question in the sentence before it. */
  before: ReadonlyMap<string, number>;
  /** The words of the question in its chunk and the chunk's context. */
  around: ReadonlyMap<string, number>;
};

const defaultLimit = 3;
const chunksAtMost = 50;
/** Languages of the chunks in which the words of the question are read. */
const languagesAtMost = 8;
/** BM25's saturation of repeated words, and its weight of a sentence's length. */
const saturation = 1.2;
const lengthWeight = 0.4;
/** Weight of a word that is not in the sentence but in its heading, the last sentence or chunk. */
const nearby = { heading: 0.6, before: 0.4, around: 0.1 };
/** Least share of the question's weight in the sentence itself. */
const leastOwn = 0.15;
/** Least evidence for an answer in rarest words, times the share of the question that it has. */
const leastEvidence = { known: 0.5, unknown: 0.3 };
/** A sentence with so much of the question needs no evidence: its words may be frequent ones. */
const wholeQuestion = 0.7;
/** The weight of a word that no candidate has, for the order of sentences and for the share. */
const unknownWeight = { order: 0.3, share: 0.6 };
/** The gain of a sentence with the kind of answer that is asked for. */
const kindGain = 0.3;
/** Words of questions that their answers rarely have, and what they weigh of other words. */
const askingWords = new Set(
  findTerms(
    "say says said tell told reply answer respond state write mention describe explain need " +
      "needed require required give given " +
      "happen mean contain issued document documents " +
      functionWordsOfAll(),
  ).map(({ term }) => term),
);
const askingWeight = 0.2;
const sureLetters = 6;
/** The weight of a doubtful correction as evidence of an answer. */
const doubtful = 0.4;
/** Least evidence of a passage, as a share of the best one's. */
const shareOfBest = 0.7;

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
  } = {},
): Passage<Source>[] {
  const { known, limit = defaultLimit } = options;
  const correct = (term: string) => known?.corrections.get(term) ?? term;
  const trust = new Map<string, number>();
  const corrected = (term: string): string => {
    const word = askingWords.has(term) ? term : correct(term);
    if (word !== term) trust.set(word, trustOf(term, word));
    return word;
  };
  const ranked = candidates.toSorted((a, b) => b.score - a.score).slice(0, chunksAtMost);
  const read = ranked.map(({ chunk }) => ({
    chunk,
    languages: languagesOf(findWords(chunk.text)).languages,
  }));
  const ofChunks = new Set(read.flatMap(({ languages }) => languages));
  const asked = askedForms(question, [...ofChunks].slice(0, languagesAtMost), corrected);
  if (asked.size === 0) return [];
  const required = new Set([...(options.required ?? [])].map(correct));
  const named = [...asked.keys()].filter(isIdentifier);
  const chunks = chunksAbout(named, read);
  const forms = new AskedForms(asked);
  const sentences = chunks.flatMap((chunk, rank) => sentencesOf(chunk, rank, forms));
  const weights = weightsOf(asked.keys(), sentences, known?.rarities);
  const averageLength =
    sentences.reduce((sum, each) => sum + each.length, 0) / Math.max(1, sentences.length);
  const all = totalOf(weights, sentences, known === undefined ? 1 : unknownWeight.order);
  const whole = totalOf(weights, sentences, known === undefined ? 1 : unknownWeight.share);
  const isKnown = known !== undefined && required.size === 0;
  const scoring = {
    weights,
    trust,
    all,
    whole,
    rarest: known?.rarest ?? rarity(1, sentences.length),
    // The required terms decide: the others are those of an earlier question.
    leastEvidence: isKnown ? leastEvidence.known : leastEvidence.unknown,
    averageLength,
    wants: answerKind(question),
  };
  const scored = sentences.flatMap((candidate) => {
    if (!hasSome(candidate, required)) return [];
    const evidence = evidenceOf(candidate, scoring);
    return evidence === null ? [] : [{ candidate, evidence }];
  });
  scored.sort((a, b) => b.evidence - a.evidence || a.candidate.rank - b.candidate.rank);
  return takeBest(scored, limit);
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

/** The weight of each word of the question: rarer words weigh more. */
function weightsOf(
  asked: Iterable<string>,
  sentences: readonly Candidate<PassageSource>[],
  rarities?: ReadonlyMap<string, number>,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of asked) {
    const having = sentences.filter((each) => each.counts.has(term)).length;
    // A word that none has may be another form of one.
    const weight = rarities?.get(term) ?? rarity(Math.max(1, having), sentences.length);
    weights.set(term, askingWords.has(term) ? weight * askingWeight : weight);
  }
  return weights;
}

/** The weight of all words of the question; those that no candidate has count less. */
function totalOf(
  weights: ReadonlyMap<string, number>,
  sentences: readonly Candidate<PassageSource>[],
  ofUnknown: number,
): number {
  let all = 0;
  for (const [term, weight] of weights) {
    const isKnown = sentences.some((each) => each.own.has(term) || each.around.has(term));
    all += isKnown ? weight : weight * ofUnknown;
  }
  return all;
}

interface Scoring {
  readonly weights: ReadonlyMap<string, number>;
  /** The weight of each corrected word as evidence, next to one that is spelt so. */
  readonly trust: ReadonlyMap<string, number>;
  readonly all: number;
  readonly whole: number;
  readonly rarest: number;
  readonly leastEvidence: number;
  readonly averageLength: number;
  readonly wants: RegExp | null;
}

/** BM25 of a sentence in rarest words, less where its chunk lacks words; null for none. */
function evidenceOf(
  candidate: Candidate<PassageSource>,
  { weights, trust, all, whole, rarest, averageLength, wants, leastEvidence: least }: Scoring,
): number | null {
  // A fragment of two words must not gain from its length.
  const lengthRatio = Math.max(0.7, candidate.length / Math.max(1, averageLength));
  const damping = saturation * (1 - lengthWeight + lengthWeight * lengthRatio);
  let own = 0;
  let ranking = 0;
  let near = 0;
  let together = 0;
  if (candidate.own.size === 0) return null;
  for (const [term, full] of weights) {
    const weight = full * (trust.get(term) ?? 1);
    const count = candidate.counts.get(term) ?? 0;
    if (count > 0) {
      const found = candidate.own.get(term) ?? 0;
      own += weight;
      together += weight * Math.max(found, candidate.around.get(term) ?? 0);
      ranking += (weight * count * (saturation + 1)) / (count + damping);
    } else {
      const heading = candidate.heading.get(term) ?? 0;
      const before = candidate.before.get(term) ?? 0;
      const around = candidate.around.get(term) ?? 0;
      together += weight * Math.max(heading, before, around);
      near +=
        weight * Math.max(heading * nearby.heading, before * nearby.before, around * nearby.around);
    }
  }
  if (all === 0 || rarest === 0 || own / all < leastOwn) return null;
  const evidence = ((ranking + near) / rarest) * Math.sqrt(Math.min(1, together / all));
  const share = (own + near) / whole;
  if (share < wholeQuestion && evidence * share < least) return null;
  const isComplete = together >= all;
  const kind = answers(candidate, weights, wants) ? kindGain : 0;
  const label = isLabelled(candidate, weights) ? (isComplete ? 0.4 : 0.1) : 0;
  const position = 0.1 / (1 + candidate.rank);
  const form = isHeading(candidate.text) ? 0.4 : 1;
  const coverage = 0.6 + 0.4 * Math.min(1, own / all);
  return evidence * coverage * (1 + kind + label + position) * form;
}

/** True if the sentence has the expected kind of answer outside the words of the question. */
function answers(
  candidate: Candidate<PassageSource>,
  weights: ReadonlyMap<string, number>,
  wants: RegExp | null,
): boolean {
  if (wants === null) return false;
  let rest = "";
  let from = 0;
  for (const { term, start, end } of findTerms(candidate.text)) {
    if (!weights.has(term)) continue;
    rest += `${candidate.text.slice(from, start)}…`;
    from = end;
  }
  return wants.test(rest + candidate.text.slice(from));
}

/** True for a "label: value" line or table row whose label is part of the question. */
function isLabelled(
  candidate: Candidate<PassageSource>,
  weights: ReadonlyMap<string, number>,
): boolean {
  const label = /^([^\t:：]{1,60})[\t:：]\s*\S/u.exec(candidate.text)?.[1];
  if (label === undefined) return false;
  const stems = findTerms(label).map(({ term }) => term);
  return stems.length > 0 && stems.every((each) => weights.has(each));
}

function takeBest<Source extends PassageSource>(
  scored: readonly { candidate: Candidate<Source>; evidence: number }[],
  limit: number,
): Passage<Source>[] {
  const taken: Passage<Source>[] = [];
  const quotes = new Set<string>();
  const bar = (scored[0]?.evidence ?? 0) * shareOfBest;
  for (const { candidate, evidence } of scored) {
    if (taken.length >= limit || evidence < bar) break;
    const { chunk, start, end, text } = candidate;
    const overlaps = taken.some(
      (each) =>
        (each.chunk.documentId ?? each.chunk) === (chunk.documentId ?? chunk) &&
        each.page === chunk.page &&
        start < each.end &&
        each.start < end,
    );
    if (overlaps || quotes.has(text)) continue;
    quotes.add(text);
    const score = Math.round((evidence / (1 + evidence)) * 1000) / 1000;
    taken.push({ chunk, page: chunk.page, start, end, quote: text, score });
  }
  return taken;
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
