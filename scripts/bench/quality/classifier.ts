import { Naivebayes } from "classificator";
import { calibrationError } from "#server/text/classification/calibration.ts";
import {
  applyTextModel,
  trainTextModel,
  type LabelledText,
} from "#server/text/classification/text-model.ts";
import type { Group, Row } from "../figures.ts";
import { labelledPages } from "./labelled-pages.ts";

const pagesOfSection = 200;
const threshold = 0.8;
/** The baseline reads as much of a text as the classifier does, in code units. */
const charactersRead = 6_000;

interface Guess {
  readonly label: string;
  readonly confidence: number;
}

/**
 * Accuracy, calibration error and abstention on manual pages whose section is to be found: trained
 * on one half, measured on the other. The baseline is the naive Bayes of a library.
 */
export function classifierQuality(): Group {
  return {
    name: "classifier",
    columns: ["accuracy", "calibration error", `abstains below ${threshold}`, "right of the rest"],
    async measure() {
      const pages = await labelledPages(pagesOfSection);
      const half = Math.floor(pages.length / 2);
      const [learnt, held] = [pages.slice(0, half), pages.slice(half)];
      if (held.length === 0) throw new Error("the machine has no manual pages: install man-db");
      return [
        row("naive Bayes (classificator)", held, baseline(learnt)),
        row(`svc, ${learnt.length} examples`, held, trained(learnt)),
      ];
    },
  };
}

function trained(examples: readonly LabelledText[]): (text: string) => Guess {
  const { model } = trainTextModel(examples, threshold);
  return (text) => {
    const { confidences } = applyTextModel(text, model);
    const confidence = Math.max(...confidences);
    return { label: model.labels[confidences.indexOf(confidence)] ?? "", confidence };
  };
}

function baseline(examples: readonly LabelledText[]): (text: string) => Guess {
  const classifier = new Naivebayes();
  for (const { label, text } of examples) classifier.learn(text.slice(0, charactersRead), label);
  return (text) => {
    const { predictedCategory, likelihoods } = classifier.categorize(text.slice(0, charactersRead));
    const best = likelihoods.find(({ category }) => category === predictedCategory);
    return { label: predictedCategory ?? "", confidence: best?.proba ?? 0 };
  };
}

function row(name: string, texts: readonly LabelledText[], guess: (text: string) => Guess): Row {
  const guesses = texts.map(({ label, text }) => {
    const { label: guessed, confidence } = guess(text);
    return { isRight: guessed === label, confidence };
  });
  const kept = guesses.filter(({ confidence }) => confidence >= threshold);
  const share = (some: readonly { readonly isRight: boolean }[]): string =>
    (some.filter(({ isRight }) => isRight).length / Math.max(1, some.length)).toFixed(3);
  const error = calibrationError(
    guesses.map(({ confidence }) => confidence),
    guesses.map(({ isRight }) => isRight),
  );
  const abstained = 1 - kept.length / guesses.length;
  return { name, figures: [share(guesses), error.toFixed(3), abstained.toFixed(3), share(kept)] };
}
