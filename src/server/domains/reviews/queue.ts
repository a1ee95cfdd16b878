import type { Transaction } from "../../work/work.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { needsReview } from "../../text/classification/classify-text.ts";
import { replaceReviews, type DocumentPlace, type NewReview } from "./store.ts";

interface FoundClassification {
  readonly label: string;
  readonly confidence: number;
  readonly classifier?: string | null;
  readonly threshold?: number;
}

/** Queues the label of a document when no candidate has reached its threshold. */
export async function queueLabel(
  tx: Transaction,
  document: DocumentPlace,
  found: FoundClassification,
  time: string,
): Promise<void> {
  // A user can only choose a label of a classifier.
  const isOpen = found.label === needsReview && typeof found.classifier === "string";
  const { confidence, threshold = 0 } = found;
  const review: NewReview = { target: "label", kind: "label", found, confidence, threshold };
  await replaceReviews(tx, document, "label", isOpen ? [review] : [], time);
}

/** Queues the configured fields below their threshold; a missing one only when it is required. */
export async function queueFields(
  tx: Transaction,
  document: DocumentPlace,
  fields: Readonly<Record<string, unknown>>,
  time: string,
): Promise<void> {
  const reviews = Object.entries(fields).flatMap(([name, found]): NewReview[] => {
    if (!isJsonObject(found)) return [];
    const { confidence, threshold, value, required } = found;
    if (typeof threshold !== "number" || typeof confidence !== "number") return [];
    if (value === null ? required !== true : confidence >= threshold) return [];
    return [{ target: `fields.${name}`, kind: "field", found, confidence, threshold }];
  });
  await replaceReviews(tx, document, "field", reviews, time);
}
