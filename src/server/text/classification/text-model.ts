import {
  calibrationError,
  fitCalibration,
  logit,
  probability,
  type Calibration,
} from "./calibration.ts";
import { featuresOf, normalized, type Features } from "./features.ts";
import { scoreOf, seeded, shuffle, trainLabel, type TrainingSet } from "./logistic.ts";

/** A text to train the classifier with. */
export type LabelledText = { readonly label: string; readonly text: string };

/** A trained linear model: one row of weights for each label. */
export interface TextModel {
  /** The labels in order; the weights of a label are at its index. */
  readonly labels: readonly string[];
  /** The hashes of the known features, in ascending order. */
  readonly features: Uint32Array;
  /** The logarithm of how rare each known feature is, and last that of an unknown one. */
  readonly rarities: Float32Array;
  /** The weights of a label for each known feature, then its bias. */
  readonly weights: readonly Float32Array[];
  /** Turns the score of a label into its share. */
  readonly labelCalibration: Calibration;
  /** Turns the logit of the best label's share into the confidence. */
  readonly bestCalibration: Calibration;
}

/** Held-out results of a training: each text was classified by a model that had not seen it. */
export interface TrainingMetrics {
  readonly examples: number;
  readonly labels: number;
  /** Texts that were held out. */
  readonly heldOut: number;
  /** The share of held-out texts whose best label is theirs; null without any. */
  readonly accuracy: number | null;
  /** The average distance of confidence and accuracy; null without held-out texts. */
  readonly calibrationError: number | null;
  /** The share of held-out texts below the threshold. */
  readonly abstained: number | null;
}

export interface TrainedModel {
  readonly model: TextModel;
  readonly metrics: TrainingMetrics;
}

const usualLabelCalibration: Calibration = { slope: 1.6, offset: 0.6 };
const usualBestCalibration: Calibration = { slope: 1, offset: 0 };
const foldsAtMost = 5;
const passesAtMost = 40;
/** Operations of one training, about ten seconds; large sets get fewer passes. */
const operationsAtMost = 4e9;
/** A feature of a single text says nothing among so many texts. */
const manyTexts = 200;

/** Trains on all examples, and calibrates on held-out parts of them. Takes up to ten seconds. */
export function trainTextModel(examples: readonly LabelledText[], threshold: number): TrainedModel {
  const labels = [...new Set(examples.map(({ label }) => label))].toSorted();
  const targets = examples.map(({ label }) => labels.indexOf(label));
  const counted = examples.map(({ text }) => featuresOf(text));
  const folds = foldsOf(targets, labels.length);
  const values = counted.reduce((sum, { ids }) => sum + ids.length, 0);
  const trainings = (Math.max(...folds, 0) + 2) * labels.length;
  const passes = Math.min(
    passesAtMost,
    Math.max(3, Math.floor(operationsAtMost / Math.max(1, values * 2 * trainings))),
  );
  const held = heldOutScores(counted, targets, folds, labels.length, passes);
  const labelCalibration = fitCalibration(
    held.flatMap(({ scores }) => scores),
    held.flatMap(({ scores, target }) => scores.map((_score, label) => label === target)),
    usualLabelCalibration,
  );
  const best = held.map(({ scores, target }) => {
    const shares = sharesOf(scores, labelCalibration);
    const highest = Math.max(...shares);
    return { highest, isRight: shares.indexOf(highest) === target };
  });
  const hits = best.map(({ isRight }) => isRight);
  const bestCalibration = fitCalibration(
    best.map(({ highest }) => logit(highest)),
    hits,
    usualBestCalibration,
  );
  const confidences = best.map(({ highest }) => probability(bestCalibration, logit(highest)));
  const trained = trainAll(counted, targets, labels.length, passes);
  const share = (count: number): number | null => (held.length === 0 ? null : count / held.length);
  return {
    model: { labels, ...compact(trained), labelCalibration, bestCalibration },
    metrics: {
      examples: examples.length,
      labels: labels.length,
      heldOut: held.length,
      accuracy: share(hits.filter((isRight) => isRight).length),
      calibrationError: held.length === 0 ? null : calibrationError(confidences, hits),
      abstained: share(confidences.filter((each) => each < threshold).length),
    },
  };
}

/** The confidence of each label, in the model's order, and how much of the text is known. */
export function applyTextModel(
  text: string,
  model: TextModel,
): { readonly confidences: readonly number[]; readonly known: number } {
  const { features, rarities, weights } = model;
  const unknown = rarities[features.length] ?? 1;
  const places = new Map<number, number>();
  const counted = featuresOf(text);
  for (const id of counted.ids) {
    const at = placeOf(features, id);
    if (at >= 0) places.set(id, at);
  }
  const { ids, values } = normalized(counted, (id) => {
    const at = places.get(id);
    return at === undefined ? unknown : (rarities[at] ?? unknown);
  });
  const scores = weights.map((row) => {
    let score = row[features.length] ?? 0;
    ids.forEach((id, index) => {
      const at = places.get(id);
      if (at !== undefined) score += (row[at] ?? 0) * (values[index] ?? 0);
    });
    return score;
  });
  const shares = sharesOf(scores, model.labelCalibration);
  const highest = Math.max(...shares, 0);
  const confidence = highest === 0 ? 0 : probability(model.bestCalibration, logit(highest));
  // The others keep their proportion to the best one, within what it leaves.
  const others = shares.reduce((sum, each) => sum + each, 0) - highest;
  const scale = Math.min(confidence / (highest || 1), others === 0 ? 0 : (1 - confidence) / others);
  const bestAt = shares.indexOf(highest);
  return {
    confidences: shares.map((each, at) => (at === bestAt ? confidence : each * scale)),
    known: places.size,
  };
}

/** Shares of the labels; their sum is at most 1, and less for a text that fits none. */
function sharesOf(scores: readonly number[], calibration: Calibration): number[] {
  const shares = scores.map((score) => probability(calibration, score));
  const sum = shares.reduce((total, each) => total + each, 0);
  return sum <= 1 ? shares : shares.map((each) => each / sum);
}

/** The part in which each text is held out; -1 for the only text of its label. */
function foldsOf(targets: readonly number[], labels: number): number[] {
  const folds = targets.map(() => -1);
  const order = Uint32Array.from(targets, (_target, at) => at);
  shuffle(order, seeded(targets.length));
  const seen = Array.from({ length: labels }, () => 0);
  const counts = Array.from({ length: labels }, () => 0);
  for (const target of targets) counts[target] = (counts[target] ?? 0) + 1;
  for (const at of order) {
    const target = targets[at] ?? 0;
    if ((counts[target] ?? 0) < 2) continue;
    folds[at] = (seen[target] ?? 0) % foldsAtMost;
    seen[target] = (seen[target] ?? 0) + 1;
  }
  return folds;
}

interface HeldOut {
  readonly target: number;
  readonly scores: number[];
}

function heldOutScores(
  counted: readonly Features[],
  targets: readonly number[],
  folds: readonly number[],
  labels: number,
  passes: number,
): HeldOut[] {
  const held: HeldOut[] = [];
  if (labels < 2) return held;
  for (let fold = 0; fold < foldsAtMost; fold += 1) {
    if (!folds.includes(fold)) continue;
    const learnt = counted.filter((_each, at) => folds[at] !== fold);
    const learntTargets = targets.filter((_each, at) => folds[at] !== fold);
    const { weights, rarityOf, placeOf: place } = trainAll(learnt, learntTargets, labels, passes);
    for (const [at, text] of counted.entries()) {
      if (folds[at] !== fold) continue;
      const row = placed(normalized(text, rarityOf), place);
      held.push({ target: targets[at] ?? 0, scores: weights.map((each) => scoreOf(each, row)) });
    }
  }
  return held;
}

interface Trained {
  readonly weights: readonly Float64Array[];
  readonly features: Uint32Array;
  rarityOf(id: number): number;
  placeOf(id: number): number | undefined;
}

function trainAll(
  counted: readonly Features[],
  targets: readonly number[],
  labels: number,
  passes: number,
): Trained {
  const occurrences = new Map<number, number>();
  for (const { ids } of counted) {
    for (const id of ids) occurrences.set(id, (occurrences.get(id) ?? 0) + 1);
  }
  const least = counted.length < manyTexts ? 1 : 2;
  const features = Uint32Array.from(
    [...occurrences].flatMap(([id, count]) => (count >= least ? [id] : [])),
  ).toSorted();
  const places = new Map(Array.from(features, (id, at) => [id, at]));
  const rarityOf = (id: number): number =>
    1 + Math.log((counted.length + 1) / ((occurrences.get(id) ?? 0) + 1));
  const place = (id: number): number | undefined => places.get(id);
  const rows = counted.map((each) => placed(normalized(each, rarityOf), place));
  const set: TrainingSet = { rows, size: features.length };
  const weights = Array.from({ length: labels }, (_each, label) =>
    trainLabel(set, (row) => targets[row] === label, passes),
  );
  return { weights, features, rarityOf, placeOf: place };
}

/** The known features of a text by their places. */
function placed(text: Features, place: (id: number) => number | undefined): Features {
  const ids: number[] = [];
  const values: number[] = [];
  text.ids.forEach((id, at) => {
    const known = place(id);
    if (known === undefined) return;
    ids.push(known);
    values.push(text.values[at] ?? 0);
  });
  return { ids: Uint32Array.from(ids), values: Float32Array.from(values) };
}

const featuresAtMost = 60_000;
const weightsAtMost = 2_000_000;

/** Keeps the features with the largest weights, in single precision. */
function compact({
  weights,
  features,
  rarityOf,
}: Trained): Pick<TextModel, "features" | "rarities" | "weights"> {
  const importance = Float64Array.from(features, (_id, at) =>
    Math.max(...weights.map((row) => Math.abs(row[at] ?? 0))),
  );
  const most = Math.min(featuresAtMost, Math.floor(weightsAtMost / Math.max(1, weights.length)));
  const least = importance.toSorted().at(-most) ?? 0;
  const kept = Array.from(features.keys())
    .filter((at) => (importance[at] ?? 0) >= least)
    .slice(0, most);
  const ids = Uint32Array.from(kept, (at) => features[at] ?? 0);
  return {
    features: ids,
    rarities: Float32Array.from([...Array.from(ids, rarityOf), rarityOf(-1)]),
    weights: weights.map((row) =>
      Float32Array.from([...kept.map((at) => row[at] ?? 0), row[features.length] ?? 0]),
    ),
  };
}

/** The place of an id in an ascending list, or -1. */
function placeOf(features: Uint32Array, id: number): number {
  let low = 0;
  let high = features.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = features[middle] ?? 0;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
