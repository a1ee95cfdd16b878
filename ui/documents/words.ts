import { foundWords, missingValue } from "./marks.ts";
import type { NameOf } from "../shell/platform/names.ts";
import type { DocumentRecord } from "#client/index.ts";
import type { Column } from "../kit/table/columns.ts";
import { fieldLines, type Field, type StyledLine } from "../kit/text/styled-lines.ts";
import { statusLook, statusWords } from "../kit/theme/theme.ts";
import { ageWords, progressBar, shareWords, sizeWords, valueWords } from "../kit/text/words.ts";

export function documentName(document: DocumentRecord): string {
  return document.filename ?? document.documentNumber ?? document.documentId;
}

function classWords({ classification }: DocumentRecord): string {
  if (classification === undefined || classification === null) return "";
  return `${classification.label} ${shareWords(classification.confidence)}`;
}

function labelCell({ classification }: DocumentRecord): string {
  if (classification === undefined || classification === null) return "";
  return `${shareWords(classification.confidence).padStart(5)} ${classification.label}`;
}

export function documentColumns(nowMs: number): Column<DocumentRecord>[] {
  return [
    {
      id: "filename",
      title: "document",
      value: documentName,
      priority: 0,
      pinned: true,
      minimum: 16,
      maximum: 48,
    },
    {
      id: "number",
      title: "number",
      value: (document) => document.documentNumber ?? "",
      priority: 7,
      minimum: 15,
    },
    {
      id: "status",
      title: "status",
      value: ({ status }) =>
        status === undefined ? "" : `${statusLook(status).glyph} ${statusWords(status)}`,
      token: ({ status }) => (status === undefined ? undefined : statusLook(status).token),
      priority: 1,
      minimum: 12,
      maximum: 24,
    },
    {
      id: "classification",
      title: "class",
      // The share comes first: a long label is cut at its end.
      value: labelCell,
      priority: 2,
      minimum: 22,
    },
    {
      id: "pages",
      title: "pages",
      align: "right",
      value: ({ pages }) => valueWords(pages),
      priority: 5,
    },
    {
      id: "size",
      title: "size",
      align: "right",
      value: ({ size }) => sizeWords(size),
      priority: 6,
      minimum: 8,
    },
    {
      id: "created",
      title: "added",
      value: (document) => ageWords(document.created_at, nowMs),
      priority: 4,
    },
  ];
}

/** Each field with its confidence and place, and below it the text that shows it. */
function extractedFields(document: DocumentRecord): Field[] {
  return Object.entries(document.fields ?? {}).flatMap(([name, field]): Field[] => {
    const { value, confidence = 1, threshold = 0, quote } = field;
    const page = field.page === undefined || field.page === null ? "" : `p. ${field.page}`;
    const isUnsure = confidence < threshold;
    const facts = [
      value === null ? "" : shareWords(field.confidence),
      page,
      field.method,
      isUnsure ? "to review" : "",
    ].filter(Boolean);
    const words = value === null ? missingValue : foundWords(value);
    const line = { name, value: words + (facts.length === 0 ? "" : `  (${facts.join(", ")})`) };
    return [
      isUnsure ? { ...line, as: "warn" } : line,
      ...(typeof quote === "string" && quote !== words && quote !== valueWords(value)
        ? [{ name: "", value: `“${quote}”`, as: "quiet" } as const]
        : []),
    ];
  });
}

const barColumns = 10;

/** The candidates of a label with their confidence as bars; the classifier that decided. */
function candidateFields({ classification }: DocumentRecord): Field[] {
  const { candidates = [], classifier, modelVersion, method } = classification ?? {};
  const model = typeof modelVersion === "number" ? ` model ${modelVersion}` : "";
  return [
    ...candidates.slice(0, 5).map(({ label, confidence }, index): Field => {
      const bar = progressBar(confidence, barColumns);
      const value = `${bar} ${shareWords(confidence).padStart(5)}  ${label}`;
      return { name: index === 0 ? "candidates" : "", value, as: index === 0 ? "busy" : "quiet" };
    }),
    ...(typeof classifier === "string"
      ? [{ name: "by", value: `${classifier}${model}  ${method ?? ""}`, as: "quiet" } as const]
      : []),
  ];
}

/** The record or workflow that the document belongs to: its names with their ids. */
function contextWords({ context }: DocumentRecord): string {
  if (typeof context !== "object" || context === null) return valueWords(context);
  return Object.entries(context)
    .map(([name, value]) => `${name} ${valueWords(value)}`)
    .join(", ");
}

export function documentLines(
  document: DocumentRecord,
  width: number,
  nameOf: NameOf,
): StyledLine[] {
  const status = document.status ?? "unknown";
  const look = statusLook(status);
  const fields = extractedFields(document);
  const { createdBy } = document;
  const by =
    createdBy === undefined || createdBy === null ? "" : `by ${nameOf(createdBy) ?? createdBy}`;
  const head: Field[] = [
    { name: "status", value: `${look.glyph} ${statusWords(status)}`, as: look.token },
    { name: "class", value: classWords(document) || "not classified" },
    ...candidateFields(document),
  ];
  const facts: Field[] = [
    { name: "number", value: document.documentNumber ?? "" },
    { name: "file", value: `${document.filename ?? ""}  ${sizeWords(document.size)}` },
    { name: "type", value: document.mediaType ?? "" },
    { name: "pages", value: valueWords(document.pages) },
    { name: "index", value: document.indexStatus ?? "" },
    { name: "mode", value: `${document.processingMode ?? ""}  ${document.lifecycle ?? ""}` },
    { name: "belongs to", value: contextWords(document) },
    { name: "sha256", value: document.sha256 ?? "", as: "quiet" },
    { name: "id", value: document.documentId, as: "quiet" },
    { name: "added", value: `${document.created_at ?? ""}  ${by}`, as: "quiet" },
  ];
  return [
    ...fieldLines(head, width),
    [],
    ...(fields.length === 0
      ? []
      : [[{ text: "Extracted fields", as: "heading" } as const], ...fieldLines(fields, width), []]),
    ...fieldLines(facts, width),
  ];
}
