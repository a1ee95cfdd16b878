import {
  calibrationError,
  fitCalibration,
  logit,
  probability,
  type Calibration,
} from "./calibration.ts";
import {
  currentForm,
  featuresOf,
  normalized,
  type FeatureForm,
  type Features,
} from "./features.ts";
import {
  marginsOf,
  scoresOf,
  seeded,
  shuffle,
  trainWeights,
  type LinearWeights,
} from "./logistic.ts";

/** A text to train the classifier with. */
export type LabelledText = { readonly label: string; readonly text: string };

/** A trained linear model: one row of weights for each label. */
export interface TextModel {
  /** The form of its features. Models of form 1 have independent labels. */
  readonly form: FeatureForm;
  /** The labels in order; the weights of a label are at its index. */
  readonly labels: readonly string[];
  /** The hashes of the known features, in ascending order. */
  readonly features: Uint32Array;
  /** The logarithm of how rare each known feature is, and last that of an unknown one. */
  readonly rarities: Float32Array;
  /** The weights of a label for each known feature, then its bias. */
  readonly weights: readonly Float32Array[];
  /** Turns the margin of a label into its share; of form 1, its score. */
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

const usualLabelCalibration: Calibration = { slope: 1, offset: 0 };
const usualBestCalibration: Calibration = { slope: 1, offset: 0 };
const foldsAtMost = 5;
/** More passes change the accuracy by less than a thousandth. */
const passesAtMost = 12;
/** Operations of one training, about ten seconds; large sets get fewer passes. */
const operationsAtMost = 4e9;
/** Limit of the memory of a training: 64 MB of weights. */
const trainedWeightsAtMost = 16_000_000;

/**
 * Trains on all examples and on the words of each label, and calibrates on held-out examples. Takes
 * up to ten seconds. `wordsOf` gives a label's name and description; default: the words of its key.
 */
export function trainTextModel(
  examples: readonly LabelledText[],
  threshold: number,
  wordsOf: (label: string) => string = wordsOfKey,
): TrainedModel {
  const labels = [...new Set(examples.map(({ label }) => label))].toSorted();
  const places = new Map(labels.map((label, at) => [label, at]));
  const targets = [...examples.map(({ label }) => places.get(label) ?? 0), ...places.values()];
  const counted = [...examples.map(({ text }) => text), ...labels.map(wordsOf)].map((text) =>
    featuresOf(text),
  );
  const folds = foldsOf(targets.slice(0, examples.length), labels.length);
  const passes = passesFor(counted, labels.length * (Math.max(...folds, 0) + 2));
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
    model: { form: currentForm, labels, ...compact(trained), labelCalibration, bestCalibration },
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

export function wordsOfKey(key: string): string {
  return key.replaceAll("-", " ");
}

function passesFor(counted: readonly Features[], trainings: number): number {
  const values = counted.reduce((sum, { ids }) => sum + ids.length, 0);
  const passes = Math.floor(operationsAtMost / Math.max(1, values * 2 * trainings));
  return Math.min(passesAtMost, Math.max(3, passes));
}

/** The confidence of each label, in the model's order, and how much of the text is known. */
export function applyTextModel(
  text: string,
  model: TextModel,
): { readonly confidences: readonly number[]; readonly known: number } {
  const { form, features, rarities, weights } = model;
  const unknown = rarities[features.length] ?? 1;
  const places = new Map<number, number>();
  const counted = featuresOf(text, form);
  for (const id of counted.ids) {
    const at = placeOf(features, id);
    if (at >= 0) places.set(id, at);
  }
  const { ids, values } = normalized(counted, (id) => {
    const at = places.get(id);
    return at === undefined ? unknown : (rarities[at] ?? unknown);
  });
  const known = Array.from(ids.keys()).filter((index) => places.has(ids[index] ?? 0));
  const knownPlaces = Uint32Array.from(known, (index) => places.get(ids[index] ?? 0) ?? 0);
  const knownValues = Float32Array.from(known, (index) => values[index] ?? 0);
  const scores = weights.map((row) => {
    let score = row[features.length] ?? 0;
    for (let at = 0; at < knownPlaces.length; at += 1) {
      score += (row[knownPlaces[at] ?? 0] ?? 0) * (knownValues[at] ?? 0);
    }
    return score;
  });
  const shares = sharesOf(form === 1 ? scores : marginsOf(scores), model.labelCalibration);
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
      const scores = marginsOf(Array.from(scoresOf(weights, row)));
      held.push({ target: targets[at] ?? 0, scores });
    }
  }
  return held;
}

interface Trained {
  readonly weights: LinearWeights;
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
  const most = Math.floor(trainedWeightsAtMost / Math.max(1, labels));
  const features = Uint32Array.from(commonFeatures(occurrences, most)).toSorted();
  const places = new Map(Array.from(features, (id, at) => [id, at]));
  const rarityOf = (id: number): number =>
    1 + Math.log((counted.length + 1) / ((occurrences.get(id) ?? 0) + 1));
  const place = (id: number): number | undefined => places.get(id);
  const rows = counted.map((each) => placed(normalized(each, rarityOf), place));
  const weights = trainWeights({ rows, size: features.length, targets, labels }, passes);
  return { weights, features, rarityOf, placeOf: place };
}

/** The features of most texts, where there are more than `most`. */
function commonFeatures(occurrences: ReadonlyMap<number, number>, most: number): number[] {
  if (occurrences.size <= most) return [...occurrences.keys()];
  const byTexts = [...occurrences].toSorted(([id, one], [other, two]) => two - one || id - other);
  return byTexts.slice(0, most).map(([id]) => id);
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

/** Keeps the features with the largest weights. */
function compact({
  weights: { values, size, labels },
  features,
  rarityOf,
}: Trained): Pick<TextModel, "features" | "rarities" | "weights"> {
  const importance = Float32Array.from(features, (_id, at) =>
    values
      .subarray(at * labels, (at + 1) * labels)
      .reduce((most, each) => Math.max(most, Math.abs(each)), 0),
  );
  const most = Math.min(featuresAtMost, Math.floor(weightsAtMost / Math.max(1, labels)));
  const least = importance.toSorted().at(-most) ?? 0;
  const kept = Array.from(features.keys())
    .filter((at) => (importance[at] ?? 0) >= least)
    .slice(0, most);
  const ids = Uint32Array.from(kept, (at) => features[at] ?? 0);
  return {
    features: ids,
    rarities: Float32Array.from([...Array.from(ids, rarityOf), rarityOf(-1)]),
    weights: Array.from({ length: labels }, (_each, label) =>
      Float32Array.from([...kept, size], (at) => values[at * labels + label] ?? 0),
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
