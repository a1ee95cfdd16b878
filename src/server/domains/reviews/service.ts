import type { DocumentRecord } from "#contract/documents/records.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { DocumentHistoryEntry, DocumentReview, ReviewDecision } from "#contract/reviews.ts";
import { isJsonObject } from "#lib/json-value.ts";
import { ownMember } from "#lib/own-member.ts";
import { hyphenatedUuid } from "#lib/uuid.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { invalid } from "../../http/faults.ts";
import { requireMatch, type Principal, type VersionMatch } from "../../http/handler.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages } from "../../http/lists/pages.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { isScalarType, scalarOf } from "../../text/analysis/configured/scalar-value.ts";
import { charactersClassified } from "../../text/classification/features.ts";
import type { ClassifierService } from "../classifiers/service.ts";
import {
  documentById,
  documentByNumber,
  documentRecordOf,
  pagesAfter,
  updateDocument,
  type Document,
} from "../documents/service.ts";
import { queueRereading } from "./reread-fields.ts";
import {
  countHistory,
  countReviews,
  decideReview,
  historyPage,
  insertHistory,
  reviewPage,
} from "./store.ts";

const firstPages = 5;

type Actor = Pick<Principal, "oid">;
type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** One decision: the part of the document, with its value before and after. */
interface Change {
  readonly kind: "label" | "field";
  readonly path: string;
  readonly before: unknown;
  readonly after: object;
  readonly changes: Pick<Document, "classification"> | Pick<Document, "fields">;
}

/** The review of labels and fields by users: a queue, decisions and their history. */
export class ReviewService {
  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly classifiers: ClassifierService;
      readonly cursors: ListCursors;
      readonly jobs: Pick<JobRunner, "wake">;
      readonly now: () => Date;
    },
  ) {}

  async list(
    workspaceId: string,
    query: PageQuery & {
      readonly status?: string | undefined;
      readonly documentId?: string | undefined;
    },
  ): Promise<ListBody<DocumentReview>> {
    const { read } = this.parts.database;
    const status = query.status ?? "open";
    const documentId =
      query.documentId === undefined
        ? undefined
        : (await this.#document(read, workspaceId, query.documentId)).id;
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
    actor: Actor,
    workspaceId: string,
    id: string,
    decision: ReviewDecision,
    ifMatch?: VersionMatch,
  ): Promise<DocumentRecord> {
    const { database, now, jobs } = this.parts;
    const decided = await database.write(async (writer) => {
      const document = await this.#document(writer, workspaceId, id);
      requireMatch(ifMatch, document.version);
      if (document.status !== "ready") {
        throw new Refusal("conflict", {
          detail: `Cannot review ${document.number}: its status is ${document.status}, not ready`,
        });
      }
      const time = now();
      const change =
        decision.target === "label"
          ? await this.#label(writer, actor, document, decision)
          : changedField(document, decision);
      const { kind, path, before, after, changes } = change;
      if (!(await updateDocument(writer, document, changes, time))) throw new Refusal("not-found");
      const status = decision.action === "accept" ? "accepted" : "corrected";
      const by = { status, oid: actor.oid, time: time.toISOString() };
      await decideReview(writer, document, { target: decision.target, kind, found: after }, by);
      await insertHistory(writer, document, {
        version: document.version + 1,
        operation: decision.action,
        target: decision.target,
        actor: actor.oid,
        at: by.time,
        changes: [
          { op: "test", path, value: before ?? null },
          { op: "replace", path, value: after },
        ],
      });
      await this.#reread(writer, actor, document, changes);
      return documentRecordOf(await this.#document(writer, workspaceId, document.id));
    });
    jobs.wake();
    return decided;
  }

  /** Another label may have another document type, whose fields are then read in a job. */
  async #reread(
    writer: Writer,
    { oid }: Actor,
    document: Document,
    changes: Change["changes"],
  ): Promise<void> {
    const label = "classification" in changes ? changes.classification?.label : undefined;
    if (label === undefined || label === document.classification?.label) return;
    if (!document.doneStages.includes("analyze")) return;
    await queueRereading(writer, document, label, { oid, now: this.parts.now() });
  }

  async history(
    workspaceId: string,
    id: string,
    query: PageQuery,
  ): Promise<ListBody<DocumentHistoryEntry>> {
    const { read } = this.parts.database;
    const document = await this.#document(read, workspaceId, id);
    const pages = new ListPages(this.parts.cursors, ["document history", document.id]);
    const start = pages.start(query);
    return pages.body(start, {
      rows: await historyPage(read, document, start),
      itemOf: (row) => ({ ...row }),
      total: query.count === true ? await countHistory(read, document) : undefined,
    });
  }

  async #label(
    writer: Writer,
    actor: Actor,
    document: Document,
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
      const classifier = await this.parts.classifiers.find(place, writer);
      const labels = classifier?.definition.labels.map((each) => each.key) ?? [label];
      if (!labels.includes(label)) {
        const detail = `must be a label of the classifier ${key}: ${labels.slice(0, 20).join(", ")}`;
        throw invalid([{ pointer: pointer("value"), detail }]);
      }
      const pages = await pagesAfter(writer, document, 0, firstPages);
      const text = pages
        .map((page) => page.text)
        .join("\n")
        .slice(0, charactersClassified);
      const example = { label, text, documentId: document.id };
      await this.parts.classifiers.learnCorrection(writer, actor, place, example);
    } else if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(label)) {
      throw invalid([{ pointer: pointer("value"), detail: "must be in kebab-case" }]);
    }
    const { candidates = [] } = before ?? {};
    const decided = { label, confidence: 1, candidates, method: "review", decidedBy: actor.oid };
    const after = { ...before, ...decided };
    const changes = { classification: after };
    return { kind: "label", path: "/classification", before, after, changes };
  }

  async #document(reader: Reader, workspaceId: string, id: string): Promise<Document> {
    const found = id.startsWith("DOC-")
      ? await documentByNumber(reader, workspaceId, id)
      : await documentById(reader, { workspaceId, id: hyphenatedUuid(id) });
    if (found === undefined || found.status === "deleting") throw new Refusal("not-found");
    return found;
  }
}

function fieldOf(target: string): string {
  return target.slice("fields.".length);
}

/** The field with the decided value; a corrected one has no place in the document. */
function changedField(document: Document, decision: ReviewDecision): Change {
  const name = fieldOf(decision.target);
  const fields = document.fields ?? {};
  const before = ownMember(fields, name);
  if (!isJsonObject(before)) {
    const detail = `is not a field of ${document.number}`;
    throw invalid([{ pointer: pointer("target"), detail }]);
  }
  const path = `/fields/${name}`;
  if (decision.action === "accept") {
    const after = { ...before, confidence: 1, reviewed: true };
    return {
      kind: "field",
      path,
      before,
      after,
      changes: { fields: { ...fields, [name]: after } },
    };
  }
  const value = correctedValue(before["type"], decision.value);
  const place = { page: null, span: null, quote: null };
  const decided = { value, confidence: 1, method: "review", reviewed: true };
  const after = { ...before, ...place, ...decided };
  return { kind: "field", path, before, after, changes: { fields: { ...fields, [name]: after } } };
}

function correctedValue(type: unknown, value: string | number | boolean | null) {
  if (value === null || !isScalarType(type)) return value;
  const fitting = scalarOf(String(value), type);
  if (fitting !== undefined) return fitting;
  throw invalid([{ pointer: pointer("value"), detail: `must be a value of the type ${type}` }]);
}
