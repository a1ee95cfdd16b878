import type { Reader, Writer } from "../../database/database.ts";
import type { Transaction } from "../../work/work.ts";
import { jsonText, jsonValue } from "../../database/dialect.ts";
import { countRows } from "../../database/row-pages.ts";
import { join, nothing, raw, statement, type Statement } from "../../database/statement.ts";

export interface DocumentPlace {
  readonly workspaceId: string;
  readonly id: string;
}

/** One label or field that a user must look at. */
export interface NewReview {
  /** The part of the document: `label`, or `fields.<name>`. */
  readonly target: string;
  readonly kind: "label" | "field";
  readonly found: object;
  readonly confidence: number;
  readonly threshold: number;
}

export interface StoredReview {
  readonly documentId: string;
  readonly documentNumber: string;
  readonly filename: string;
  readonly target: string;
  readonly kind: string;
  readonly found: Record<string, unknown>;
  readonly confidence: number;
  readonly threshold: number;
  readonly status: string;
  readonly decidedBy: string | null;
  readonly decidedAt: string | null;
  readonly createdAt: string;
}

const columns: Statement = statement`${raw(
  'reviews.document_id as "documentId", documents.number as "documentNumber", ' +
    "documents.filename, reviews.target, reviews.kind, reviews.confidence, reviews.threshold, " +
    'reviews.status, reviews.decided_by as "decidedBy", reviews.decided_at as "decidedAt", ' +
    'reviews.created_at as "createdAt"',
)}, ${jsonText("reviews.found")} as found`;

const tables = raw(
  "document_reviews as reviews join documents " +
    "on documents.workspace_id = reviews.workspace_id and documents.id = reviews.document_id",
);

export interface ReviewPage {
  readonly workspaceId: string;
  readonly status: string;
  readonly documentId?: string | undefined;
  readonly rows: number;
  readonly offset: number;
  /** Time, document and target of the last review of the page before. */
  readonly after?: readonly string[] | undefined;
}

function condition({ workspaceId, status, documentId }: Omit<ReviewPage, "rows" | "offset">) {
  return statement`reviews.workspace_id = ${workspaceId} and reviews.status = ${status}
    and documents.status <> 'deleting' ${
      documentId === undefined ? nothing : statement`and reviews.document_id = ${documentId}`
    }`;
}

/** One page of reviews, oldest first. */
export async function reviewPage(reader: Reader, page: ReviewPage): Promise<StoredReview[]> {
  const { after } = page;
  const beyond =
    after === undefined
      ? nothing
      : statement`and (reviews.created_at, reviews.document_id, reviews.target) > (${join(after)})`;
  const rows = await reader.all<Omit<StoredReview, "found"> & { found: string }>(statement`
    select ${columns} from ${tables} where ${condition(page)} ${beyond}
    order by reviews.created_at, reviews.document_id, reviews.target
    limit ${page.rows} offset ${page.offset}`);
  return rows.map((row) => ({ ...row, found: JSON.parse(row.found) as StoredReview["found"] }));
}

export async function countReviews(
  reader: Reader,
  page: Omit<ReviewPage, "rows" | "offset">,
): Promise<number> {
  return countRows(reader, statement`from ${tables} where ${condition(page)}`);
}

/** Replaces the open reviews of a kind; decided ones stay as they are. */
export async function replaceReviews(
  tx: Transaction,
  { workspaceId, id }: DocumentPlace,
  kind: "label" | "field",
  reviews: readonly NewReview[],
  time: string,
): Promise<void> {
  const removed = await tx.run(statement`delete from document_reviews
    where workspace_id = ${workspaceId} and document_id = ${id} and kind = ${kind}
      and status = 'open'`);
  for (const { target, found, confidence, threshold } of reviews) {
    await tx.run(statement`insert into document_reviews (workspace_id, document_id, target,
        kind, found, confidence, threshold, status, created_at)
      values (${workspaceId}, ${id}, ${target}, ${kind}, ${jsonValue(found)}, ${confidence},
        ${threshold}, 'open', ${time})
      on conflict (workspace_id, document_id, target) do nothing`);
  }
  if (reviews.length === 0 && removed.changedRows === 0) return;
  const changed = reviews.map(({ target }) => target);
  tx.event("review", id, workspaceId, { op: "created", type: kind, changed });
}

/** Notes a decision, also about a target that was not in the queue. */
export async function decideReview(
  tx: Transaction,
  { workspaceId, id }: DocumentPlace,
  review: Pick<NewReview, "target" | "kind" | "found">,
  { status, oid, time }: { readonly status: string; readonly oid: string; readonly time: string },
): Promise<void> {
  const { target, kind, found } = review;
  const changed = [target];
  tx.event("review", id, workspaceId, { op: "completed", type: kind, changed, actor: oid });
  await tx.run(statement`insert into document_reviews (workspace_id, document_id, target, kind,
      found, confidence, threshold, status, decided_by, decided_at, created_at)
    values (${workspaceId}, ${id}, ${target}, ${kind}, ${jsonValue(found)}, 1, 0, ${status},
      ${oid}, ${time}, ${time})
    on conflict (workspace_id, document_id, target) do update set status = excluded.status,
      decided_by = excluded.decided_by, decided_at = excluded.decided_at`);
}

export async function forgetReviews(
  writer: Writer,
  { workspaceId, id }: DocumentPlace,
): Promise<void> {
  for (const table of ["document_reviews", "document_history"]) {
    await writer.run(statement`delete from ${raw(table)}
      where workspace_id = ${workspaceId} and document_id = ${id}`);
  }
}

export interface HistoryRow {
  readonly version: number;
  readonly operation: string;
  readonly target: string;
  readonly actor: string;
  readonly at: string;
  readonly changes: Record<string, unknown>[];
}

export async function insertHistory(
  writer: Writer,
  { workspaceId, id }: DocumentPlace,
  { version, operation, target, changes, actor, at }: HistoryRow,
): Promise<void> {
  await writer.run(statement`insert into document_history
      (workspace_id, document_id, version, operation, target, changes, actor, at)
    values (${workspaceId}, ${id}, ${version}, ${operation}, ${target}, ${jsonValue(changes)},
      ${actor}, ${at})`);
}

export async function historyPage(
  reader: Reader,
  { workspaceId, id }: DocumentPlace,
  { rows, offset }: { readonly rows: number; readonly offset: number },
): Promise<HistoryRow[]> {
  const found = await reader.all<Omit<HistoryRow, "changes"> & { changes: string }>(statement`
    select version, operation, target, actor, at, ${jsonText("changes")} as changes
    from document_history where workspace_id = ${workspaceId} and document_id = ${id}
    order by version desc, target limit ${rows} offset ${offset}`);
  return found.map((row) => ({
    ...row,
    changes: JSON.parse(row.changes) as HistoryRow["changes"],
  }));
}

export async function countHistory(
  reader: Reader,
  { workspaceId, id }: DocumentPlace,
): Promise<number> {
  return countRows(
    reader,
    statement`from document_history where workspace_id = ${workspaceId} and document_id = ${id}`,
  );
}
