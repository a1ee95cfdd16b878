import type { Degrees } from "#lib/geometry/geometry.ts";
import type { Gazetteer } from "./gazetteer.ts";
import { correctedMentions, exactMentions, wordsOf } from "./mentions.ts";
import type { Mention, QueryWord } from "./mentions.ts";
import type { EntityKind } from "./packed.ts";

/** A place that a query may mean. */
export interface FoundPlace {
  readonly entity: number;
  readonly by: Mention["by"];
  /** The part of the query that fits, from 0 to 1, less where other places fit too. */
  readonly confidence: number;
}

interface Candidate {
  readonly mention: Mention;
  /** The part of the query that the place and the areas around it explain. */
  readonly quality: number;
  /** The logarithm of the weight among candidates of the same quality. */
  readonly importance: number;
}

/** A number in an address counts less than a name. */
const numberWeight = 0.3;
const fit: Readonly<Record<Mention["by"], number>> = {
  name: 1,
  alias: 0.97,
  code: 0.9,
  typo: 0.85,
};
const laterFit = 0.6;
/** The power by which the quality outweighs the importance: half of it is a millionth. */
const qualityPower = 20;
/** Candidates of less than this part of the best quality are left out. */
const leastPartOfBest = 0.6;
const completeQuality = 0.95;
/** Places of one name that are looked at as the surroundings of another place. */
const mostSurroundings = 20;
/** A place at this distance from another one can stand for its surroundings. */
const surroundingsMetres = 40_000;
/** An area whose middle is at this distance can have given its name to the place's address. */
const areaMetres = 80_000;
/** At this distance from `near`, a place has a sixteenth of its weight. */
const nearMetres = 25_000;
const nearPower = 4;
/** The logarithm by which one kind outweighs the population. */
const kindWeights: Readonly<Record<EntityKind, number>> = {
  country: 1,
  area: -1.3,
  region: -0.3,
  place: 0,
  suburb: 1.5,
  postcode: 1.2,
};
const otherNameWeight = -0.5;
/** The part of the population's logarithm that counts when a typing error is corrected. */
const populationPartOfTypos = 0.25;

/** The places of the gazetteer that a text may mean, best first. */
export function findPlaces(
  gazetteer: Gazetteer,
  query: string,
  { near, limit }: { readonly near?: Degrees | undefined; readonly limit: number },
): FoundPlace[] {
  const words = wordsOf(query);
  const finder = new Finder(gazetteer, words, near);
  const exact = exactMentions(gazetteer, words);
  let candidates = finder.candidates(exact);
  const best = Math.max(0, ...candidates.map(({ quality }) => quality));
  if (best < completeQuality) {
    const corrected = correctedMentions(gazetteer, words, exact);
    if (corrected.length > 0) candidates = finder.candidates([...exact, ...corrected]);
  }
  return withConfidence(bestOfEach(candidates)).slice(0, limit);
}

class Finder {
  readonly #total: number;

  constructor(
    private readonly gazetteer: Gazetteer,
    private readonly words: readonly QueryWord[],
    private readonly near: Degrees | undefined,
  ) {
    this.#total = weightOf(words);
  }

  candidates(mentions: readonly Mention[]): Candidate[] {
    const spans = [...Map.groupBy(mentions, ({ from, to }) => `${from} ${to}`).values()].map(
      (span) => this.#surroundings(span),
    );
    return mentions.map((mention) => ({
      mention,
      quality: this.#quality(mention, spans),
      importance: this.#importance(mention),
    }));
  }

  /** The weight of the words that name the place, or an area or a place around it. */
  #quality(main: Mention, spans: readonly (readonly Mention[])[]): number {
    const covered = new Set(range(main));
    let weight = weightOf(this.words.slice(main.from, main.to)) * fit[main.by];
    for (const span of spans) {
      const [first] = span;
      if (first === undefined || range(first).some((word) => covered.has(word))) continue;
      const around = span.find(({ entity }) => this.#isAround(main.entity, entity));
      if (around === undefined) continue;
      for (const word of range(first)) covered.add(word);
      weight += weightOf(this.words.slice(first.from, first.to)) * fit[around.by];
    }
    // An address begins with the smallest place.
    const isFirst = Math.min(...covered) === main.from;
    return (weight / this.#total) * (isFirst ? 1 : laterFit);
  }

  /** The mentions of a span that can be around a place: areas, and the largest places. */
  #surroundings(span: readonly Mention[]): Mention[] {
    if (span.length <= mostSurroundings) return [...span];
    const { gazetteer } = this;
    const size = ({ entity }: Mention): number =>
      gazetteer.population(entity) + (gazetteer.kind(entity) === "place" ? 0 : 1e9);
    return span.toSorted((one, other) => size(other) - size(one)).slice(0, mostSurroundings);
  }

  #isAround(place: number, other: number): boolean {
    const { gazetteer } = this;
    if (place === other || gazetteer.country(place) !== gazetteer.country(other)) return false;
    const [kind, otherKind] = [gazetteer.kind(place), gazetteer.kind(other)];
    if (kind === "country") return false;
    if (otherKind === "country") return true;
    const isArea = otherKind === "area" || otherKind === "region";
    if (isArea) {
      if (kind === "region") return false;
      return gazetteer.isIn(place, other) || this.#metres(place, other) < areaMetres;
    }
    if (kind === "area" || kind === "region") return false;
    return this.#metres(place, other) < surroundingsMetres;
  }

  #metres(one: number, other: number): number {
    return this.gazetteer.metresTo(one, this.gazetteer.position(other));
  }

  #importance({ entity, by, likelihood }: Mention): number {
    const { gazetteer, near } = this;
    const people = Math.log10(gazetteer.population(entity) + 10);
    const size = by === "typo" ? people * populationPartOfTypos : people;
    const kind = kindWeights[gazetteer.kind(entity)] * (by === "typo" ? populationPartOfTypos : 1);
    const named = by === "alias" || by === "code" ? otherNameWeight : 0;
    const metres = near === undefined ? 0 : gazetteer.metresTo(entity, near);
    return size + kind + named + likelihood - nearPower * Math.log10(1 + metres / nearMetres);
  }
}

function range({ from, to }: Pick<Mention, "from" | "to">): number[] {
  return Array.from({ length: to - from }, (_word, index) => from + index);
}

export function weightOf(words: readonly { readonly key: string }[]): number {
  return words.reduce((sum, { key }) => sum + (/^\d+$/.test(key) ? numberWeight : 1), 0);
}

/** The best candidate of each entity, the heaviest first. */
function bestOfEach(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const known = best.get(candidate.mention.entity);
    if (known === undefined || weightOfCandidate(candidate) > weightOfCandidate(known)) {
      best.set(candidate.mention.entity, candidate);
    }
  }
  return [...best.values()].toSorted(
    (one, other) => weightOfCandidate(other) - weightOfCandidate(one),
  );
}

/** The logarithm of a candidate's weight. */
function weightOfCandidate({ importance, quality }: Candidate): number {
  return importance + qualityPower * Math.log10(quality);
}

/** A name that several places share is less sure: each has its part by weight. */
function withConfidence(candidates: readonly Candidate[]): FoundPlace[] {
  const [first] = candidates;
  if (first === undefined) return [];
  const heaviest = weightOfCandidate(first);
  const best = Math.max(...candidates.map(({ quality }) => quality));
  const kept = candidates.filter(({ quality }) => quality >= best * leastPartOfBest);
  const part = (candidate: Candidate): number => 10 ** (weightOfCandidate(candidate) - heaviest);
  const total = kept.reduce((sum, each) => sum + part(each), 0);
  let most = 1;
  return kept.map((candidate) => {
    most = Math.min(most, candidate.quality * (0.5 + (0.5 * part(candidate)) / total));
    return { entity: candidate.mention.entity, by: candidate.mention.by, confidence: most };
  });
}
