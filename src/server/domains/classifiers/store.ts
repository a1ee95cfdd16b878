import type { ClassifierDefinition } from "#contract/documents/classifiers.ts";
import type { Reader, Writer } from "../../database/database.ts";
import { jsonText, jsonValue } from "../../database/dialect.ts";
import { countRows } from "../../database/row-pages.ts";
import { join, raw, statement, type Statement } from "../../database/statement.ts";
import type { ChangeDetails } from "../../work/change-event.ts";
import type { Transaction } from "../../work/work.ts";
import type { TrainingMetrics } from "../../text/classification/text-model.ts";

export interface ClassifierKey {
  readonly workspaceId: string;
  readonly key: string;
}

export interface StoredModel {
  readonly version: number;
  /** The revision of the classifier that it has learnt. */
  readonly revision: number;
  readonly metrics: TrainingMetrics;
  readonly createdAt: string;
}

/** A stored classifier with the facts of its newest model. */
export interface StoredClassifier extends ClassifierKey {
  readonly definition: ClassifierDefinition;
  readonly version: number;
  /** Raised by each change of definition or examples. */
  readonly revision: number;
  readonly trainingError: string | null;
  readonly examples: number;
  readonly model: StoredModel | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface ClassifierRow {
  readonly workspaceId: string;
  readonly key: string;
  readonly definition: string;
  readonly version: number;
  readonly revision: number;
  readonly trainingError: string | null;
  readonly examples: number;
  readonly modelVersion: number | null;
  readonly modelRevision: number | null;
  readonly metrics: string | null;
  readonly modelAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const columns: Statement = statement`${raw(
  'classifiers.workspace_id as "workspaceId", classifiers.key, classifiers.version, ' +
    'classifiers.revision, classifiers.training_error as "trainingError", ' +
    'classifiers.created_at as "createdAt", classifiers.updated_at as "updatedAt", ' +
    'models.version as "modelVersion", models.revision as "modelRevision", ' +
    'models.created_at as "modelAt", (select count(*) from classifier_examples as examples ' +
    "where examples.workspace_id = classifiers.workspace_id " +
    "and examples.classifier_key = classifiers.key) as examples",
)}, ${jsonText("classifiers.definition")} as definition,
  ${jsonText<string | null>("models.metrics")} as metrics`;

const tables = raw(
  "classifiers left join classifier_models as models " +
    "on models.workspace_id = classifiers.workspace_id " +
    "and models.classifier_key = classifiers.key and models.version = (" +
    "select max(newest.version) from classifier_models as newest " +
    "where newest.workspace_id = classifiers.workspace_id " +
    "and newest.classifier_key = classifiers.key)",
);

function classifierOf(row: ClassifierRow): StoredClassifier {
  const { modelVersion, modelRevision, metrics, modelAt, definition, ...rest } = row;
  const hasModel = modelVersion !== null && modelRevision !== null && modelAt !== null;
  return {
    ...rest,
    // Only this store writes these columns, from these types.
    definition: JSON.parse(definition) as ClassifierDefinition,
    model:
      hasModel && metrics !== null
        ? {
            version: modelVersion,
            revision: modelRevision,
            metrics: JSON.parse(metrics) as TrainingMetrics,
            createdAt: modelAt,
          }
        : null,
  };
}

export async function classifierByKey(
  reader: Reader,
  { workspaceId, key }: ClassifierKey,
): Promise<StoredClassifier | undefined> {
  const row = await reader.first<ClassifierRow>(statement`select ${columns} from ${tables}
    where classifiers.workspace_id = ${workspaceId} and classifiers.key = ${key}`);
  return row === undefined ? undefined : classifierOf(row);
}

/** The oldest active classifier of a workspace: it classifies where no binding names one. */
export async function oldestActive(
  reader: Reader,
  workspaceId: string,
): Promise<StoredClassifier | undefined> {
  const row = await reader.first<ClassifierRow>(statement`select ${columns} from ${tables}
    where classifiers.workspace_id = ${workspaceId} and classifiers.status = 'active'
    order by classifiers.created_at, classifiers.key limit 1`);
  return row === undefined ? undefined : classifierOf(row);
}

export async function classifierPage(
  reader: Reader,
  workspaceId: string,
  { rows, offset }: { readonly rows: number; readonly offset: number },
): Promise<StoredClassifier[]> {
  const found = await reader.all<ClassifierRow>(statement`select ${columns} from ${tables}
    where classifiers.workspace_id = ${workspaceId}
    order by classifiers.key limit ${rows} offset ${offset}`);
  return found.map(classifierOf);
}

export async function countClassifiers(reader: Reader, workspaceId: string): Promise<number> {
  return countRows(reader, statement`from classifiers where workspace_id = ${workspaceId}`);
}

/** Creates or replaces a definition; both raise version and revision. */
export async function putClassifier(
  tx: Transaction,
  { workspaceId, key }: ClassifierKey,
  definition: ClassifierDefinition,
  { oid, time }: { readonly oid: string; readonly time: string },
): Promise<void> {
  const row = await tx.first<{ version: number }>(statement`insert into classifiers
      (workspace_id, key, definition, status,
      version, revision, created_by, created_at, updated_at)
    values (${workspaceId}, ${key}, ${jsonValue(definition)}, ${definition.status}, 1, 1,
      ${oid}, ${time}, ${time})
    on conflict (workspace_id, key) do update set definition = excluded.definition,
      status = excluded.status, version = classifiers.version + 1,
      revision = classifiers.revision + 1, training_error = null,
      updated_at = excluded.updated_at
    returning version`);
  const version = Number(row?.version ?? 1);
  report(tx, { workspaceId, key }, { op: version === 1 ? "created" : "updated", version });
}

function report(tx: Transaction, { workspaceId, key }: ClassifierKey, details: ChangeDetails) {
  tx.event("setting", key, workspaceId, { type: "classifier", ...details });
}

/** Something was learnt or forgotten: the model is older than the classifier from now on. */
export async function raiseRevision(
  tx: Transaction,
  { workspaceId, key }: ClassifierKey,
): Promise<void> {
  await tx.run(statement`update classifiers set revision = revision + 1, training_error = null
    where workspace_id = ${workspaceId} and key = ${key}`);
  report(tx, { workspaceId, key }, { changed: ["examples"] });
}

export async function deleteClassifier(
  tx: Transaction,
  { workspaceId, key }: ClassifierKey,
): Promise<void> {
  for (const table of ["classifier_models", "classifier_examples"]) {
    await tx.run(statement`delete from ${raw(table)}
      where workspace_id = ${workspaceId} and classifier_key = ${key}`);
  }
  await tx.run(statement`delete from classifiers
    where workspace_id = ${workspaceId} and key = ${key}`);
  report(tx, { workspaceId, key }, { op: "deleted" });
}

/** Versions whose weights are kept; the metrics of older ones stay. */
const keptModels = 3;

export async function insertModel(
  writer: Writer,
  { workspaceId, key }: ClassifierKey,
  model: {
    readonly version: number;
    readonly revision: number;
    readonly metrics: TrainingMetrics;
    readonly bytes: Uint8Array | null;
    readonly time: string;
  },
): Promise<void> {
  const { version, revision, metrics, bytes, time } = model;
  await writer.run(statement`insert into classifier_models (workspace_id, classifier_key, version,
      revision, metrics, model, created_at)
    values (${workspaceId}, ${key}, ${version}, ${revision}, ${jsonValue(metrics)}, ${bytes},
      ${time})`);
  await writer.run(statement`update classifier_models set model = null
    where workspace_id = ${workspaceId} and classifier_key = ${key}
      and version <= ${version - keptModels} and model is not null`);
}

export async function modelBytes(
  reader: Reader,
  { workspaceId, key }: ClassifierKey,
  version: number,
): Promise<Uint8Array | undefined> {
  const row = await reader.first<{ model: Uint8Array | null }>(statement`select model
    from classifier_models where workspace_id = ${workspaceId} and classifier_key = ${key}
      and version = ${version}`);
  return row?.model ?? undefined;
}

export async function noteTrainingError(
  writer: Writer,
  { workspaceId, key }: ClassifierKey,
  message: string,
): Promise<void> {
  await writer.run(statement`update classifiers set training_error = ${message}
    where workspace_id = ${workspaceId} and key = ${key}`);
}

export interface LiveTraining {
  readonly id: string;
  readonly state: "queued" | "interrupted" | "running";
  /** The payload of the job as JSON text. */
  readonly payload: string;
}

/** The jobs of a kind in a workspace that have not ended. */
export async function liveTrainings(
  reader: Reader,
  workspaceId: string,
  kind: string,
): Promise<LiveTraining[]> {
  return reader.all<LiveTraining>(statement`select id, state,
      ${jsonText("payload")} as payload from jobs
    where workspace_id = ${workspaceId} and kind = ${kind}
      and state in (${join(["queued", "interrupted", "running"])})`);
}
