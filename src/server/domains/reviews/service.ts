import type { DocumentRecord } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type {
  DocumentHistoryEntry,
  DocumentReview,
  ReviewDecision,
} from "#contract/documents/reviews.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import { invalid } from "../../kit/faults.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { isScalarType, scalarOf } from "../../text/analysis/configured/scalar-value.ts";
import { charactersClassified } from "../../text/classification/features.ts";
import { requireMatch, type VersionMatch } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { ClassifierService } from "../classifiers/service.ts";
import { changeDocument, openingText, requireDocument } from "../documents/service.ts";
import { queueRereading, type ReviewedDocument } from "./reread-fields.ts";
import {
  countHistory,
  countReviews,
  decideReview,
  historyPage,
  insertHistory,
  reviewPage,
} from "./store.ts";

type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** One decision: the part of the document, with its value before and after. */
interface Change {
  readonly kind: "label" | "field";
  readonly path: string;
  readonly before: unknown;
  readonly after: object;
  readonly changes: Pick<ReviewedDocument, "classification"> | Pick<ReviewedDocument, "fields">;
}

/** The review of labels and fields by users: a queue, decisions and their history. */
export class ReviewService {
  constructor(
    private readonly parts: {
      readonly classifiers: ClassifierService;
      readonly cursors: ListCursors;
      readonly jobs: Pick<JobRunner, "wake">;
      readonly now: () => Date;
    },
  ) {}

  async list(
    { read }: Work,
    workspaceId: string,
    query: PageQuery & {
      readonly status?: string | undefined;
      readonly documentId?: string | undefined;
    },
  ): Promise<ListBody<DocumentReview>> {
    const status = query.status ?? "open";
    const documentId =
      query.documentId === undefined
        ? undefined
        : (await requireDocument(read, workspaceId, query.documentId)).id;
    const list = ["reviews", workspaceId, status, documentId ?? null];
    const pages = new ListPages(this.parts.cursors, list);
    const start = pages.start(query);
    const { rows, offset } = start;
    const page = { workspaceId, status, documentId, rows, offset };
    return pages.body(start, {
      rows: await reviewPage(read, { ...page, after: start.after?.map(String) }),
      itemOf: ({ createdAt, ...review }) => ({ ...review, created_at: createdAt }),
      positionOf: ({ createdAt, documentId: of, target }) => [createdAt, of, target],
      total: query.count === true ? await countReviews(read, page) : undefined,
    });
  }

  /** Stores a decision as a new version; a label is learnt in the same transaction. */
  async decide(
    work: Work,
    workspaceId: string,
    id: string,
    decision: ReviewDecision,
    ifMatch?: VersionMatch,
  ): Promise<DocumentRecord> {
    const oid = work.scope.caller;
    return work.write(async (tx) => {
      const document = await requireDocument(tx, workspaceId, id);
      requireMatch(ifMatch, document.version);
      if (document.status !== "ready") {
        throw new Refusal("conflict", {
          detail: `Cannot review ${document.number}: its status is ${document.status}, not ready`,
        });
      }
      const time = this.parts.now();
      const change =
        decision.target === "label"
          ? await this.#label(tx, oid, document, decision)
          : changedField(document, decision);
      const { kind, path, before, after, changes } = change;
      const record = await changeDocument(tx, document, changes, time);
      if (record === undefined) throw new Refusal("not-found");
      const status = decision.action === "accept" ? "accepted" : "corrected";
      const by = { status, oid, time: time.toISOString() };
      await decideReview(tx, document, { target: decision.target, kind, found: after }, by);
      await insertHistory(tx, document, {
        version: document.version + 1,
        operation: decision.action,
        target: decision.target,
        actor: oid,
        at: by.time,
        changes: [
          { op: "test", path, value: before ?? null },
          { op: "replace", path, value: after },
        ],
      });
      await this.#reread(tx, oid, document, changes);
      return record;
    });
  }

  /** Another label may have another document type, whose fields are then read in a job. */
  async #reread(
    tx: Transaction,
    oid: string,
    document: ReviewedDocument,
    changes: Change["changes"],
  ): Promise<void> {
    const label = "classification" in changes ? changes.classification?.label : undefined;
    if (label === undefined || label === document.classification?.label) return;
    if (!document.doneStages.includes("analyze")) return;
    await queueRereading(tx, document, label, { oid, now: this.parts.now() });
    tx.afterCommit(() => this.parts.jobs.wake());
  }

  async history(
    { read }: Work,
    workspaceId: string,
    id: string,
    query: PageQuery,
  ): Promise<ListBody<DocumentHistoryEntry>> {
    const document = await requireDocument(read, workspaceId, id);
    const pages = new ListPages(this.parts.cursors, ["document history", document.id]);
    const start = pages.start(query);
    return pages.body(start, {
      rows: await historyPage(read, document, start),
      itemOf: (row) => ({ ...row }),
      total: query.count === true ? await countHistory(read, document) : undefined,
    });
  }

  async #label(
    tx: Transaction,
    oid: string,
    document: ReviewedDocument,
    decision: ReviewDecision,
  ): Promise<Change> {
    const before = document.classification;
    const best = before?.candidates[0]?.label;
    const label = decision.action === "accept" ? best : decision.value;
    if (typeof label !== "string") {
      const detail =
        decision.action === "accept"
          ? `has no candidate in ${document.number}: correct it instead`
          : "must be a label";
      throw invalid([
        { pointer: pointer(decision.action === "accept" ? "target" : "value"), detail },
      ]);
    }
    const key = before?.classifier;
    if (typeof key === "string") {
      const place = { workspaceId: document.workspaceId, key };
      const classifier = await this.parts.classifiers.find(tx, place);
      const labels = classifier?.definition.labels.map((each) => each.key) ?? [label];
      if (!labels.includes(label)) {
        const detail = `must be a label of the classifier ${key}: ${labels.slice(0, 20).join(", ")}`;
        throw invalid([{ pointer: pointer("value"), detail }]);
      }
      const text = (await openingText(tx, document)).slice(0, charactersClassified);
      const example = { label, text, documentId: document.id };
      await this.parts.classifiers.learnCorrection(tx, oid, place, example);
    } else if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(label)) {
      throw invalid([{ pointer: pointer("value"), detail: "must be in kebab-case" }]);
    }
    const { candidates = [] } = before ?? {};
    const decided = { label, confidence: 1, candidates, method: "review", decidedBy: oid };
    const after = { ...before, ...decided };
    const changes = { classification: after };
    return { kind: "label", path: "/classification", before, after, changes };
  }
}

/** The field with the decided value; a corrected one has no place in the document. */
function changedField(document: ReviewedDocument, decision: ReviewDecision): Change {
  const name = decision.target.slice("fields.".length);
  const fields = document.fields ?? {};
  const before = ownMember(fields, name);
  if (!isJsonObject(before)) {
    const detail = `is not a field of ${document.number}`;
    throw invalid([{ pointer: pointer("target"), detail }]);
  }
  const after = { ...before, ...decidedField(before["type"], decision) };
  const changes = { fields: { ...fields, [name]: after } };
  return { kind: "field", path: `/fields/${name}`, before, after, changes };
}

function decidedField(type: unknown, decision: ReviewDecision) {
  const decided = { confidence: 1, reviewed: true };
  if (decision.action === "accept") return decided;
  const place = { page: null, span: null, quote: null };
  return { ...place, value: correctedValue(type, decision.value), method: "review", ...decided };
}

function correctedValue(type: unknown, value: string | number | boolean | null) {
  if (value === null || !isScalarType(type)) return value;
  const fitting = scalarOf(String(value), type);
  if (fitting !== undefined) return fitting;
  throw invalid([{ pointer: pointer("value"), detail: `must be a value of the type ${type}` }]);
}
