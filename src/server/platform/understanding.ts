import type { Writer } from "../database/database.ts";
import type { PlatformBase } from "../domains/base.ts";
import { ClassifierModels } from "../domains/classifiers/models.ts";
import { ClassifierService } from "../domains/classifiers/service.ts";
import {
  forgetDocumentText,
  trainingJobKind,
  trainingWork,
} from "../domains/classifiers/training.ts";
import type { DocumentUnderstanding } from "../domains/documents/stages/stage.ts";
import type { RecordLookup } from "../domains/records/service.ts";
import { ListCursors } from "../http/lists/cursors.ts";
import type { JobRunner, JobWork } from "../jobs/runner.ts";

/** The services of what workspaces configure for their documents, and its reader for jobs. */
export function createUnderstanding(base: PlatformBase, records: RecordLookup) {
  const { database, unkeyedDatabase, now, secrets } = base;
  const models = new ClassifierModels({ database, records });
  // A job's reads and writes belong to no request.
  const jobModels = new ClassifierModels({ database: unkeyedDatabase, records });
  const cursors = new ListCursors(secrets.for("content understanding"));
  const reader: DocumentUnderstanding = {
    classify: (document, text) => jobModels.classifyDocument(document, text),
  };
  const kinds: Readonly<Record<string, JobWork>> = {
    [trainingJobKind]: trainingWork({ database: unkeyedDatabase, now }),
  };
  return {
    reader,
    kinds,
    onRemoved: (
      writer: Writer,
      document: { readonly workspaceId: string; readonly id: string },
    ): Promise<void> => forgetDocumentText(writer, document, now()),
    /** Built after the runner of their jobs. */
    services: (jobs: JobRunner) => ({
      classifiers: new ClassifierService({ database, models, cursors, jobs, now }),
    }),
  };
}
