import type {
  ClassifierDefinition,
  ClassifierExample,
  ClassifierRecord,
} from "#contract/classifiers.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { faultAt, invalid } from "../../http/faults.ts";
import { requireMatch, type Principal, type VersionMatch } from "../../http/handler.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages } from "../../http/lists/pages.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import type { LabelledText } from "../../text/classification/text-model.ts";
import { lockWorkspace } from "../members/service.ts";
import {
  countExamples,
  deleteExample,
  examplePage,
  insertExamples,
  newExamples,
} from "./examples.ts";
import type { DecidedClassification } from "./decided.ts";
import type { ClassifierModels } from "./models.ts";
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

const classifiersAtMost = 100;
const examplesAtMost = 5_000;

type Actor = Pick<Principal, "oid">;
type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

/** Classifiers of workspaces: definitions, examples, trainings. */
export class ClassifierService {
  readonly #database: Database;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly models: ClassifierModels;
      readonly cursors: ListCursors;
      readonly jobs: Pick<JobRunner, "wake">;
      readonly now: () => Date;
    },
  ) {
    this.#database = parts.database;
  }

  async list(workspaceId: string, query: PageQuery): Promise<ListBody<ClassifierRecord>> {
    const { read } = this.#database;
    const pages = new ListPages(this.parts.cursors, ["classifiers", workspaceId]);
    const start = pages.start(query);
    const rows = await classifierPage(read, workspaceId, start);
    const total = query.count === true ? await countClassifiers(read, workspaceId) : undefined;
    return pages.body(start, { rows, itemOf: recordOf, total });
  }

  async get(workspaceId: string, key: string): Promise<ClassifierRecord> {
    return recordOf(await this.#require({ workspaceId, key }));
  }

  async put(
    actor: Actor,
    place: ClassifierKey,
    definition: ClassifierDefinition,
    ifMatch?: VersionMatch,
  ): Promise<ClassifierRecord> {
    const record = await this.#database.write(async (writer) =>
      recordOf(await this.putWithin(writer, actor, place, definition, ifMatch)),
    );
    this.parts.jobs.wake();
    return record;
  }

  /** In a transaction of the caller, which wakes the jobs after it. */
  async putWithin(
    writer: Writer,
    actor: Actor,
    place: ClassifierKey,
    definition: ClassifierDefinition,
    ifMatch?: VersionMatch,
  ): Promise<StoredClassifier> {
    await lockWorkspace(writer, place.workspaceId);
    const present = await classifierByKey(writer, place);
    requireMatch(ifMatch, present?.version ?? 0);
    if (present === undefined) {
      const count = await countClassifiers(writer, place.workspaceId);
      if (count >= classifiersAtMost) {
        throw new Refusal("conflict", {
          detail: `A workspace has at most ${classifiersAtMost} classifiers: delete one first`,
        });
      }
    }
    const now = this.parts.now();
    const by = { oid: actor.oid, time: now.toISOString() };
    await putClassifier(writer, place, definition, by);
    const stored = await classifierByKey(writer, place);
    if (stored === undefined) throw new Error("a classifier was stored and not found");
    if (stored.examples > 0) await queueTraining(writer, place, { oid: actor.oid, now });
    return stored;
  }

  async delete(place: ClassifierKey, ifMatch?: VersionMatch) {
    return this.#database.write(async (writer) => {
      await lockWorkspace(writer, place.workspaceId);
      requireMatch(ifMatch, (await this.#require(place, writer)).version);
      await deleteClassifier(writer, place);
      return { key: place.key, removed: true };
    });
  }

  async examples(place: ClassifierKey, query: PageQuery): Promise<ListBody<ClassifierExample>> {
    const { read } = this.#database;
    await this.#require(place);
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
    actor: Actor,
    place: ClassifierKey,
    examples: readonly LabelledText[],
    remember: (answer: { added: number; total: number }) => void,
  ): Promise<{ added: number; total: number }> {
    const answer = await this.#database.write(async (writer) => {
      await lockWorkspace(writer, place.workspaceId);
      const { definition, examples: present } = await this.#require(place, writer);
      requireLabels(definition, examples);
      const added = await newExamples(writer, place, examples);
      const total = present + added.length;
      if (total > examplesAtMost) {
        const detail = `would make ${total} examples; a classifier has at most ${examplesAtMost}`;
        throw invalid([{ pointer: pointer("examples"), detail }]);
      }
      if (added.length > 0) await this.#learn(writer, actor, place, added);
      const made = { added: added.length, total };
      remember(made);
      return made;
    });
    this.parts.jobs.wake();
    return answer;
  }

  /**
   * Learns the right label of a document, in the transaction that corrects it. Does nothing for a
   * label that the classifier does not have, and when it is full.
   */
  async learnCorrection(
    writer: Writer,
    actor: Actor,
    place: ClassifierKey,
    example: LabelledText & { readonly documentId: string },
  ): Promise<boolean> {
    const found = await classifierByKey(writer, place);
    if (found === undefined || example.text.trim() === "") return false;
    if (!found.definition.labels.some(({ key }) => key === example.label)) return false;
    if (found.examples >= examplesAtMost) return false;
    await this.#learn(writer, actor, place, [example]);
    return true;
  }

  async removeExample(actor: Actor, place: ClassifierKey, id: string): Promise<{ id: string }> {
    await this.#database.write(async (writer) => {
      if (!(await deleteExample(writer, place, id))) {
        throw new Refusal("not-found", { detail: "The classifier has no example with this id" });
      }
      await raiseRevision(writer, place);
      await queueTraining(writer, place, { oid: actor.oid, now: this.parts.now() });
    });
    this.parts.jobs.wake();
    return { id };
  }

  async train(actor: Actor, place: ClassifierKey): Promise<ClassifierRecord> {
    const record = await this.#database.write(async (writer) => {
      await this.#require(place, writer);
      await raiseRevision(writer, place);
      await queueTraining(writer, place, { oid: actor.oid, now: this.parts.now() });
      return recordOf(await this.#require(place, writer));
    });
    this.parts.jobs.wake();
    return record;
  }

  async classify(place: ClassifierKey, text: string): Promise<DecidedClassification> {
    return this.parts.models.classify(await this.#require(place), text);
  }

  /** The stored classifier, for other domains. */
  async find(
    place: ClassifierKey,
    reader: Reader = this.#database.read,
  ): Promise<StoredClassifier | undefined> {
    return classifierByKey(reader, place);
  }

  async #learn(
    writer: Writer,
    { oid }: Actor,
    place: ClassifierKey,
    examples: readonly (LabelledText & { readonly documentId?: string })[],
  ): Promise<void> {
    const now = this.parts.now();
    await insertExamples(writer, place, examples, { oid, time: now.toISOString() });
    await raiseRevision(writer, place);
    await queueTraining(writer, place, { oid, now });
  }

  async #require(place: ClassifierKey, reader: Reader = this.#database.read) {
    const found = await classifierByKey(reader, place);
    if (found !== undefined) return found;
    throw new Refusal("not-found", { detail: "This workspace has no classifier with this key" });
  }
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
