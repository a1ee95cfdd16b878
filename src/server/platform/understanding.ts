import type { PlatformBase } from "../domains/base.ts";
import { ClassifierModels } from "../domains/classifiers/models.ts";
import { ClassifierService } from "../domains/classifiers/service.ts";
import {
  forgetDocumentText,
  trainingJobKind,
  trainingWork,
} from "../domains/classifiers/training.ts";
import { UnderstandingService } from "../domains/content-understanding/service.ts";
import { schemaFault, DocumentTypeService } from "../domains/document-types/service.ts";
import { readFields, unreadFields } from "../domains/document-types/read-fields.ts";
import { queueFields, queueLabel } from "../domains/reviews/queue.ts";
import { rereadingJobKind, rereadingWork } from "../domains/reviews/reread-fields.ts";
import { ReviewService } from "../domains/reviews/service.ts";
import { forgetReviews } from "../domains/reviews/store.ts";
import type { DocumentUnderstanding } from "../domains/documents/stages/stage.ts";
import type { ClassificationReadiness, MissingPart } from "../domains/documents/upload/uploads.ts";
import type { RecordLookup } from "../domains/records/service.ts";
import { ListCursors } from "../kit/lists/cursors.ts";
import type { JobRunner, JobWork } from "../jobs/runner.ts";
import type { Transaction } from "../work/work.ts";

/** Services for what workspaces configure for their documents, and its reader for jobs. */
export function createUnderstanding(base: PlatformBase, records: RecordLookup) {
  const { now, room, secrets } = base;
  const chatModels = base.models;
  const models = new ClassifierModels({ records, models: chatModels });
  const cursors = new ListCursors(secrets.for("content understanding"));
  const reader = {
    classify: (...input: Parameters<ClassifierModels["classifyDocument"]>) =>
      models.classifyDocument(...input),
    fields: async (work, { workspaceId, classification }, pages, signal) =>
      classification === null
        ? undefined
        : readFields(work, chatModels, { workspaceId, ...classification }, pages, signal),
    review: async (tx, document, { classification, fields }) => {
      const time = now().toISOString();
      if (classification !== undefined) await queueLabel(tx, document, classification, time);
      if (fields !== undefined) await queueFields(tx, document, fields, time);
    },
  } satisfies DocumentUnderstanding;
  const readiness: ClassificationReadiness = async (work, thing) => {
    const { labels, fault } = await models.readiness(work, thing);
    const schemas = await schemaFault(work.read, thing.workspaceId, new Set(labels));
    const missing: MissingPart[] = [];
    if (fault !== undefined) missing.push({ part: "classifier", fault });
    if (schemas !== undefined && labels !== undefined) {
      missing.push({ part: "schemas", fault: schemas });
    }
    if (room.files.isLacking || room.database.isLacking) {
      missing.push({ part: "storage", fault: "the storage has no space left" });
    }
    return missing;
  };
  const kinds: Readonly<Record<string, JobWork>> = {
    [trainingJobKind]: trainingWork(now),
    [rereadingJobKind]: rereadingWork({ fields: reader.fields, now }),
  };
  return {
    reader,
    readiness,
    kinds,
    onRemoved: async (
      tx: Transaction,
      document: { readonly workspaceId: string; readonly id: string },
    ): Promise<void> => {
      await forgetDocumentText(tx, document, now());
      await forgetReviews(tx, document);
    },
    /** The services, which need the runner of their jobs. */
    services: (jobs: JobRunner) => {
      const classifiers = new ClassifierService({ models, cursors, now });
      const documentTypes = new DocumentTypeService({ cursors, models: chatModels, now });
      return {
        classifiers,
        documentTypes,
        understanding: new UnderstandingService({
          classifiers,
          documentTypes,
          cursors,
          models: chatModels,
          now,
        }),
        reviews: new ReviewService({ classifiers, cursors, jobs, now, unreadFields }),
      };
    },
  };
}
