import type { DocumentRecord } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type {
  DocumentHistoryEntry,
  DocumentReview,
  ReviewDecision,
} from "#contract/documents/reviews.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { Reader } from "../../database/database.ts";
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
import { queueFields } from "./queue.ts";
import { queueRereading, withDecisions, type ReviewedDocument } from "./reread-fields.ts";
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
  readonly changes: Partial<Pick<ReviewedDocument, "classification" | "fields">>;
}

/** The review of labels and fields by users: a queue, decisions and their history. */
export class ReviewService {
  constructor(
    private readonly parts: {
      readonly classifiers: ClassifierService;
      readonly cursors: ListCursors;
      readonly jobs: Pick<JobRunner, "wake">;
      /** The fields of a label's type without values; undefined when no type has the label. */
      readonly unreadFields: (
        read: Reader,
        workspaceId: string,
        label: string,
      ) => Promise<JsonObject | undefined>;
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
          ...fieldChanges(document, change),
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
    { classification, fields }: Change["changes"],
  ): Promise<void> {
    const label = classification?.label;
    if (label === undefined || !isRelabelled(document, label)) return;
    const now = this.parts.now();
    // The open reviews are those of the old type.
    if (fields !== undefined) await queueFields(tx, document, {}, now.toISOString());
    await queueRereading(tx, document, label, { oid, now });
    tx.afterCommit(() => this.parts.jobs.wake());
  }

  /** The fields of another label's type without values; undefined where the fields stay. */
  async #fieldsOf(
    tx: Transaction,
    document: ReviewedDocument,
    label: string,
  ): Promise<JsonObject | undefined> {
    if (!isRelabelled(document, label)) return undefined;
    const before = document.fields ?? {};
    const unread = await this.parts.unreadFields(tx, document.workspaceId, label);
    const isTyped = Object.values(before).some(
      (field) => isJsonObject(field) && "documentType" in field,
    );
    return unread === undefined && !isTyped ? undefined : withDecisions(unread ?? {}, before);
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
    const fields = await this.#fieldsOf(tx, document, label);
    const changes = { classification: after, ...given({ fields }) };
    return { kind: "label", path: "/classification", before, after, changes };
  }
}

/** True when the fields of the document were read under another label. */
function isRelabelled({ classification, doneStages }: ReviewedDocument, label: string): boolean {
  return label !== classification?.label && doneStages.includes("analyze");
}

/** The part of the history in which another label has replaced the fields of the old type. */
function fieldChanges({ fields: before }: ReviewedDocument, { kind, changes }: Change) {
  if (kind !== "label" || changes.fields === undefined) return [];
  return [
    { op: "test", path: "/fields", value: before },
    { op: "replace", path: "/fields", value: changes.fields },
  ] as const;
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
