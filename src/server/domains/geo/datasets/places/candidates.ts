import type { Reader } from "../../../../database/database.ts";
import { boxesAround } from "../../../../kit/geometry/distance.ts";
import type { Position } from "#lib/geometry/geometry.ts";
import { correctedFit, leastCorrectedLetters } from "../../fit.ts";
import { weightOf } from "../../gazetteer/find-places.ts";
import { wordsOf, type QueryWord } from "../../gazetteer/mentions.ts";
import { correctionsOf } from "../../gazetteer/typos.ts";
import type { DatasetRecord } from "../dataset-store.ts";
import { featureNumber, numbersInBoxes } from "../feature-store.ts";
import { wholeKey } from "./feature-names.ts";
import { placesOfKey, type NameTable } from "./name-table.ts";

/** Features whose names are compared with the query. */
const mostCandidates = 200;
const placesOfCorrection = 100;
const mostCorrected = 3;
/** Among more features with equal words, those in the smallest of these circles come first. */
const circlesMetres = [1_000, 10_000, 100_000] as const;
const foundInCircle = 10_000;
/** All circles together weigh less than a number of an address, which is the lightest word. */
const circleWeight = 0.05;

export interface NamedDataset {
  readonly dataset: DatasetRecord;
  readonly table: NameTable;
}

interface Candidate {
  readonly number: number;
  readonly weight: number;
}

/** The numbers of the features whose names may have most of the query's words. */
export async function candidatesIn(
  reader: Reader,
  named: readonly NamedDataset[],
  query: string,
  near: Position | undefined,
): Promise<number[]> {
  const words = wordsOf(query);
  const keys = weightedKeys(words);
  const known = new Set(
    words
      .map(({ key }) => key)
      .filter((key) => named.some(({ table }) => table.find(key, 1).length > 0)),
  );
  const unknown = words.filter(
    ({ key }) => key.length >= leastCorrectedLetters && !/\d/.test(key) && !known.has(key),
  );
  for (const { key } of unknown.slice(0, mostCorrected)) {
    const part = weightOf([{ key }]) * correctedFit;
    for (const { key: corrected } of correctionsOf(key)) {
      const name = corrected.includes(" ") ? wholeKey(corrected) : corrected;
      if (!keys.has(name)) keys.set(name, { weight: part, limit: placesOfCorrection });
    }
  }
  const found: Candidate[] = [];
  for (const one of named) {
    const weights = weightsIn(one, keys);
    if (near !== undefined && weights.size > mostCandidates) {
      await addCircles(reader, one.dataset, near, weights);
    }
    for (const [number, weight] of weights) found.push({ number, weight });
  }
  return found
    .toSorted((one, other) => other.weight - one.weight || one.number - other.number)
    .slice(0, mostCandidates)
    .map(({ number }) => number);
}

interface WeightedKey {
  readonly weight: number;
  readonly limit: number;
}

/** The words of a query, and its parts that may be a whole name. */
function weightedKeys(words: readonly QueryWord[]): Map<string, WeightedKey> {
  const keys = new Map<string, WeightedKey>();
  for (const word of words) keys.set(word.key, { weight: weightOf([word]), limit: placesOfKey });
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 1; to <= words.length; to += 1) {
      const part = words.slice(from, to);
      if (part.some(({ segment }) => segment !== part[0]?.segment)) break;
      const key = wholeKey(part.map((word) => word.key).join(" "));
      keys.set(key, { weight: weightOf(part), limit: placesOfKey });
    }
  }
  return keys;
}

/** The rarest keys come first: a common one only adds to the features that they have found. */
function weightsIn(
  { dataset, table }: NamedDataset,
  keys: ReadonlyMap<string, WeightedKey>,
): Map<number, number> {
  const lists = [...keys].map(([key, { weight, limit }]) => ({
    weight,
    found: table.find(key, limit),
  }));
  const weights = new Map<number, number>();
  for (const { weight, found } of lists.toSorted(
    (one, other) => one.found.length - other.found.length,
  )) {
    const isAdding = weights.size === 0 || found.length < placesOfKey;
    for (const place of found) {
      const number = featureNumber(dataset.generation, place);
      const before = weights.get(number);
      if (before !== undefined || isAdding) weights.set(number, (before ?? 0) + weight);
    }
  }
  return weights;
}

async function addCircles(
  reader: Reader,
  { workspace_id: workspaceId, generation }: DatasetRecord,
  near: Position,
  weights: Map<number, number>,
): Promise<void> {
  const source = { workspaceId, generation, where: undefined };
  for (const metres of circlesMetres) {
    const boxes = boxesAround(near, metres);
    for (const number of await numbersInBoxes(reader, source, boxes, foundInCircle)) {
      const weight = weights.get(number);
      if (weight !== undefined) weights.set(number, weight + circleWeight);
    }
  }
}
