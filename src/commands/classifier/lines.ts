import { shown, type Shown } from "#cli/shown.ts";
import type { ClassifierRecord } from "#contract/documents/classifiers.ts";
import type { CommandContext } from "../kit/context.ts";

/** Returns `93 %` for the share `0.93`. */
function shareText(share: number | null | undefined): string | undefined {
  return share === null || share === undefined ? undefined : `${Math.round(share * 100)} %`;
}

export function modelText({ training }: ClassifierRecord): string | undefined {
  const version = training?.modelVersion;
  if (version === null || version === undefined) return undefined;
  const accuracy = shareText(training?.accuracy);
  return accuracy === undefined ? `${version}` : `${version} (accuracy ${accuracy})`;
}

/** A classifier in text: its facts, then its labels. */
export function classifierLines({ output }: CommandContext, classifier: ClassifierRecord): Shown[] {
  const { training, labels = [] } = classifier;
  return [
    ...output.fields([
      ["key", classifier.key],
      ["name", classifier.displayName],
      ["status", classifier.status],
      ["threshold", numberText(classifier.threshold)],
      ["training", training?.status],
      ["model", modelText(classifier)],
      ["examples", numberText(training?.examples)],
      ["calibration error", shareText(training?.calibrationError)],
      ["abstained", shareText(training?.abstained)],
      ["error", training?.error ?? undefined],
      ["version", numberText(classifier.version)],
    ]),
    shown``,
    ...output.table(labels, [
      { heading: "label", value: ({ key }) => key, whole: true },
      { heading: "name", value: ({ displayName }) => displayName, optional: true },
      { heading: "threshold", value: ({ threshold }) => numberText(threshold), optional: true },
      { heading: "state", value: ({ retired }) => (retired === true ? "retired" : "current") },
    ]),
  ];
}

function numberText(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : undefined;
}
