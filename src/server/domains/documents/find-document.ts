import type { DocumentRecord } from "#contract/documents/records.ts";
import { Refusal } from "#contract/problems.ts";
import type { JsonObject } from "#contract/values.ts";
import { hyphenatedUuid } from "#lib/uuid.ts";
import type { Reader } from "../../database/database.ts";
import { analyzeFields, charactersLookedAt } from "../../text/analysis/analyze-fields.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { DocumentUnderstanding } from "./stages/stage.ts";
import {
  documentById,
  documentByNumber,
  documentsByIds,
  updateDocument,
  type Document,
  type DocumentChanges,
  type DocumentKey,
} from "./store/documents.ts";
import { pagesAfter, pagesWithTables, type PageWithTables } from "./store/page-texts.ts";
import { documentRecordOf } from "./wire.ts";

/** A document by its number or UUID; undefined if it does not exist or is being removed. */
export async function findDocument(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<Document | undefined> {
  const document = await documentNamed(reader, workspaceId, id);
  return document?.status === "deleting" ? undefined : document;
}

/** Finds a document as {@link findDocument} does, and refuses 404 without one. */
export async function requireDocument(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<Document> {
  const document = await findDocument(reader, workspaceId, id);
  if (document === undefined) throw new Refusal("not-found");
  return document;
}

/** A document by its number or UUID, even one that is being removed. */
export async function documentNamed(
  reader: Reader,
  workspaceId: string,
  id: string,
): Promise<Document | undefined> {
  return isNumber(id)
    ? documentByNumber(reader, workspaceId, id)
    : documentById(reader, { workspaceId, id: hyphenatedUuid(id) });
}

/** The id of a document that may be gone; 404 for a number, which only a document has. */
export function uuidNamed(id: string): string {
  if (isNumber(id)) throw new Refusal("not-found");
  return hyphenatedUuid(id);
}

/** The ids of documents by the numbers and UUIDs that name them; unknown names are left out. */
export async function documentIds(
  reader: Reader,
  workspaceId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const uuids = names.filter((name) => !isNumber(name)).map(hyphenatedUuid);
  const known = new Set((await documentsByIds(reader, workspaceId, uuids)).map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const name of names) {
    const document = isNumber(name) ? await documentByNumber(reader, workspaceId, name) : undefined;
    const id = document === undefined ? hyphenatedUuid(name) : document.id;
    if (document === undefined ? known.has(id) : document.status !== "deleting") ids.set(name, id);
  }
  return ids;
}

function isNumber(name: string): boolean {
  return name.startsWith("DOC-");
}

/** Changes a document as a new version; undefined if it does not exist or is being removed. */
export async function changeDocument(
  writer: Transaction,
  key: DocumentKey,
  changes: DocumentChanges,
  now: Date,
): Promise<DocumentRecord | undefined> {
  if (!(await updateDocument(writer, key, changes, now))) return undefined;
  const changed = await documentById(writer, key);
  return changed && documentRecordOf(changed);
}

/** The fields of a document's type; without a type, values by their labels and forms. */
export async function readFields(
  work: Work,
  document: Document,
  configured: DocumentUnderstanding["fields"] | undefined,
  signal: AbortSignal,
): Promise<JsonObject> {
  const pages = await firstPages(work.read, document);
  return (await configured?.(work, document, pages, signal)) ?? analyzeFields(pages);
}

const pagesAtATime = 20;

/** The pages at the start of a document in which fields are looked for. */
export async function firstPages(reader: Reader, document: DocumentKey): Promise<PageWithTables[]> {
  const pages: PageWithTables[] = [];
  let characters = 0;
  for (;;) {
    const last = pages.at(-1)?.number ?? 0;
    const next = await pagesWithTables(reader, document, last, pagesAtATime);
    pages.push(...next);
    characters += next.reduce((sum, page) => sum + page.text.length, 0);
    if (next.length < pagesAtATime || characters >= charactersLookedAt) return pages;
  }
}

const openingPages = 5;

/** The text at the start of a document, which shows its kind. */
export async function openingText(reader: Reader, document: DocumentKey): Promise<string> {
  const pages = await pagesAfter(reader, document, 0, openingPages);
  return pages.map(({ text }) => text).join("\n");
}
