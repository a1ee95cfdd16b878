/** Turns a score into a probability: `1 / (1 + exp(-(slope × score + offset)))` (Platt, 1999). */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** The weight of the usual calibration, so that few held-out texts can not change it much. */
const usualWeight = 4;
const iterations = 50;

export function probability({ slope, offset }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(slope * score + offset)));
}

/**
 * Fits a calibration to scores of held-out texts by Newton's method. `usual` counts as much as four
 * texts, so that a small number of them can not make it extreme.
 */
export function fitCalibration(
  scores: readonly number[],
  hits: readonly boolean[],
  usual: Calibration,
): Calibration {
  let { slope, offset } = usual;
  const fixed = { slope: usualWeight / 4, offset: usualWeight / 4 };
  for (let step = 0; step < iterations; step += 1) {
    let slopeGradient = fixed.slope * (slope - usual.slope);
    let offsetGradient = fixed.offset * (offset - usual.offset);
    let slopes = fixed.slope;
    let offsets = fixed.offset;
    let both = 0;
    for (const [at, score] of scores.entries()) {
      const expected = probability({ slope, offset }, score);
      const error = expected - (hits[at] === true ? 1 : 0);
      const weight = expected * (1 - expected);
      slopeGradient += error * score;
      offsetGradient += error;
      slopes += weight * score * score;
      offsets += weight;
      both += weight * score;
    }
    const determinant = slopes * offsets - both * both;
    if (determinant < 1e-12) break;
    const slopeStep = bounded((offsets * slopeGradient - both * offsetGradient) / determinant);
    const offsetStep = bounded((slopes * offsetGradient - both * slopeGradient) / determinant);
    // A negative slope would say that lower scores fit better.
    slope = Math.max(0.01, slope - slopeStep);
    offset -= offsetStep;
    if (Math.abs(slopeStep) + Math.abs(offsetStep) < 1e-6) break;
  }
  return { slope, offset };
}

function bounded(step: number): number {
  return Math.max(-2, Math.min(2, step));
}

/** Logarithm of the odds, within bounds. */
export function logit(share: number): number {
  const inner = Math.min(1 - 1e-6, Math.max(1e-6, share));
  return Math.log(inner / (1 - inner));
}

const bins = 10;

/** The average distance of confidence and share of hits over ten ranges, by their sizes. */
export function calibrationError(confidences: readonly number[], hits: readonly boolean[]): number {
  if (confidences.length === 0) return 0;
  const sums = Array.from({ length: bins }, () => ({ confidence: 0, hits: 0, count: 0 }));
  for (const [at, confidence] of confidences.entries()) {
    const bin = sums[Math.min(bins - 1, Math.floor(confidence * bins))];
    if (bin === undefined) continue;
    bin.confidence += confidence;
    bin.hits += hits[at] === true ? 1 : 0;
    bin.count += 1;
  }
  const distance = sums.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.hits), 0);
  return distance / confidences.length;
}
