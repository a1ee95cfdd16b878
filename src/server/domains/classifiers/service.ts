import type {
  ClassifierDefinition,
  ClassifierExample,
  ClassifierRecord,
} from "#contract/documents/classifiers.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Reader } from "../../database/database.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import type { LabelledText } from "../../text/classification/text-model.ts";
import { requireMatch, type VersionMatch } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import {
  countExamples,
  deleteExample,
  examplePage,
  insertExamples,
  newExamples,
} from "./examples.ts";
import type { DecidedClassification, ClassifierModels } from "./models.ts";
import {
  classifierByKey,
  classifierPage,
  countClassifiers,
  deleteClassifier,
  putClassifier,
  raiseRevision,
  type ClassifierKey,
  type StoredClassifier,
} from "./store.ts";
import { queueTraining } from "./training.ts";

export const classifiersAtMost = 100;
export const examplesAtMost = 5_000;

type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** Classifiers of workspaces: definitions, examples, trainings. */
export class ClassifierService {
  constructor(
    private readonly parts: {
      readonly models: ClassifierModels;
      readonly cursors: ListCursors;
      readonly now: () => Date;
    },
  ) {}

  async list(
    { read }: Work,
    workspaceId: string,
    query: PageQuery,
  ): Promise<ListBody<ClassifierRecord>> {
    const pages = new ListPages(this.parts.cursors, ["classifiers", workspaceId]);
    const start = pages.start(query);
    const rows = await classifierPage(read, workspaceId, start);
    const total = query.count === true ? await countClassifiers(read, workspaceId) : undefined;
    return pages.body(start, { rows, itemOf: recordOf, total });
  }

  async get({ read }: Work, place: ClassifierKey): Promise<ClassifierRecord> {
    return recordOf(await requireClassifier(read, place));
  }

  async put(
    work: Work,
    place: ClassifierKey,
    definition: ClassifierDefinition,
    ifMatch?: VersionMatch,
  ): Promise<ClassifierRecord> {
    return work.write(async (tx) =>
      recordOf(await this.putWithin(tx, work.scope.caller, place, definition, ifMatch)),
    );
  }

  /** Creates or replaces a classifier in a transaction of the caller. */
  async putWithin(
    tx: Transaction,
    oid: string,
    place: ClassifierKey,
    definition: ClassifierDefinition,
    ifMatch?: VersionMatch,
  ): Promise<StoredClassifier> {
    await lockWorkspace(tx, place.workspaceId);
    const present = await classifierByKey(tx, place);
    requireMatch(ifMatch, present?.version ?? 0);
    if (present === undefined) {
      const count = await countClassifiers(tx, place.workspaceId);
      if (count >= classifiersAtMost) {
        throw new Refusal("conflict", {
          detail: `A workspace has at most ${classifiersAtMost} classifiers: delete one first`,
        });
      }
    }
    const now = this.parts.now();
    await putClassifier(tx, place, definition, { oid, time: now.toISOString() });
    const stored = await classifierByKey(tx, place);
    if (stored === undefined) throw new Error("a classifier was stored and not found");
    if (stored.examples > 0) await queueTraining(tx, place, { oid, now });
    return stored;
  }

  async delete(work: Work, place: ClassifierKey, ifMatch?: VersionMatch) {
    return work.write(async (tx) => {
      await lockWorkspace(tx, place.workspaceId);
      requireMatch(ifMatch, (await requireClassifier(tx, place)).version);
      await deleteClassifier(tx, place);
      return { key: place.key, removed: true };
    });
  }

  async examples(
    { read }: Work,
    place: ClassifierKey,
    query: PageQuery,
  ): Promise<ListBody<ClassifierExample>> {
    await requireClassifier(read, place);
    const list = ["classifier examples", place.workspaceId, place.key];
    const pages = new ListPages(this.parts.cursors, list);
    const start = pages.start(query);
    const [afterId] = start.after ?? [];
    const page = { ...start, afterId: afterId === undefined ? undefined : String(afterId) };
    return pages.body(start, {
      rows: await examplePage(read, place, page),
      itemOf: ({ createdAt, ...example }) => ({ ...example, created_at: createdAt }),
      positionOf: ({ id }) => [id],
      total: query.count === true ? await countExamples(read, place) : undefined,
    });
  }

  async addExamples(
    work: Work,
    place: ClassifierKey,
    examples: readonly LabelledText[],
  ): Promise<{ added: number; total: number }> {
    return work.write(async (tx) => {
      await lockWorkspace(tx, place.workspaceId);
      const { definition, examples: present } = await requireClassifier(tx, place);
      requireLabels(definition, examples);
      const added = await newExamples(tx, place, examples);
      const total = present + added.length;
      if (total > examplesAtMost) {
        const detail = `would make ${total} examples; a classifier has at most ${examplesAtMost}`;
        throw invalid([{ pointer: pointer("examples"), detail }]);
      }
      if (added.length > 0) await this.#learn(tx, work.scope.caller, place, added);
      const made = { added: added.length, total };
      tx.remember(made);
      return made;
    });
  }

  /**
   * Learns the right label of a document, in the transaction that corrects it. Does nothing for a
   * label that the classifier does not have, and when it is full.
   */
  async learnCorrection(
    tx: Transaction,
    oid: string,
    place: ClassifierKey,
    example: LabelledText & { readonly documentId: string },
  ): Promise<boolean> {
    const found = await classifierByKey(tx, place);
    if (found === undefined || example.text.trim() === "") return false;
    if (!found.definition.labels.some(({ key }) => key === example.label)) return false;
    if (found.examples >= examplesAtMost) return false;
    await this.#learn(tx, oid, place, [example]);
    return true;
  }

  async removeExample(work: Work, place: ClassifierKey, id: string): Promise<{ id: string }> {
    await work.write(async (tx) => {
      if (!(await deleteExample(tx, place, id))) {
        throw new Refusal("not-found", { detail: "The classifier has no example with this id" });
      }
      await this.#retrain(tx, work.scope.caller, place);
    });
    return { id };
  }

  async train(work: Work, place: ClassifierKey): Promise<ClassifierRecord> {
    return work.write(async (tx) => {
      await requireClassifier(tx, place);
      await this.#retrain(tx, work.scope.caller, place);
      return recordOf(await requireClassifier(tx, place));
    });
  }

  async classify(
    { read }: Work,
    place: ClassifierKey,
    text: string,
  ): Promise<DecidedClassification> {
    return this.parts.models.classify(read, await requireClassifier(read, place), text);
  }

  /** The stored classifier, for other domains. */
  find(reader: Reader, place: ClassifierKey): Promise<StoredClassifier | undefined> {
    return classifierByKey(reader, place);
  }

  async #learn(
    tx: Transaction,
    oid: string,
    place: ClassifierKey,
    examples: readonly (LabelledText & { readonly documentId?: string })[],
  ): Promise<void> {
    const time = this.parts.now().toISOString();
    await insertExamples(tx, place, examples, { oid, time });
    await this.#retrain(tx, oid, place);
  }

  async #retrain(tx: Transaction, oid: string, place: ClassifierKey): Promise<void> {
    await raiseRevision(tx, place);
    await queueTraining(tx, place, { oid, now: this.parts.now() });
  }
}

async function requireClassifier(reader: Reader, place: ClassifierKey): Promise<StoredClassifier> {
  const found = await classifierByKey(reader, place);
  if (found !== undefined) return found;
  throw new Refusal("not-found", { detail: "This workspace has no classifier with this key" });
}

function requireLabels({ labels }: ClassifierDefinition, examples: readonly LabelledText[]): void {
  const known = new Set(labels.map(({ key }) => key));
  const faults = examples.flatMap(({ label }, at) =>
    known.has(label)
      ? []
      : [faultAt("body", ["examples", at, "label"], "is not a label of this classifier")],
  );
  if (faults.length > 0) throw invalid(faults);
}

function recordOf(stored: StoredClassifier): ClassifierRecord {
  const { key, definition, version, model, createdAt, updatedAt } = stored;
  return {
    key,
    ...definition,
    labels: definition.labels.map((label) => ({ ...label })),
    training: {
      status: trainingStatus(stored),
      modelVersion: model?.version ?? null,
      trainedAt: model?.createdAt ?? null,
      heldOut: model?.metrics.heldOut ?? null,
      accuracy: model?.metrics.accuracy ?? null,
      calibrationError: model?.metrics.calibrationError ?? null,
      abstained: model?.metrics.abstained ?? null,
      examples: stored.examples,
      error: stored.trainingError,
    },
    version,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** A model is current when it has learnt the newest revision. */
function trainingStatus({ model, revision, trainingError, examples }: StoredClassifier): string {
  if (model?.revision === revision) return "trained";
  if (trainingError !== null) return "failed";
  return examples === 0 && model === null ? "untrained" : "queued";
}
