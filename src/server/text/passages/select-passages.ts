import { type Chunk, isHeading } from "./chunk-pages.ts";
import { splitSentences } from "./sentences.ts";
import { isIdentifier } from "../terms/find-words.ts";
import { rarity } from "../search/ranking.ts";
import { findNameTerms, findTerms } from "../terms/terms.ts";

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
  counts: ReadonlyMap<string, number>;
  length: number;
  /** The words of its heading. */
  heading: ReadonlySet<string>;
  /** Words of the chunk and its context. */
  around: ReadonlySet<string>;
};

const defaultLimit = 3;
const chunksAtMost = 50;
/** BM25's saturation of repeated words, and its weight of a sentence's length. */
const saturation = 1.2;
const lengthWeight = 0.4;
/** Weight of a word that is not in the sentence but in its heading or chunk. */
const nearby = { heading: 0.6, around: 0.35 };
/** Least share of the question's weight in the sentence itself, and with the words around it. */
const least = { own: 0.2, total: 0.36 };
/** The least shares if the rarity of words in the index is known: then rare words decide. */
const leastOfKnown = { own: 0.2, total: 0.75 };
/** Words of questions that their answers rarely have, and what they weigh of other words. */
const askingWords = new Set(
  findTerms(
    "say says said tell told reply answer respond state write mention describe explain need needed require required give given " +
      "happen mean contain issued document documents",
  ).map(({ term }) => term),
);
const askingWeight = 0.2;
/** Least score of a passage, as a share of the best one. */
const shareOfBest = 0.7;

/**
 * Selects the sentences that best answer a question, best first, by BM25, nearby words, the kind of
 * answer and the search's order. Returns none if no sentence matches well enough, or if the
 * documents lack a reference (PA-2026-0042) of the question.
 */
export function selectPassages<Source extends PassageSource>(
  question: string,
  candidates: readonly { chunk: Source; score: number }[],
  options: {
    limit?: number;
    rarities?: ReadonlyMap<string, number>;
    /** Terms of which a sentence or its heading has one; default: any sentence. */
    required?: ReadonlySet<string> | undefined;
  } = {},
): Passage<Source>[] {
  const asked = new Set(findTerms(question).map(({ term }) => term));
  if (asked.size === 0) return [];
  const named = [...asked].filter(isIdentifier);
  const ranked = candidates.toSorted((a, b) => b.score - a.score).slice(0, chunksAtMost);
  const chunks = chunksAbout(
    named,
    ranked.map(({ chunk }) => chunk),
  );
  const sentences = chunks.flatMap((chunk, rank) => sentencesOf(chunk, rank));
  const weights = weightsOf(asked, sentences, options.rarities);
  const { required = new Set() } = options;
  // The required terms decide: the others are those of an earlier question.
  const shares = options.rarities === undefined || required.size > 0 ? least : leastOfKnown;
  const averageLength =
    sentences.reduce((sum, each) => sum + each.length, 0) / Math.max(1, sentences.length);
  const wants = answerKind(question);

  const scored = sentences.flatMap((candidate) => {
    if (!hasSome(candidate, required)) return [];
    const score = scoreOf(candidate, { weights, averageLength, wants, shares });
    return score === null ? [] : [{ candidate, score }];
  });
  scored.sort((a, b) => b.score - a.score || a.candidate.rank - b.candidate.rank);
  return takeBest(scored, options.limit ?? defaultLimit);
}

/** True for a sentence with one of the terms, itself or in its heading, and for no terms. */
function hasSome(
  { counts, heading }: Candidate<PassageSource>,
  terms: ReadonlySet<string>,
): boolean {
  return terms.size === 0 || [...terms].some((term) => counts.has(term) || heading.has(term));
}

/** The chunks of documents that mention all references of the question. */
function chunksAbout<Source extends PassageSource>(
  named: readonly string[],
  chunks: readonly Source[],
): Source[] {
  if (named.length === 0) return [...chunks];
  const mentions = new Set<string | Source>();
  for (const chunk of chunks) {
    const words = wordsAround(chunk);
    if (named.every((each) => words.has(each))) mentions.add(chunk.documentId ?? chunk);
  }
  return chunks.filter((chunk) => mentions.has(chunk.documentId ?? chunk));
}

function sentencesOf<Source extends PassageSource>(
  chunk: Source,
  rank: number,
): Candidate<Source>[] {
  const around = wordsAround(chunk);
  let heading: ReadonlySet<string> = new Set();
  return splitSentences(chunk.text).map(({ start, end, text }) => {
    const counts = new Map<string, number>();
    const terms = findTerms(text);
    for (const { term } of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    if (isHeading(text)) heading = new Set(counts.keys());
    return {
      chunk,
      rank,
      start: chunk.start + start,
      end: chunk.start + end,
      text,
      counts,
      length: terms.length,
      heading,
      around,
    };
  });
}

function wordsAround({ text, context = "" }: PassageSource): Set<string> {
  return findNameTerms(context).union(new Set(findTerms(text).map(({ term }) => term)));
}

/** The weight of each word of the question: rarer words weigh more. */
function weightsOf(
  asked: ReadonlySet<string>,
  sentences: readonly Candidate<PassageSource>[],
  rarities?: ReadonlyMap<string, number>,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const term of asked) {
    const having = sentences.filter((each) => each.counts.has(term)).length;
    const weight = rarities?.get(term) ?? rarity(having, sentences.length);
    weights.set(term, askingWords.has(term) ? weight * askingWeight : weight);
  }
  return weights;
}

interface Scoring {
  readonly weights: ReadonlyMap<string, number>;
  readonly averageLength: number;
  readonly wants: RegExp | null;
  readonly shares: typeof least;
}

function scoreOf(
  candidate: Candidate<PassageSource>,
  { weights, averageLength, wants, shares }: Scoring,
): number | null {
  // A fragment of two words must not gain from its length.
  const lengthRatio = Math.max(0.7, candidate.length / Math.max(1, averageLength));
  const damping = saturation * (1 - lengthWeight + lengthWeight * lengthRatio);
  let own = 0;
  let ranking = 0;
  let near = 0;
  let all = 0;
  let isComplete = true;
  for (const [term, weight] of weights) {
    all += weight;
    const count = candidate.counts.get(term) ?? 0;
    if (count > 0) {
      own += weight;
      ranking += (weight * count * (saturation + 1)) / (count + damping);
    } else if (candidate.heading.has(term)) near += weight * nearby.heading;
    else if (candidate.around.has(term)) near += weight * nearby.around;
    else isComplete = false;
  }
  if (all === 0 || own / all < shares.own || (own + near) / all < shares.total) return null;
  const coverage = 0.6 + 0.4 * (own / all);
  const relevance = ((ranking + near) / (all * (saturation + 1) * 0.5)) * coverage;
  const kind = answers(candidate, weights, wants) ? 0.15 : 0;
  const label = isLabelled(candidate, weights) ? (isComplete ? 0.25 : 0.05) : 0;
  const position = 0.1 / (1 + candidate.rank);
  const form = isHeading(candidate.text) ? 0.4 : 1;
  return Math.min(1, (relevance * 0.65 + kind + label + position) * form);
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

const month = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const numberWords =
  "no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\\w+teen|\\w+ty|hundred";
const kinds: readonly [question: RegExp, answer: RegExp][] = [
  [
    /\b(?:when|what (?:date|day|time)|by what date|how long|deadline|due)\b/i,
    new RegExp(
      `\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[:/.]\\d\\d|\\b(?:${month})[a-z]*\\b|` +
        "\\b\\d+ (?:day|week|month|year)",
      "i",
    ),
  ],
  [
    /\b(?:how much|cost|fee|price|amount|charge)\b/i,
    /[£€$]\s?\d|\d\s?(?:GBP|EUR|USD|pounds|euros)/,
  ],
  [
    /\b(?:how many|how (?:high|tall|large|big|far|wide|deep)|number of)\b/i,
    new RegExp(`\\d|\\b(?:${numberWords})\\b`, "i"),
  ],
  [/\b(?:who|whom|whose)\b/i, /\p{Lu}\p{Ll}+\s+\p{Lu}\p{Ll}+/u],
  [/\b(?:where|address)\b/i, /\b\d+\s+\p{Lu}|\b(?:street|road|lane|square|avenue|yard)\b/iu],
];

/** The pattern of an answer to this kind of question, or null. */
function answerKind(question: string): RegExp | null {
  return kinds.find(([asks]) => asks.test(question))?.[1] ?? null;
}

function takeBest<Source extends PassageSource>(
  scored: readonly { candidate: Candidate<Source>; score: number }[],
  limit: number,
): Passage<Source>[] {
  const taken: Passage<Source>[] = [];
  const quotes = new Set<string>();
  const bar = (scored[0]?.score ?? 0) * shareOfBest;
  for (const { candidate, score } of scored) {
    if (taken.length >= limit || score < bar) break;
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
    const rounded = Math.round(score * 1000) / 1000;
    taken.push({ chunk, page: chunk.page, start, end, quote: text, score: rounded });
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
