import type { Gazetteer } from "./gazetteer.ts";
import { nameKey } from "./name-key.ts";
import type { RowKind } from "./packed.ts";
import { correctionsOf } from "./typos.ts";

/** A word of a query. The parts between commas are segments, which no name crosses. */
export interface QueryWord {
  readonly key: string;
  readonly segment: number;
}

/** Words of a query that name an entity: from the first up to, not including, the last. */
export interface Mention {
  readonly from: number;
  readonly to: number;
  readonly entity: number;
  readonly by: RowKind | "typo";
  /** The logarithm of the likelihood of a typing error; 0 without one. */
  readonly likelihood: number;
}

const mostWords = 16;
const longestSpan = 10;
const leastCorrectedLetters = 5;
/** Spans of a query that are corrected: whole segments, then the shortest. */
const mostCorrectedSpans = 12;

export function wordsOf(query: string): QueryWord[] {
  return query
    .split(/[,;\n]/)
    .flatMap((part, segment) =>
      nameKey(part)
        .split(" ")
        .flatMap((key) => (key === "" ? [] : [{ key, segment }])),
    )
    .slice(0, mostWords);
}

/** All names, other names and codes in the words. */
export function exactMentions(gazetteer: Gazetteer, words: readonly QueryWord[]): Mention[] {
  return spansOf(words, longestSpan).flatMap((span) => {
    const rows = gazetteer.names.find(span.key);
    if (rows === undefined) return [];
    const { from, to } = span;
    return gazetteer
      .entitiesOf(rows)
      .map(({ entity, by }) => ({ from, to, entity, by, likelihood: 0 }));
  });
}

/** Names at one typing error from spans that are no name. */
export function correctedMentions(
  gazetteer: Gazetteer,
  words: readonly QueryWord[],
  exact: readonly Mention[],
): Mention[] {
  const known = new Set(exact.map(({ from, to }) => `${from} ${to}`));
  const isWhole = ({ from, to }: Span): boolean =>
    words[from - 1]?.segment !== words[from]?.segment &&
    words[to - 1]?.segment !== words[to]?.segment;
  const correctable = spansOf(words, longestSpan).filter(
    ({ from, to, key }) =>
      key.length >= leastCorrectedLetters && !/\d/.test(key) && !known.has(`${from} ${to}`),
  );
  const [whole = [], parts = []] = [true, false].map((wanted) =>
    correctable.filter((span) => isWhole(span) === wanted),
  );
  const spans = [...whole, ...parts.toReversed()].slice(0, mostCorrectedSpans);
  return spans.flatMap(({ from, to, key }) => {
    const found = new Map<number, Mention>();
    for (const correction of correctionsOf(key)) {
      const rows = gazetteer.names.find(correction.key);
      if (rows === undefined) continue;
      for (const { entity, by } of gazetteer.entitiesOf(rows)) {
        if (by === "code") continue;
        const likelihood = correction.likelihood - (by === "alias" ? aliasPenalty : 0);
        if ((found.get(entity)?.likelihood ?? -Infinity) >= likelihood) continue;
        found.set(entity, { from, to, entity, by: "typo", likelihood });
      }
    }
    return [...found.values()];
  });
}

/** The logarithm by which another name is less likely to be meant than the name. */
const aliasPenalty = 1.5;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

/** Neighbouring words of one segment, the longest spans first. */
function spansOf(words: readonly QueryWord[], longest: number): Span[] {
  const spans: Span[] = [];
  for (let length = Math.min(longest, words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const part = words.slice(from, from + length);
      if (part.some(({ segment }) => segment !== part[0]?.segment)) continue;
      spans.push({ from, to: from + length, key: part.map(({ key }) => key).join(" ") });
    }
  }
  return spans;
}
