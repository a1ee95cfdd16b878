import { hasTrouble, jobTrouble, type FailureRule } from "../shell/platform/feed/failure-watch.ts";

/** Jobs about documents that are no uploads; these have their own place. */
export const documentFailures: readonly FailureRule[] = [
  {
    name: "reading of fields",
    place: "documents",
    nouns: ["document.job"],
    judge: (change) =>
      hasTrouble(change, "field-reading")
        ? "The fields of documents could not be read again"
        : undefined,
  },
  {
    name: "training of classifiers",
    place: "documents",
    nouns: ["document.job"],
    judge: (change) => jobTrouble(change, "classifier-training", "The training of a classifier"),
  },
];
