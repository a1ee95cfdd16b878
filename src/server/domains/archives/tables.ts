import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import { classifiersAtMost, examplesAtMost } from "../classifiers/service.ts";
import { configurationsAtMost } from "../document-types/service.ts";
import { maximumReports } from "../geo/service.ts";

/**
 * The form of a column in a line: `json` is a value with sorted names, because PostgreSQL keeps no
 * order of them, `ordered` is JSON text whose names keep their order, and the others are as they
 * are.
 */
type ColumnForm = "plain" | "json" | "ordered";

/** The most rows of a workspace, or of each value of a column in it. */
export interface MostRows {
  readonly rows: number;
  readonly per?: string;
}

/** A table whose rows are the lines of a part, in the order of its key. */
export interface ArchivedTable {
  readonly part: string;
  readonly group: ArchiveGroup;
  readonly table: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnForm>>;
  /** True for rows of documents, of which those in the trash are left out. */
  readonly isOfDocument?: boolean;
  /** Rows with a value in this column are left out. */
  readonly leftOutWith?: string;
  /** Rows of one statement; fewer where rows are large. */
  readonly pageRows?: number;
  /** Further lines are refused by an import. */
  readonly most?: MostRows;
}

function plain(...names: readonly string[]): Record<string, "plain"> {
  return Object.fromEntries(names.map((name) => [name, "plain"]));
}
const made = plain("created_by", "created_at");
const changed = { ...made, ...plain("updated_at") };
const changedBy = { ...changed, ...plain("updated_by") };

export const documentTable: ArchivedTable = {
  part: "documents",
  group: "documents",
  table: "documents",
  key: ["id"],
  isOfDocument: true,
  columns: {
    ...plain("id", "number", "filename", "media_type", "size", "sha256", "scope_key", "lifecycle"),
    ...plain("processing_mode", "status"),
    context: "json",
    metadata: "json",
    classification: "json",
    fields: "json",
    properties: "json",
    ...plain("pages", "chunk_count", "index_status"),
    done_stages: "json",
    error: "json",
    ...plain("job_id"),
    ...changed,
    ...plain("version"),
  },
  pageRows: 50,
};

const unsettled: ReadonlySet<unknown> = new Set(["queued", "processing"]);
/** The state of a document whose processing had not ended: an import has no job for it. */
const interrupted = {
  status: "failed",
  error: { code: "interrupted", message: "It was archived while it was processed" },
};

/** The values that replace those of a document, so that an archive and its import are equal. */
export function settledDocument(status: unknown): Partial<typeof interrupted> {
  return unsettled.has(status) ? interrupted : {};
}

/** Rows of documents, in the order in which an import stores them. */
export const documentRowTables: readonly ArchivedTable[] = [
  {
    part: "document-pages",
    group: "documents",
    table: "document_pages",
    key: ["document_id", "page"],
    isOfDocument: true,
    columns: { ...plain("document_id", "page", "text"), tables: "ordered", words: "ordered" },
    pageRows: 20,
  },
  {
    part: "document-passages",
    group: "documents",
    table: "document_chunks",
    key: ["document_id", "ordinal"],
    isOfDocument: true,
    columns: plain("document_id", "ordinal", "page", "span_start", "span_end", "text", "headings"),
  },
  {
    part: "document-reviews",
    group: "documents",
    table: "document_reviews",
    key: ["document_id", "target"],
    isOfDocument: true,
    columns: {
      ...plain("document_id", "target", "kind"),
      found: "json",
      ...plain("confidence", "threshold", "status", "decided_by", "decided_at", "created_at"),
    },
  },
  {
    part: "document-history",
    group: "documents",
    table: "document_history",
    key: ["document_id", "version", "target"],
    isOfDocument: true,
    columns: {
      ...plain("document_id", "version", "operation", "target"),
      changes: "json",
      ...plain("actor", "at"),
    },
  },
];

/** Tables that an import copies row by row. */
export const copiedTables: readonly ArchivedTable[] = [
  {
    part: "document-types",
    group: "understanding",
    table: "document_types",
    key: ["key"],
    most: { rows: configurationsAtMost },
    columns: {
      ...plain("key", "label", "status"),
      definition: "ordered",
      ...plain("version"),
      ...changed,
    },
  },
  {
    part: "analyzers",
    group: "understanding",
    table: "analyzers",
    key: ["key"],
    most: { rows: configurationsAtMost },
    columns: { ...plain("key"), definition: "ordered", ...plain("version"), ...changed },
  },
  {
    part: "classifiers",
    group: "understanding",
    table: "classifiers",
    key: ["key"],
    most: { rows: classifiersAtMost },
    columns: {
      ...plain("key"),
      definition: "json",
      ...plain("status", "version", "revision"),
      ...changed,
    },
  },
  {
    part: "classifier-examples",
    group: "understanding",
    table: "classifier_examples",
    key: ["classifier_key", "id"],
    most: { rows: examplesAtMost, per: "classifier_key" },
    columns: {
      ...plain("classifier_key", "id", "label", "text", "source", "document_id"),
      ...made,
    },
  },
  {
    part: "workflow-requests",
    group: "records",
    table: "workflow_requests",
    key: ["workflow_key"],
    columns: plain("workflow_key", "id", "display_name", "reason", "requested_by", "created_at"),
  },
  {
    part: "geo-reports",
    group: "geo",
    table: "geo_reports",
    key: ["id"],
    most: { rows: maximumReports },
    columns: {
      ...plain("id", "slug", "title", "description"),
      definition: "ordered",
      ...plain("version"),
      ...changedBy,
    },
  },
];

/** Roles, which an import stores with the rank of their permissions. */
export const roleTable: ArchivedTable = {
  part: "roles",
  group: "members",
  table: "role_definitions",
  key: ["id"],
  columns: {
    ...plain("id", "key", "display_name", "description", "role"),
    permissions: "json",
    ...changed,
  },
};

/** Tables that an import does not copy: it lists, makes again or leaves out their rows. */
export const keptTables: readonly ArchivedTable[] = [
  {
    part: "members",
    group: "members",
    table: "members",
    key: ["id"],
    columns: plain(
      "id",
      "oid",
      "email",
      "display_name",
      "first_name",
      "last_name",
      "role",
      "role_definition_id",
      "status",
      "created_at",
    ),
  },
  {
    part: "webhook-endpoints",
    group: "webhooks",
    table: "webhook_endpoints",
    key: ["id"],
    leftOutWith: "expires_at",
    // An address may have a secret in it, so that an import asks for it again.
    columns: {
      ...plain("id", "description"),
      kinds: "ordered",
      types: "ordered",
      where_filter: "ordered",
      rules: "ordered",
      ...plain("body", "role", "is_ordered"),
      ...changed,
    },
  },
  {
    part: "webhook-sources",
    group: "webhooks",
    table: "webhook_sources",
    // Its id is the address that authorises the sender, and no column of a line.
    key: ["id"],
    // A mapping is a program.
    columns: { ...plain("name"), scheme: "ordered", ...plain("mapping"), ...changed },
  },
  {
    part: "alert-rules",
    group: "alerts",
    table: "alert_rules",
    key: ["id"],
    columns: {
      ...plain("id", "name", "kind"),
      settings: "ordered",
      ...plain("to_role", "to_user", "state"),
      ...changed,
    },
  },
  {
    part: "audit",
    group: "audit",
    table: "audit_entries",
    key: ["sequence"],
    columns: plain(
      "sequence",
      "at",
      "request_id",
      "actor",
      "actor_name",
      "action",
      "outcome",
      "status",
      "code",
      "method",
      "path",
      "address",
      // Text, of which the chain has the digest.
      "changes",
      "digest",
    ),
  },
];
