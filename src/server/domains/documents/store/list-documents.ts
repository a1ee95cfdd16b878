import type { Reader } from "../../../database/database.ts";
import { jsonFieldText } from "../../../database/dialect.ts";
import { countRows } from "../../../database/row-pages.ts";
import { join, nothing, raw, statement } from "../../../database/statement.ts";
import type { Statement } from "../../../database/statement.ts";
import { compileColumns, type WhereColumn } from "../../../database/where/compile-columns.ts";
import type { Condition } from "../../../database/where/condition.ts";
import { documentColumns, documentOfRow } from "./document-row.ts";
import type { Document, DocumentColumns } from "./document-row.ts";

interface ListedField extends WhereColumn {
  readonly isOptional?: true;
}

const text = (column: string): ListedField => ({ kind: "text", expression: raw(column) });
const number = (column: string): ListedField => ({ kind: "number", expression: raw(column) });
const within = (column: string, name: string): ListedField => ({
  kind: "text",
  expression: jsonFieldText(column, [name]),
  isOptional: true,
});

/** The fields that documents are filtered and sorted by, named as in the record. */
export const listedFields = {
  documentId: text("id"),
  documentNumber: text("number"),
  filename: text("filename"),
  mediaType: text("media_type"),
  size: number("size"),
  sha256: text("sha256"),
  lifecycle: text("lifecycle"),
  processingMode: text("processing_mode"),
  status: text("status"),
  pages: { ...number("pages"), isOptional: true },
  chunkCount: { ...number("chunk_count"), isOptional: true },
  indexStatus: text("index_status"),
  jobId: text("job_id"),
  createdBy: text("created_by"),
  created_at: text("created_at"),
  updated_at: text("updated_at"),
  version: number("version"),
  "classification.label": within("classification", "label"),
  "context.planning_application_id": within("context", "planning_application_id"),
  "context.business_request_id": within("context", "business_request_id"),
  "context.assess_case_id": within("context", "assess_case_id"),
  "context.vertical_key": within("context", "vertical_key"),
  "context.workflow_key": within("context", "workflow_key"),
  "metadata.category": within("metadata", "category"),
  "metadata.source": within("metadata", "source"),
  "metadata.correlation_id": within("metadata", "correlation_id"),
} as const satisfies Record<string, ListedField>;

export type DocumentField = keyof typeof listedFields;

export const documentFields = Object.keys(listedFields) as readonly DocumentField[];

export function fieldKind(field: DocumentField): "text" | "number" {
  return listedFields[field].kind;
}

export type FieldValue = string | number;

export interface SortKey {
  readonly field: DocumentField;
  readonly isDescending: boolean;
}

export interface DocumentListing {
  readonly workspaceId: string;
  readonly filter: Condition | undefined;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
  /** Sort values and id of the last document of the page before. */
  readonly after?: readonly (FieldValue | null)[] | undefined;
}

export interface ListedDocument {
  readonly document: Document;
  /** The value of {@link DocumentListing.after} for the next page. */
  readonly position: readonly FieldValue[];
}

/** Documents that are not being removed; the id settles what the sort leaves open. */
export async function listDocuments(
  reader: Reader,
  listing: DocumentListing,
): Promise<ListedDocument[]> {
  const keys = sortKeys(listing.sort);
  const values = keys.map(
    ({ expression }, index) => statement`${expression} as ${raw(`sort_${index}`)}`,
  );
  const rows = await reader.all<DocumentColumns & Readonly<Record<string, unknown>>>(statement`
    select ${documentColumns}, ${join(values)} from documents
    where ${condition(listing)}
      ${listing.after === undefined ? nothing : statement`and (${beyond(keys, listing.after)})`}
    order by ${join(
      keys.map(({ expression, isDescending }) =>
        isDescending ? statement`${expression} desc` : statement`${expression} asc`,
      ),
    )}
    limit ${listing.limit} offset ${listing.offset}`);
  return rows.map((row) => ({
    document: documentOfRow(row),
    position: keys.map((_key, index) => {
      const value = row[`sort_${index}`];
      return typeof value === "number" ? value : String(value);
    }),
  }));
}

export async function countDocuments(
  reader: Reader,
  listing: Pick<DocumentListing, "workspaceId" | "filter">,
): Promise<number> {
  return countRows(reader, statement`from documents where ${condition(listing)}`);
}

interface Key {
  readonly expression: Statement;
  readonly isDescending: boolean;
}

/** A missing value counts as the smallest, so that orders and cursors have no null. */
function sortKeys(sort: readonly SortKey[]): Key[] {
  const keys = sort.map(({ field, isDescending }): Key => {
    const { expression, kind, isOptional }: ListedField = listedFields[field];
    if (isOptional !== true) return { expression, isDescending };
    const smallest = kind === "number" ? statement`-1` : statement`''`;
    return { expression: statement`coalesce(${expression}, ${smallest})`, isDescending };
  });
  const isDescending = keys.at(-1)?.isDescending ?? false;
  return [...keys, { expression: listedFields.documentId.expression, isDescending }];
}

/** Rows after a position, with a direction for each key. */
function beyond(keys: readonly Key[], position: readonly (FieldValue | null)[]): Statement {
  const alternatives = keys.map((key, index) => {
    const equal = keys
      .slice(0, index)
      .map(({ expression }, place) => statement`${expression} = ${position[place] ?? ""}`);
    const value = position[index] ?? "";
    const further = key.isDescending
      ? statement`${key.expression} < ${value}`
      : statement`${key.expression} > ${value}`;
    return statement`(${join([...equal, further], " and ")})`;
  });
  return join(alternatives, " or ");
}

function condition({
  workspaceId,
  filter,
}: Pick<DocumentListing, "workspaceId" | "filter">): Statement {
  const passes = compileColumns(filter, listedFields);
  return statement`workspace_id = ${workspaceId} and status <> 'deleting' and ${passes}`;
}
