import type { DocumentRecord, DocumentReview } from "#client/index.ts";
import type { Column } from "../kit/table/columns.ts";
import {
  numberWords,
  progressBar,
  readableWords,
  shareWords,
  valueWords,
} from "../kit/text/words.ts";

/** The target of a review that is about the label. */
export const labelTarget = "label";
/** The value of a field that the document does not have. */
export const missingValue = "missing";
const barColumns = 10;

const amount = /^([A-Z]{3}) (-?\d+\.\d\d)$/;

/** A found value for a reader: numbers have their thousands, and amounts of money their sign. */
export function foundWords(value: unknown): string {
  const [text, currency, number] = (typeof value === "string" && amount.exec(value)) || [];
  if (text === undefined) return readableWords(value);
  const digits = text.replaceAll(/\D/g, "");
  const shown = numberWords(Number(number), currency);
  const kept = shown.replaceAll(/\D/g, "");
  // A currency without cents has none of zero; all other digits must be there.
  return kept === digits || `${kept}00` === digits ? shown : text;
}

/** The label or a field of a document, with the place that shows it. */
export interface Mark {
  readonly target: string;
  readonly name: string;
  readonly value: string;
  /** The value for a reader: a number has its thousands. */
  readonly shown: string;
  readonly confidence: number | undefined;
  readonly threshold: number | undefined;
  readonly page: number | undefined;
  readonly span: { readonly start: number; readonly end: number } | undefined;
  readonly quote: string;
  readonly method: string;
  /** A user must look at it. */
  readonly isOpen: boolean;
  readonly isReviewed: boolean;
}

export function markKey({ target }: Mark): string {
  return target;
}

function labelMark({ classification }: DocumentRecord): Mark {
  const { candidates = [], label, confidence, threshold, method } = classification ?? {};
  const [best] = candidates;
  const isSure = (confidence ?? 1) >= (threshold ?? 0) && method !== "none";
  const isReviewed = method === "review";
  // Candidates are the classifier's, which a user may have corrected.
  const shown = isReviewed ? label : (best?.label ?? label);
  return {
    target: labelTarget,
    name: labelTarget,
    value: shown ?? "not classified",
    shown: shown ?? "not classified",
    confidence: isReviewed ? undefined : (best?.confidence ?? confidence),
    threshold,
    page: undefined,
    span: undefined,
    quote: "",
    method: method ?? "",
    isOpen: classification !== undefined && classification !== null && !isSure,
    isReviewed,
  };
}

/** The label and the fields of a document; `open` are its open reviews, once they are known. */
export function marksOf(
  document: DocumentRecord,
  open: readonly DocumentReview[] | undefined,
): Mark[] {
  const fields = Object.entries(document.fields ?? {}).map(([name, field]): Mark => {
    const { value, confidence, threshold, page, span, quote, method, reviewed } = field;
    const isMissing = value === null || value === undefined;
    return {
      target: `fields.${name}`,
      name,
      value: isMissing ? missingValue : valueWords(value),
      shown: isMissing ? missingValue : foundWords(value),
      confidence: value === null ? undefined : confidence,
      threshold,
      page: page ?? undefined,
      span: span ?? undefined,
      quote: quote ?? "",
      method: method ?? "",
      isOpen: reviewed !== true && (confidence ?? 1) < (threshold ?? 0),
      isReviewed: reviewed === true,
    };
  });
  const all = [labelMark(document), ...fields];
  if (open === undefined) return all;
  return all.map((mark) => ({
    ...mark,
    isOpen: open.some(({ target }) => target === mark.target),
  }));
}

/** A confidence as a bar and in percent, and what it would need. */
export function confidenceWords(confidence: number | undefined, threshold?: number): string {
  if (confidence === undefined) return "";
  const needs = threshold === undefined || confidence >= threshold ? "" : shareWords(threshold);
  const share = shareWords(confidence).padStart(5);
  return `${progressBar(confidence, barColumns)} ${share}${needs === "" ? "" : ` of ${needs}`}`;
}

function stateWords({ isOpen, isReviewed, method }: Mark): string {
  return isOpen ? "▲ to review" : isReviewed ? "✓ reviewed" : method;
}

export const markColumns: readonly Column<Mark>[] = [
  { id: "name", title: "field", value: ({ name }) => name, priority: 0, pinned: true, maximum: 24 },
  {
    id: "value",
    title: "value",
    value: ({ shown }) => shown,
    token: ({ value }) => (value === missingValue ? "quiet" : undefined),
    priority: 1,
    minimum: 16,
    maximum: 60,
  },
  {
    id: "confidence",
    title: "confidence",
    value: ({ confidence, threshold }) => confidenceWords(confidence, threshold),
    token: ({ isOpen }) => (isOpen ? "warn" : "busy"),
    priority: 2,
    minimum: 16,
  },
  {
    id: "state",
    title: "state",
    value: stateWords,
    token: ({ isOpen, isReviewed }) => (isOpen ? "warn" : isReviewed ? "good" : "quiet"),
    priority: 3,
    minimum: 11,
  },
  {
    id: "page",
    title: "page",
    align: "right",
    value: ({ page }) => (page === undefined ? "" : String(page)),
    priority: 4,
  },
];
