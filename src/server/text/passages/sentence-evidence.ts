import { type Chunk, isHeading } from "./chunk-pages.ts";
import type { AskedWord } from "./asked-forms.ts";
import { rarity } from "../search/ranking.ts";
import { findTerms } from "../terms/terms.ts";

/** A chunk whose passages may be quoted. */
export type PassageSource = Pick<Chunk, "page" | "start" | "end" | "text"> & {
  /** Chunks without one count as separate documents. */
  documentId?: string;
  /** Title, file name and reference: searched but never quoted. */
  context?: string;
};

/** A sentence of a chunk with the words of the question that it has. */
export type Candidate<Source extends PassageSource> = {
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

/** BM25's saturation of repeated words, and its weight of a sentence's length. */
const saturation = 1.2;
const lengthWeight = 0.4;
/** Weight of a word that is not in the sentence but in its heading, the last sentence or chunk. */
const nearby = { heading: 0.6, before: 0.4, around: 0.1 };
/** Least share of the question's weight in the sentence itself. */
const leastOwn = 0.1;
/** A sentence with so much of the question needs no evidence: its words may be frequent ones. */
const wholeQuestion = 0.7;
/** Words whose best form weighs less may be others: candidates with it alone lack the word. */
const surelyKnown = 0.5;
/** The weight of a word that no candidate has, for the order of sentences and for the share. */
export const unknownWeight = { order: 0.3, share: 0.6 } as const;
/** The gain of a sentence with the kind of answer that is asked for. */
const kindGain = 0.3;
/** The weight of words that carry no subject, next to other words. */
const askingWeight = 0.2;

/** The weight of each word of the question: rarer words weigh more. */
export function weightsOf(
  asked: ReadonlyMap<string, AskedWord>,
  sentences: readonly Candidate<PassageSource>[],
  known?: { readonly rarities: ReadonlyMap<string, number>; readonly rarest: number },
): Map<string, number> {
  const weights = new Map<string, number>();
  const scale = known === undefined ? 1 : known.rarest / rarity(1, sentences.length);
  for (const [term, { isAsking }] of asked) {
    const having = sentences.filter(({ own }) => (own.get(term) ?? 0) >= surelyKnown).length;
    // A word that none has may be another form of one.
    const weight =
      known?.rarities.get(term) ?? rarity(Math.max(1, having), sentences.length) * scale;
    weights.set(term, isAsking ? weight * askingWeight : weight);
  }
  return weights;
}

/** The weight of all words of the question; those that no candidate has count less. */
export function totalOf(
  weights: ReadonlyMap<string, number>,
  sentences: readonly Candidate<PassageSource>[],
  ofUnknown: number,
): number {
  let all = 0;
  for (const [term, weight] of weights) {
    const isKnown = sentences.some(({ around }) => (around.get(term) ?? 0) >= surelyKnown);
    all += isKnown ? weight : weight * ofUnknown;
  }
  return all;
}

/** True for a sentence with a word of the question's subject that is no doubtful correction. */
export function hasSubject(
  { own }: Candidate<PassageSource>,
  asked: ReadonlyMap<string, AskedWord>,
): boolean {
  return [...own].some(
    ([term, weight]) => weight >= surelyKnown && asked.get(term)?.isAsking === false,
  );
}

/** The share of the question's weight in names that a sentence's chunk and its context lack. */
export function missingNames(
  { around }: Candidate<PassageSource>,
  asked: ReadonlyMap<string, AskedWord>,
  weights: ReadonlyMap<string, number>,
): number {
  let [all, missing] = [0, 0];
  for (const [term, weight] of weights) {
    all += weight;
    const isMissing = (around.get(term) ?? 0) < surelyKnown;
    if (isMissing && asked.get(term)?.isName === true) missing += weight;
  }
  return all === 0 ? 0 : missing / all;
}

/** The question as sentences are weighed by it. */
export interface Scoring {
  readonly weights: ReadonlyMap<string, number>;
  readonly all: number;
  readonly whole: number;
  readonly rarest: number;
  readonly averageLength: number;
  readonly wants: RegExp | null;
}

/**
 * The evidence of a sentence in rarest words. `hasWhole`: it has most of the question.
 * `isLabelled`: its value has a label that is part of the question.
 */
export interface Evidence {
  readonly evidence: number;
  readonly hasWhole: boolean;
  readonly isLabelled: boolean;
}

/** BM25 of a sentence, less where its chunk lacks words; null for one without the question's. */
export function evidenceOf(
  candidate: Candidate<PassageSource>,
  { weights, all, whole, rarest, averageLength, wants }: Scoring,
): Evidence | null {
  // A fragment of two words must not gain from its length.
  const lengthRatio = Math.max(0.7, candidate.length / Math.max(1, averageLength));
  const damping = saturation * (1 - lengthWeight + lengthWeight * lengthRatio);
  let own = 0;
  let sure = 0;
  let ranking = 0;
  let near = 0;
  let together = 0;
  if (candidate.own.size === 0) return null;
  for (const [term, weight] of weights) {
    const count = candidate.counts.get(term) ?? 0;
    if (count > 0) {
      const found = candidate.own.get(term) ?? 0;
      own += weight * found;
      if (found >= surelyKnown) sure += weight * found;
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
  // A doubtful correction may be another word, which completes no question.
  const share = (sure + near) / whole;
  const isComplete = together >= all;
  const kind = answers(candidate, weights, wants) ? kindGain : 0;
  const hasLabel = isLabelled(candidate, weights);
  const label = hasLabel ? (isComplete ? 0.4 : 0.1) : 0;
  const position = 0.1 / (1 + candidate.rank);
  const form = isHeading(candidate.text) ? 0.4 : 1;
  const coverage = 0.6 + 0.4 * Math.min(1, own / all);
  return {
    evidence: evidence * coverage * (1 + kind + label + position) * form,
    hasWhole: share >= wholeQuestion,
    isLabelled: hasLabel,
  };
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
