import { catalogError } from "#contract/errors.ts";
import type { SearchMode } from "#contract/resources/reads/search-modes.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import type { CallOptions, FixedListOptions } from "../options.ts";
import { listInput } from "../pages.ts";

/** Options of an analysis: both keys of a workflow, or neither. */
export interface AnalysisOptions extends CallOptions {
  readonly verticalKey?: string | undefined;
  readonly workflowKey?: string | undefined;
}

/** Options of a list of reviews. */
export interface ReviewListOptions extends FixedListOptions {
  /** State of the items; default `open`. */
  readonly status?: "open" | "accepted" | "corrected" | undefined;
  /** Lists the reviews of this document only. */
  readonly documentId?: string | undefined;
}

/** Options of a decision about a label or a field. */
export interface ReviewOptions extends CallOptions {
  /** The version of the document that was looked at; E205 when it is not current. */
  readonly version?: number | undefined;
}

/** Options of a document search. */
export interface DocumentSearchOptions extends CallOptions {
  /** Mode of the search; default `hybrid`. */
  readonly mode?: SearchMode | undefined;
  /** Passages, 1 to 100 (default 10). */
  readonly limit?: number | undefined;
  /** Filter on documents, as in a list; `fields.<name>` is an extracted value. */
  readonly where?: string | JsonObject | undefined;
  /** Passages of one document, 1 to 100 (default 3). */
  readonly perDocument?: number | undefined;
}

/** Options of one page: `words` adds the places of its words. */
export type PageReadOptions = CallOptions & { readonly words?: boolean | undefined };

/** Options of the picture of a page: at most `width` dots wide, 16 to 2,000 (default 1,000). */
export type PictureOptions = CallOptions & { readonly width?: number | undefined };

/** Options of a document's tables: the list's, and the page that they are on. */
export type TableListOptions = FixedListOptions & { readonly ofPage?: number | undefined };

/** Options of a document's record: `jobId` is only a cross-check of the lookup. */
export type RecordOptions = CallOptions & { readonly jobId?: string | undefined };

/** Every record call names its storage (spec 4.1). */
const storage = { storage_target: "resourceapi" } as const;

/** An ID has no white space, URL syntax or path segment (spec 4.1 rule 8). */
const bareId = /^[^\s\x00-\x20\x7f-\x9f/\\?#%&:]{1,1024}$/;

/** Parameters for a bare document ID (spec 4.1 rule 8); E305 for other text. */
export function idParams(id: string): { readonly documentId: string } {
  if (bareId.test(id) && id !== "." && id !== "..") return { documentId: id };
  throw catalogError("E305", {
    details: "a document ID is DOC-… or a UUID, without spaces, URL or path",
  });
}

export function jobsInput(options: FixedListOptions = {}) {
  return listInput(options);
}

export function jobInput(jobId: string, options: CallOptions = {}) {
  return { ...options, params: { jobId } };
}

export function recordInput(documentId: string, { jobId, ...options }: RecordOptions = {}) {
  return { ...options, params: idParams(documentId), query: { ...storage, job_id: jobId } };
}

export function indexInput(
  documentId: string,
  { storagePath, ...options }: CallOptions & { readonly storagePath?: string | undefined } = {},
) {
  return { ...options, body: { ...idParams(documentId), ...(storagePath ? { storagePath } : {}) } };
}

export function analysisInput(
  url: string,
  { verticalKey, workflowKey, ...options }: AnalysisOptions = {},
) {
  return { ...options, body: { url, ...keyPair(verticalKey, workflowKey) } };
}

/** Both keys of a workflow, or neither (spec 4.1 rule 12). Throws E305. */
function keyPair(vertical_key: string | undefined, workflow_key: string | undefined) {
  if (vertical_key === undefined && workflow_key === undefined) return undefined;
  if (vertical_key?.trim() && workflow_key?.trim()) return { vertical_key, workflow_key };
  throw catalogError("E305", { details: "both the app key and the workflow key must be given" });
}

export function searchInput(
  query: string,
  { mode, limit, where, perDocument, ...call }: DocumentSearchOptions = {},
) {
  const filter = typeof where === "object" ? JSON.stringify(where) : where;
  return { ...call, query: { query, mode, limit, where: filter, perDocument } };
}

export function pageInput(
  documentId: string,
  page: number,
  { words, ...call }: PageReadOptions = {},
) {
  const query = given({ words: words === true ? ("true" as const) : undefined });
  return { ...call, params: { ...idParams(documentId), page }, query };
}

export function pictureInput(
  documentId: string,
  page: number,
  { width, ...call }: PictureOptions = {},
) {
  return { ...call, params: { ...idParams(documentId), page }, query: given({ width }) };
}

export function tablesInput(documentId: string, { ofPage, ...options }: TableListOptions = {}) {
  const { query, ...call } = listInput(options);
  return { ...call, params: idParams(documentId), query: { ...query, ofPage } };
}

export function reviewsInput({ status, documentId, ...options }: ReviewListOptions = {}) {
  const { query, ...call } = listInput(options);
  return { ...call, query: { ...query, status, documentId } };
}

export function historyInput(documentId: string, options: FixedListOptions = {}) {
  return { ...listInput(options), params: idParams(documentId) };
}

export function guardedCall({ version, ...options }: ReviewOptions) {
  return version === undefined ? options : { ...options, headers: { "if-match": `"${version}"` } };
}
