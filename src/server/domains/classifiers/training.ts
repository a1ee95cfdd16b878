import * as z from "zod";
import type { ClassifierDefinition } from "#contract/documents/classifiers.ts";
import type { Reader } from "../../database/database.ts";
import { JobFailedError, JobLaterError, type JobWork } from "../../jobs/runner.ts";
import { enqueueJob } from "../../jobs/store.ts";
import { wordsOfKey } from "../../text/classification/text-model.ts";
import type { Transaction } from "../../work/work.ts";
import { allExamples, forgetDocument } from "./examples.ts";
import {
  classifierByKey,
  insertModel,
  noteTrainingError,
  liveTrainings,
  raiseRevision,
  type ClassifierKey,
  type LiveTraining,
} from "./store.ts";

export const trainingJobKind = "classifier-training";

const trainingPayload = z.object({ key: z.string() });
const stage = "train";

/** Later changes within it are learnt by the same training. */
const gatherMs = 500;

/** Queues a training in the transaction of its cause, unless one waits already. */
export async function queueTraining(
  tx: Transaction,
  { workspaceId, key }: ClassifierKey,
  { oid, now }: { readonly oid: string; readonly now: Date },
): Promise<void> {
  if (await isTrainingQueued(tx, { workspaceId, key })) return;
  await enqueueJob(
    tx,
    {
      workspaceId,
      kind: trainingJobKind,
      payload: { key },
      stages: [stage],
      createdBy: oid,
      runAt: new Date(now.getTime() + gatherMs),
    },
    now,
  );
}

async function isTrainingQueued(reader: Reader, place: ClassifierKey): Promise<boolean> {
  const live = await trainingsOf(reader, place);
  return live.some(({ state }) => state !== "running");
}

async function trainingsOf(
  reader: Reader,
  { workspaceId, key }: ClassifierKey,
): Promise<LiveTraining[]> {
  const live = await liveTrainings(reader, workspaceId, trainingJobKind);
  return live.filter(({ payload }) => trainingPayload.parse(JSON.parse(payload)).key === key);
}

/** Forgets the text of a document, in the transaction that removes it. */
export async function forgetDocumentText(
  tx: Transaction,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  now: Date,
): Promise<void> {
  for (const key of await forgetDocument(tx, workspaceId, id)) {
    await raiseRevision(tx, { workspaceId, key });
    await queueTraining(tx, { workspaceId, key }, { oid: "", now });
  }
}

const fewestLabels = 2;
/** The pause of a training while an older one of the same classifier has not ended. */
const waitMs = 1_000;

/**
 * Trains a new version of a classifier's model in its own thread. Does nothing when the newest
 * model has learnt everything, so that it may start again after a crash.
 */
export function trainingWork(now: () => Date): JobWork {
  return async (job, context) => {
    const { key } = trainingPayload.parse(job.payload);
    const place = { workspaceId: job.workspaceId, key };
    const { read } = context.work;
    // The training with the lowest id goes on; the others of its classifier wait.
    const live = await trainingsOf(read, place);
    if (live.some(({ id }) => id < job.id)) throw new JobLaterError(waitMs);
    await context.runStage(stage, async (run) => {
      const found = await classifierByKey(read, place);
      if (found === undefined || found.model?.revision === found.revision) return run.skip();
      const { definition, revision, model } = found;
      const current = new Set(
        definition.labels.filter(({ retired }) => retired !== true).map((label) => label.key),
      );
      const examples = (await allExamples(read, place)).filter(({ label }) => current.has(label));
      const labels = new Set(examples.map(({ label }) => label)).size;
      if (labels < fewestLabels) {
        const message = `has examples of ${labels} labels: a model needs 2 or more`;
        await context.write((tx) => noteTrainingError(tx, place, message));
        return run.skip();
      }
      run.progress(0, examples.length, "examples");
      const { trainInWorker } = await import("../../text/classification/train-worker.ts");
      const names = namesOf(definition);
      const trained = await trainInWorker(
        { examples, names, threshold: definition.threshold },
        context.signal,
      ).catch(async (error: unknown) => {
        context.signal.throwIfAborted();
        const message = "the training failed: see the log of the platform, then train it again";
        await context.write((tx) => noteTrainingError(tx, place, message));
        throw new JobFailedError(message, "training-failed", { cause: error });
      });
      await context.write(async (tx) => {
        // The classifier may have been deleted meanwhile.
        if ((await classifierByKey(tx, place)) === undefined) return;
        await insertModel(tx, place, {
          version: (model?.version ?? 0) + 1,
          revision,
          metrics: trained.metrics,
          bytes: trained.bytes,
          time: now().toISOString(),
        });
      });
      run.progress(examples.length, examples.length, "examples");
    });
  };
}

/** The names and descriptions of the labels, from which a model learns too. */
function namesOf({ labels }: ClassifierDefinition): Record<string, string> {
  return Object.fromEntries(
    labels.map(({ key, displayName = "", description = "" }) => [
      key,
      [wordsOfKey(key), displayName, description].join("\n"),
    ]),
  );
}
