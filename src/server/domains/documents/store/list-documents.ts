import type { Reader } from "../../../database/database.ts";
import { jsonFieldText, textContains, textStartsWith } from "../../../database/dialect.ts";
import { join, nothing, raw, statement } from "../../../database/statement.ts";
import type { Statement } from "../../../database/statement.ts";
import { matches } from "../../../database/where/test-node.ts";
import { documentColumns, documentOfRow } from "./document-row.ts";
import type { Document, DocumentColumns } from "./document-row.ts";

interface ListedField {
  readonly kind: "text" | "number";
  readonly expression: Statement;
  /** Missing in some documents. */
  readonly isOptional?: true;
}

const text = (column: string): ListedField => ({ kind: "text", expression: raw(column) });
const number = (column: string): ListedField => ({ kind: "number", expression: raw(column) });
const within = (column: string, name: string): ListedField => ({
  kind: "text",
  expression: jsonFieldText(column, [name]),
  isOptional: true,
});

/** Fields that a list of documents can be filtered and sorted by, named as in the record. */
const listedFields = {
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

/** The kind of values that a field is compared with. */
export function fieldKind(field: DocumentField): "text" | "number" {
  return listedFields[field].kind;
}

export type FieldValue = string | number;

/** MongoDB's meaning: a missing field is like null, which differs from every value. */
export type DocumentFilter =
  | { readonly all: readonly DocumentFilter[] }
  | { readonly any: readonly DocumentFilter[] }
  | { readonly not: DocumentFilter }
  | { readonly field: DocumentField; readonly in: readonly FieldValue[] }
  | { readonly field: DocumentField; readonly exists: boolean }
  | {
      readonly field: DocumentField;
      readonly compare: ">" | ">=" | "<" | "<=";
      readonly value: FieldValue;
    }
  | {
      readonly field: DocumentField;
      readonly match: "contains" | "startsWith";
      readonly value: string;
    }
  | {
      readonly field: DocumentField;
      /** As `compilePattern` takes it. */
      readonly pattern: string;
      readonly flags: string;
    };

/** Whether each document has to be looked at by more than the database's own comparisons. */
export function hasPattern(filter: DocumentFilter): boolean {
  if ("all" in filter) return filter.all.some(hasPattern);
  if ("any" in filter) return filter.any.some(hasPattern);
  return "not" in filter ? hasPattern(filter.not) : "pattern" in filter;
}

export interface SortKey {
  readonly field: DocumentField;
  readonly isDescending: boolean;
}

export interface DocumentListing {
  readonly workspaceId: string;
  readonly filter: DocumentFilter;
  readonly sort: readonly SortKey[];
  readonly limit: number;
  readonly offset: number;
  /** Sort values and id of the last document of the page before. */
  readonly after?: readonly (FieldValue | null)[] | undefined;
}

export interface ListedDocument {
  readonly document: Document;
  /** For a cursor: what {@link DocumentListing.after} wants. */
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
  const row = await reader.first<{ count: number }>(
    statement`select count(*) as count from documents where ${condition(listing)}`,
  );
  return row?.count ?? 0;
}

interface Key {
  readonly expression: Statement;
  readonly isDescending: boolean;
}

/** A missing value sorts as the smallest one, so that sort values and cursors have no null. */
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
  return statement`workspace_id = ${workspaceId} and status <> 'deleting' and ${compiled(filter)}`;
}

/** Never null, so that `not` is the opposite. */
function compiled(filter: DocumentFilter): Statement {
  if ("all" in filter) return joined(filter.all, " and ", statement`1 = 1`);
  if ("any" in filter) return joined(filter.any, " or ", statement`1 = 0`);
  if ("not" in filter) return statement`not ${compiled(filter.not)}`;
  const { expression }: ListedField = listedFields[filter.field];
  const isThere = statement`${expression} is not null`;
  if ("exists" in filter) return filter.exists ? statement`(${isThere})` : missing(expression);
  if ("in" in filter) {
    if (filter.in.length === 0) return statement`(1 = 0)`;
    return statement`(${isThere} and ${expression} in (${join(filter.in)}))`;
  }
  if ("match" in filter) {
    const matches =
      filter.match === "contains"
        ? textContains(expression, filter.value)
        : textStartsWith(expression, filter.value);
    return statement`(${isThere} and ${matches})`;
  }
  if ("pattern" in filter) {
    return statement`(${isThere} and ${matches(expression, filter.pattern, filter.flags)})`;
  }
  const { value } = filter;
  switch (filter.compare) {
    case ">":
      return statement`(${isThere} and ${expression} > ${value})`;
    case ">=":
      return statement`(${isThere} and ${expression} >= ${value})`;
    case "<":
      return statement`(${isThere} and ${expression} < ${value})`;
    case "<=":
      return statement`(${isThere} and ${expression} <= ${value})`;
  }
}

function missing(expression: Statement): Statement {
  return statement`(${expression} is null)`;
}

function joined(filters: readonly DocumentFilter[], separator: string, none: Statement): Statement {
  if (filters.length === 0) return statement`(${none})`;
  return statement`(${join(filters.map(compiled), separator)})`;
}
