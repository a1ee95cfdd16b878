import type { Features } from "./features.ts";

/** Logistic regression of one label against the others; the last weight is the bias. */
export interface TrainingSet {
  /** Ids from 0 to `size - 1`. */
  readonly rows: readonly Features[];
  readonly size: number;
}

/** The inverse of the regularization, for one row. */
const penalty = 12;
/** A rare label's rows count more, up to this factor. */
const mostBalance = 4;
const tolerance = 1e-2;
const slopeTolerance = 1e-3;
const newtonSteps = 8;
const leastShare = 1e-8;

/**
 * Trains one label by dual coordinate descent (Yu, Huang and Lin, 2011) with a bias. Passes over
 * the rows until no step changes much, or `passes` are done. Deterministic.
 */
export function trainLabel(
  { rows, size }: TrainingSet,
  isPositive: (row: number) => boolean,
  passes: number,
): Float64Array {
  const weights = new Float64Array(size + 1);
  const positives = rows.filter((_row, at) => isPositive(at)).length;
  const ratio = Math.max(1, (rows.length - positives) / Math.max(1, positives));
  const positivePenalty = penalty * Math.min(mostBalance, Math.sqrt(ratio));
  const shares = new Float64Array(rows.length);
  const squares = rows.map(({ values }) => values.reduce((sum, each) => sum + each * each, 1));
  rows.forEach((row, at) => {
    const most = isPositive(at) ? positivePenalty : penalty;
    const share = Math.min(leastShare * most, 1e-3);
    shares[at] = share;
    addTo(weights, row, isPositive(at) ? share : -share);
  });
  const order = Uint32Array.from(rows, (_row, at) => at);
  const random = seeded(rows.length);
  for (let pass = 0; pass < passes; pass += 1) {
    shuffle(order, random);
    let largest = 0;
    for (const at of order) {
      const row = rows[at];
      if (row === undefined) continue;
      const sign = isPositive(at) ? 1 : -1;
      const most = sign === 1 ? positivePenalty : penalty;
      const before = shares[at] ?? 0;
      const after = bestShare(sign * scoreOf(weights, row), squares[at] ?? 1, before, most);
      const change = after - before;
      if (change === 0) continue;
      shares[at] = after;
      addTo(weights, row, sign * change);
      largest = Math.max(largest, Math.abs(change) / most);
    }
    if (largest < tolerance) break;
  }
  return weights;
}

/** The share of one row that minimizes the dual, by Newton's method within its bounds. */
function bestShare(margin: number, square: number, before: number, most: number): number {
  let share = before;
  let low = 0;
  let high = most;
  for (let step = 0; step < newtonSteps; step += 1) {
    const slope = margin + square * (share - before) + Math.log(share / (most - share));
    if (Math.abs(slope) < slopeTolerance) break;
    if (slope > 0) high = share;
    else low = share;
    const next = share - slope / (square + most / (share * (most - share)));
    share = next > low && next < high ? next : (low + high) / 2;
    if (high - low < leastShare * most) break;
  }
  const edge = leastShare * most;
  return Math.min(most - edge, Math.max(edge, share));
}

/** The score of a row: positive when the label fits. */
export function scoreOf(weights: Float64Array, { ids, values }: Features): number {
  let score = weights[weights.length - 1] ?? 0;
  for (let at = 0; at < ids.length; at += 1) {
    score += (weights[ids[at] ?? 0] ?? 0) * (values[at] ?? 0);
  }
  return score;
}

function addTo(weights: Float64Array, { ids, values }: Features, factor: number): void {
  for (let at = 0; at < ids.length; at += 1) {
    const id = ids[at] ?? 0;
    weights[id] = (weights[id] ?? 0) + factor * (values[at] ?? 0);
  }
  const bias = weights.length - 1;
  weights[bias] = (weights[bias] ?? 0) + factor;
}

/** A generator of numbers from 0 to 1 (xorshift), the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}

export function shuffle(order: Uint32Array, random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const held = order[at] ?? 0;
    order[at] = order[other] ?? 0;
    order[other] = held;
  }
}
