import type { DocumentRecord } from "#client/index.ts";
import type { Column } from "../kit/table/columns.ts";
import { fieldLines, type Field, type StyledLine } from "../kit/text/styled-lines.ts";
import { statusLook, statusWords } from "../kit/theme/theme.ts";
import { ageWords, shareWords, sizeWords, valueWords } from "../kit/text/words.ts";

/** What people call a document. */
export function documentName(document: DocumentRecord): string {
  return document.filename ?? document.documentNumber ?? document.documentId;
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
      value: ({ classification }) =>
        classification === undefined || classification === null
          ? ""
          : `${classification.label} ${shareWords(classification.confidence)}`,
      priority: 2,
      minimum: 22,
    },
    {
      id: "pages",
      title: "pages",
      align: "right",
      value: ({ pages }) => (pages === undefined || pages === null ? "" : String(pages)),
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
      minimum: 9,
    },
  ];
}

function foundFields(document: DocumentRecord): Field[] {
  return Object.entries(document.fields ?? {}).map(([name, field]) => {
    const page = field.page === undefined || field.page === null ? "" : `p. ${field.page}`;
    const beside = [shareWords(field.confidence), page, field.method ?? ""].filter(
      (text) => text !== "",
    );
    const words = beside.length === 0 ? "" : `  (${beside.join(", ")})`;
    return { name, value: `${valueWords(field.value)}${words}` };
  });
}

/** A document's record for a reader: what it is, what was found in it, where it came from. */
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
  const found = foundFields(document);
  const { createdBy } = document;
  const by = createdBy === undefined || createdBy === null ? "" : `by ${nameOf(createdBy)}`;
  const head: Field[] = [
    { name: "status", value: `${look.glyph} ${statusWords(status)}`, as: look.token },
    {
      name: "class",
      value:
        classification === undefined || classification === null
          ? "not classified"
          : `${classification.label} ${shareWords(classification.confidence)}`,
    },
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
    {
      name: "added",
      value: `${document.created_at ?? ""}  ${by}`,
      as: "quiet",
    },
  ];
  return [
    ...fieldLines(head, width),
    [],
    ...(found.length === 0
      ? []
      : [[{ text: "Found in it", as: "heading" } as const], ...fieldLines(found, width), []]),
    ...fieldLines(facts, width),
  ];
}
