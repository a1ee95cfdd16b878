import { worthFactors, type LengthShare, type PackedHits } from "./hits.ts";

/** Entries with a term, and its weight. */
export interface WeightedHits {
  readonly hits: PackedHits;
  readonly weight: number;
}

export interface BestHit {
  readonly place: string;
  readonly worth: number;
}

/** The entries with the highest worth, as `weighedMatches` weighs them; the highest first. */
export function bestHits(
  terms: readonly WeightedHits[],
  share: LengthShare,
  limit: number,
): BestHit[] {
  const { least, perWord } = worthFactors(share);
  const weights = new Map<string, number>();
  for (const { hits, weight } of terms) {
    for (const hit of hits.split(",")) weights.set(hit, (weights.get(hit) ?? 0) + weight);
  }
  const worths = new Float64Array(weights.size);
  let at = 0;
  for (const [hit, weight] of weights) {
    const length = Number(hit.slice(hit.indexOf(" ") + 1));
    worths[at] = weight / (least + perWord * length);
    at += 1;
  }
  // Most entries are below the limit: only the others are sorted with their places.
  const lowest = worths.toSorted()[Math.max(0, worths.length - limit)] ?? 0;
  const best: BestHit[] = [];
  at = 0;
  for (const hit of weights.keys()) {
    const worth = worths[at] ?? 0;
    if (worth >= lowest) best.push({ place: hit.slice(0, hit.indexOf(" ")), worth });
    at += 1;
  }
  return best
    .toSorted((one, other) => other.worth - one.worth || (one.place < other.place ? 1 : -1))
    .slice(0, limit);
}
