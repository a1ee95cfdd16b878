import type { DocumentRecord } from "#client/index.ts";
import type { Column } from "../kit/table/columns.ts";
import { fieldLines, type Field, type StyledLine } from "../kit/text/styled-lines.ts";
import { statusLook, statusWords } from "../kit/theme/theme.ts";
import { ageWords, shareWords, sizeWords, valueWords } from "../kit/text/words.ts";

export function documentName(document: DocumentRecord): string {
  return document.filename ?? document.documentNumber ?? document.documentId;
}

function classWords({ classification }: DocumentRecord): string {
  if (classification === undefined || classification === null) return "";
  return `${classification.label} ${shareWords(classification.confidence)}`;
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
      minimum: 10,
      maximum: 24,
    },
    {
      id: "classification",
      title: "class",
      value: classWords,
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

function extractedFields(document: DocumentRecord): Field[] {
  return Object.entries(document.fields ?? {}).map(([name, field]) => {
    const page = field.page === undefined || field.page === null ? "" : `p. ${field.page}`;
    const facts = [shareWords(field.confidence), page, field.method].filter(Boolean).join(", ");
    return { name, value: valueWords(field.value) + (facts === "" ? "" : `  (${facts})`) };
  });
}

export function documentLines(
  document: DocumentRecord,
  width: number,
  nameOf: (oid: string) => string,
): StyledLine[] {
  const status = document.status ?? "unknown";
  const look = statusLook(status);
  const { classification } = document;
  const others = (classification?.candidates ?? [])
    .slice(1, 4)
    .map((candidate) => `${candidate.label} ${shareWords(candidate.confidence)}`);
  const fields = extractedFields(document);
  const { createdBy } = document;
  const by = createdBy === undefined || createdBy === null ? "" : `by ${nameOf(createdBy)}`;
  const head: Field[] = [
    { name: "status", value: `${look.glyph} ${statusWords(status)}`, as: look.token },
    { name: "class", value: classWords(document) || "not classified" },
    ...(others.length === 0
      ? []
      : [{ name: "or", value: others.join(", "), as: "quiet" } as const]),
  ];
  const facts: Field[] = [
    { name: "number", value: document.documentNumber ?? "" },
    { name: "file", value: `${document.filename ?? ""}  ${sizeWords(document.size)}` },
    { name: "type", value: document.mediaType ?? "" },
    { name: "pages", value: valueWords(document.pages) },
    { name: "index", value: document.indexStatus ?? "" },
    { name: "mode", value: `${document.processingMode ?? ""}  ${document.lifecycle ?? ""}` },
    { name: "belongs to", value: valueWords(document.context) },
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
