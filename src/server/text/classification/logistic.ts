import type { Features } from "./features.ts";

/** Rows with ids from 0 to `size - 1`, and the label of each row. */
export interface TrainingSet {
  readonly rows: readonly Features[];
  readonly size: number;
  readonly targets: readonly number[];
  readonly labels: number;
}

/**
 * Weights of a linear model: those of a feature for all labels stand together, and the last ones
 * are the biases.
 */
export interface LinearWeights {
  readonly values: Float32Array;
  readonly size: number;
  readonly labels: number;
}

/** The inverse of the regularization, for one row. */
const penalty = 20;
const tolerance = 1e-3;

/**
 * Trains multinomial logistic regression by stochastic dual coordinate ascent (Shalev-Shwartz and
 * Zhang, 2013). Passes over the rows until no step changes much, or `passes` are done.
 * Deterministic.
 */
export function trainWeights(
  { rows, size, targets, labels }: TrainingSet,
  passes: number,
): LinearWeights {
  const weights: LinearWeights = { values: new Float32Array((size + 1) * labels), size, labels };
  const shares = rows.map(() => new Float32Array(labels));
  const steps = rows.map(({ values }) => {
    const square = values.reduce((sum, each) => sum + each * each, 1);
    return 1 / (1 + (penalty * square) / 4);
  });
  const order = Uint32Array.from(rows, (_row, at) => at);
  const random = seeded(rows.length);
  for (let pass = 0; pass < passes; pass += 1) {
    shuffle(order, random);
    let largest = 0;
    for (const at of order) {
      const [row, share] = [rows[at], shares[at]];
      if (row === undefined || share === undefined) continue;
      const change = softmax(scoresOf(weights, row));
      for (let label = 0; label < labels; label += 1) {
        const expected = (label === targets[at] ? 1 : 0) - (change[label] ?? 0);
        const step = (penalty * expected - (share[label] ?? 0)) * (steps[at] ?? 0);
        share[label] = (share[label] ?? 0) + step;
        change[label] = step;
        largest = Math.max(largest, Math.abs(step));
      }
      addTo(weights, row, change);
    }
    if (largest < tolerance * penalty) break;
  }
  return weights;
}

/** The scores of a row, one for each label; their softmax is the probability before calibration. */
export function scoresOf({ values, size, labels }: LinearWeights, row: Features): Float64Array {
  const scores = Float64Array.from(values.subarray(size * labels, (size + 1) * labels));
  for (let at = 0; at < row.ids.length; at += 1) {
    const from = (row.ids[at] ?? 0) * labels;
    const value = row.values[at] ?? 0;
    for (let label = 0; label < labels; label += 1) {
      scores[label] = (scores[label] ?? 0) + (values[from + label] ?? 0) * value;
    }
  }
  return scores;
}

function addTo({ values, size, labels }: LinearWeights, row: Features, change: Float64Array): void {
  for (let at = 0; at <= row.ids.length; at += 1) {
    const isBias = at === row.ids.length;
    const from = (isBias ? size : (row.ids[at] ?? 0)) * labels;
    const value = isBias ? 1 : (row.values[at] ?? 0);
    for (let label = 0; label < labels; label += 1) {
      values[from + label] = (values[from + label] ?? 0) + (change[label] ?? 0) * value;
    }
  }
}

/** Replaces scores by their shares, whose sum is 1. */
function softmax(scores: Float64Array): Float64Array {
  const highest = scores.reduce((most, each) => Math.max(most, each), -Infinity);
  let sum = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const power = Math.exp((scores[at] ?? 0) - highest);
    scores[at] = power;
    sum += power;
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / sum;
  return scores;
}

/** The logarithm of the odds of each label against all others, under the softmax of the scores. */
export function marginsOf(scores: readonly number[]): number[] {
  const shares = softmax(Float64Array.from(scores));
  return Array.from(shares, (share) => {
    const inner = Math.min(1 - 1e-9, Math.max(1e-9, share));
    return Math.log(inner / (1 - inner));
  });
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
