import type { Writer } from "../database/database.ts";
import type { PlatformBase } from "../domains/base.ts";
import { ClassifierModels } from "../domains/classifiers/models.ts";
import { ClassifierService } from "../domains/classifiers/service.ts";
import {
  forgetDocumentText,
  trainingJobKind,
  trainingWork,
} from "../domains/classifiers/training.ts";
import { UnderstandingService } from "../domains/content-understanding/service.ts";
import { schemaFault } from "../domains/document-types/readiness.ts";
import { readFields } from "../domains/document-types/read-fields.ts";
import { DocumentTypeService } from "../domains/document-types/service.ts";
import { queueFields, queueLabel } from "../domains/reviews/queue.ts";
import { rereadingJobKind, rereadingWork } from "../domains/reviews/reread-fields.ts";
import { ReviewService } from "../domains/reviews/service.ts";
import { forgetReviews } from "../domains/reviews/store.ts";
import type { DocumentUnderstanding } from "../domains/documents/stages/stage.ts";
import type { ClassificationReadiness } from "../domains/documents/upload/readiness.ts";
import type { UrlClassifier } from "../domains/documents/requests/analyze-url.ts";
import type { RecordLookup } from "../domains/records/service.ts";
import { ListCursors } from "../http/lists/cursors.ts";
import type { JobRunner, JobWork } from "../jobs/runner.ts";

/** The services of what workspaces configure for their documents, and its reader for jobs. */
export function createUnderstanding(base: PlatformBase, records: RecordLookup) {
  const { database, unkeyedDatabase, now, secrets } = base;
  const chatModels = base.models;
  const models = new ClassifierModels({ database, records, models: chatModels });
  // A job's reads and writes belong to no request.
  const jobModels = new ClassifierModels({
    database: unkeyedDatabase,
    records,
    models: chatModels,
  });
  const cursors = new ListCursors(secrets.for("content understanding"));
  const reading = { database: unkeyedDatabase, models: base.models };
  const reader: DocumentUnderstanding = {
    classify: (document, text, signal) => jobModels.classifyDocument(document, text, signal),
    fields: async ({ workspaceId, classification }, pages, signal) =>
      classification === null
        ? undefined
        : readFields(reading, { workspaceId, label: classification.label }, pages, signal),
    review: async (writer, document, { classification, fields }) => {
      const time = now().toISOString();
      if (classification !== undefined) await queueLabel(writer, document, classification, time);
      if (fields !== undefined) await queueFields(writer, document, fields, time);
    },
  };
  const readiness: ClassificationReadiness = async (thing) => {
    const { labels, fault } = await models.readiness(thing);
    const { workspaceId } = thing;
    const schemas = await schemaFault(database.read, workspaceId, new Set(labels));
    const hasRoom = !base.room.files.isLacking && !base.room.database.isLacking;
    return [
      ...(fault === undefined ? [] : [{ part: "classifier", fault } as const]),
      ...(schemas === undefined || labels === undefined
        ? []
        : [{ part: "schemas", fault: schemas } as const]),
      ...(hasRoom ? [] : [{ part: "storage", fault: "the storage has no space left" } as const]),
    ];
  };
  const kinds: Readonly<Record<string, JobWork>> = {
    [trainingJobKind]: trainingWork({ database: unkeyedDatabase, now }),
    [rereadingJobKind]: rereadingWork({ database: unkeyedDatabase, fields: reader.fields, now }),
  };
  return {
    reader,
    readiness,
    classify: (...input: Parameters<UrlClassifier>) => models.classifyDocument(...input),
    kinds,
    onRemoved: async (
      writer: Writer,
      document: { readonly workspaceId: string; readonly id: string },
    ): Promise<void> => {
      await forgetDocumentText(writer, document, now());
      await forgetReviews(writer, document);
    },
    /** Built after the runner of their jobs. */
    services: (jobs: JobRunner) => {
      const classifiers = new ClassifierService({ database, models, cursors, jobs, now });
      const parts = { database, cursors, models: base.models, now };
      const documentTypes = new DocumentTypeService(parts);
      return {
        classifiers,
        documentTypes,
        understanding: new UnderstandingService({ ...parts, classifiers, documentTypes, jobs }),
        reviews: new ReviewService({ database, classifiers, cursors, jobs, now }),
      };
    },
  };
}
