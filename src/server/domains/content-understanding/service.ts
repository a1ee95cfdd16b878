import {
  type UnderstandingCapabilities,
  type UnderstandingManifest,
  type UnderstandingOperation,
  type UnderstandingPlan,
  understandingKinds,
  type UnderstandingAction,
  type UnderstandingKind,
} from "#contract/documents/content-understanding.ts";
import { documentLifecycles } from "#contract/documents/lifecycles.ts";
import {
  fieldMethods,
  fieldModes,
  rulesAtMost,
  scalarFieldTypes,
} from "#contract/documents/document-types.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal, type Fault } from "#contract/problems.ts";
import { ownMember } from "#lib/own-member.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages, madeAt } from "../../kit/lists/pages.ts";
import type { Models } from "../../models/models.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import {
  countOperations,
  insertOperation,
  operationById,
  operationPage,
  type StoredOperation,
} from "./store.ts";
import { sameJson } from "#lib/json/same.ts";
import type { Reader } from "../../database/database.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { ClassifierService } from "../classifiers/service.ts";
import type { DocumentTypeService } from "../document-types/service.ts";

type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** Plans and applies all that a workspace configures for its documents (spec 4.7). */
export class UnderstandingService {
  constructor(
    private readonly parts: PlanParts & {
      readonly models: Models;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  capabilities(): UnderstandingCapabilities {
    const { chat, vision, embedding, circuit } = this.parts.models;
    return {
      methods: [...fieldMethods],
      modes: [...fieldModes],
      fieldTypes: [...scalarFieldTypes],
      lifecycles: [...documentLifecycles],
      models: {
        chat: chat?.name ?? null,
        vision: vision?.name ?? null,
        embedding: embedding?.name ?? null,
        circuit,
      },
      limits: { labels: 200, examples: 5_000, fields: 100, rules: rulesAtMost, patternLength: 500 },
    };
  }

  plan(
    { read }: Work,
    workspaceId: string,
    manifest: UnderstandingManifest,
  ): Promise<UnderstandingPlan> {
    return planOf(this.parts, read, workspaceId, manifest);
  }

  /** Applies all or nothing. 412 when the digest is not that of a plan made now. */
  async apply(
    work: Work,
    workspaceId: string,
    manifest: UnderstandingManifest,
    { id, digest }: { readonly id: string; readonly digest: string },
  ): Promise<UnderstandingOperation> {
    const oid = work.scope.caller;
    const stored = await work.write(async (tx) => {
      await lockWorkspace(tx, workspaceId);
      const known = await operationById(tx, workspaceId, id);
      if (known !== undefined) {
        if (known.digest === digest) return known;
        throw new Refusal("conflict", {
          detail: `The operation ${id} has applied another plan: use another Operation-Id`,
        });
      }
      const current = await planOf(this.parts, tx, workspaceId, manifest);
      if (current.digest !== digest) {
        throw new Refusal("precondition-failed", {
          detail: "Cannot apply this: the manifest or the workspace has changed since the plan",
          members: { currentDigest: current.digest },
        });
      }
      const { actions } = current;
      for (const action of actions) {
        if (action.action !== "unchanged") {
          await this.#put(tx, oid, workspaceId, manifest, action);
        }
      }
      const createdAt = this.parts.now().toISOString();
      const made = { id, digest, actions, createdBy: oid, createdAt };
      await insertOperation(tx, workspaceId, made);
      return made;
    });
    return this.#shown(work, workspaceId, stored);
  }

  async operation(work: Work, workspaceId: string, id: string): Promise<UnderstandingOperation> {
    const found = await operationById(work.read, workspaceId, id);
    if (found === undefined) {
      throw new Refusal("not-found", { detail: "This workspace has no operation with this id" });
    }
    return this.#shown(work, workspaceId, found);
  }

  async operations(
    work: Work,
    workspaceId: string,
    query: PageQuery,
  ): Promise<ListBody<UnderstandingOperation>> {
    const { read } = work;
    const pages = new ListPages(this.parts.cursors, ["understanding operations", workspaceId]);
    const start = pages.start(query);
    const { rows, offset } = start;
    const page = { limit: rows, offset, after: madeAt(start.after) };
    const found = await operationPage(read, workspaceId, page);
    const total = query.count === true ? await countOperations(read, workspaceId) : undefined;
    const body = pages.envelope(start, {
      rows: found,
      positionOf: ({ createdAt, id }) => [createdAt, id],
      total,
    });
    const items: UnderstandingOperation[] = [];
    for (const each of found.slice(0, start.limit)) {
      items.push(await this.#shown(work, workspaceId, each));
    }
    return { ...body, items };
  }

  async #put(
    tx: Transaction,
    oid: string,
    workspaceId: string,
    manifest: UnderstandingManifest,
    { kind, key }: { readonly kind: string; readonly key: string },
  ): Promise<void> {
    const { classifiers, documentTypes } = this.parts;
    const place = { workspaceId, key };
    const classifier = kind === "classifiers" ? ownMember(manifest.classifiers, key) : undefined;
    const analyzer = kind === "analyzers" ? ownMember(manifest.analyzers, key) : undefined;
    const type = kind === "documentTypes" ? ownMember(manifest.documentTypes, key) : undefined;
    if (classifier !== undefined) {
      await classifiers.putWithin(tx, oid, place, classifier);
    }
    if (analyzer !== undefined) {
      await documentTypes.putWithin(tx, "analyzers", oid, place, analyzer);
    }
    if (type !== undefined) {
      await documentTypes.putWithin(tx, "document_types", oid, place, type);
    }
  }

  /** The trainings and the runtime as they are now. */
  async #shown(
    work: Work,
    workspaceId: string,
    { id, digest, actions, createdBy, createdAt }: StoredOperation,
  ): Promise<UnderstandingOperation> {
    const { classifiers, documentTypes } = this.parts;
    const trainings: { classifier: string; status: string; error: string | null }[] = [];
    const runtimeSync: { documentType: string; status: string; fields: unknown }[] = [];
    for (const { kind, key } of actions) {
      const place = { workspaceId, key };
      if (kind === "classifiers" && (await classifiers.find(work.read, place)) !== undefined) {
        const { training } = await classifiers.get(work, place);
        const error = training?.error ?? null;
        trainings.push({ classifier: key, status: training?.status ?? "untrained", error });
      }
      const table = "document_types";
      if (kind === "documentTypes" && (await documentTypes.find(work.read, table, place))) {
        const { runtime } = await documentTypes.get(work, place);
        const { status = "unknown", fields = [] } = runtime ?? {};
        runtimeSync.push({ documentType: key, status, fields });
      }
    }
    const isTraining = trainings.some(({ status }) => status === "queued");
    const isPartial =
      trainings.some(({ status }) => status === "failed") ||
      runtimeSync.some(({ status }) => status !== "applied");
    const status = isTraining ? "running" : isPartial ? "completed_with_errors" : "succeeded";
    return {
      operationId: id,
      digest,
      status,
      actions: [...actions],
      trainings,
      runtimeSync,
      createdBy,
      createdAt,
    };
  }
}

interface PlanParts {
  readonly classifiers: ClassifierService;
  readonly documentTypes: DocumentTypeService;
}

interface Present {
  readonly version: number;
  readonly definition: object;
}

/** The plan for the state that the reader sees; 422 for a type whose analyzer does not exist. */
async function planOf(
  parts: PlanParts,
  reader: Reader,
  workspaceId: string,
  manifest: UnderstandingManifest,
): Promise<UnderstandingPlan> {
  await requireAnalyzers(parts, reader, workspaceId, manifest);
  const actions: UnderstandingAction[] = [];
  for (const kind of understandingKinds) {
    for (const [key, wanted] of Object.entries(manifest[kind])) {
      const present = await storedOf(parts, reader, kind, { workspaceId, key });
      actions.push(actionOf(kind, key, wanted, present));
    }
  }
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(JSON.stringify([workspaceId, manifest, actions]));
  return { digest: hash.digest("hex"), actions };
}

async function storedOf(
  { classifiers, documentTypes }: PlanParts,
  reader: Reader,
  kind: UnderstandingKind,
  place: { readonly workspaceId: string; readonly key: string },
): Promise<Present | undefined> {
  if (kind === "classifiers") return classifiers.find(reader, place);
  const table = kind === "analyzers" ? "analyzers" : "document_types";
  return documentTypes.find(reader, table, place);
}

function actionOf(
  kind: UnderstandingKind,
  key: string,
  wanted: object,
  present: Present | undefined,
): UnderstandingAction {
  if (present === undefined) return { kind, key, action: "create", currentVersion: 0, changes: [] };
  const { version: currentVersion, definition } = present;
  const names = new Set([...Object.keys(wanted), ...Object.keys(definition)]);
  const changes = [...names].filter(
    (name) => !sameJson(ownMember(wanted, name), ownMember(definition, name)),
  );
  const action = changes.length === 0 ? "unchanged" : "update";
  return { kind, key, action, currentVersion, changes };
}

async function requireAnalyzers(
  { documentTypes }: PlanParts,
  reader: Reader,
  workspaceId: string,
  manifest: UnderstandingManifest,
): Promise<void> {
  const faults: Fault[] = [];
  for (const [key, { analyzer }] of Object.entries(manifest.documentTypes)) {
    if (Object.hasOwn(manifest.analyzers, analyzer)) continue;
    const stored = await documentTypes.find(reader, "analyzers", { workspaceId, key: analyzer });
    if (stored !== undefined) continue;
    const detail = `names the analyzer "${analyzer}", which neither the manifest nor the workspace has`;
    faults.push(faultAt("body", ["documentTypes", key, "analyzer"], detail));
  }
  if (faults.length > 0) throw invalid(faults);
}
