import type { UploadAccepted, UploadFields } from "#contract/documents/upload.ts";
import type { StagedBlob } from "../../../files/blob-store.ts";
import type { JobRunner } from "../../../jobs/runner.ts";
import type { Facts, Transaction, Work } from "../../../work/work.ts";
import {
  documentByContent,
  insertDocument,
  lockDocumentFiles,
  takeDocumentNumber,
} from "../store/documents.ts";
import type { Document } from "../store/documents.ts";
import { enqueueJob, getJob } from "../../../jobs/store.ts";
import { acceptBlobs } from "../../../files/accept-blobs.ts";
import { documentJobKind, documentStages } from "../document-job.ts";
import type { UploadScope } from "./upload-scope.ts";
import { uploadMetadataNames } from "#contract/documents/upload-metadata.ts";
import type { JsonObject } from "#contract/values.ts";

export interface UploadedFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly staged: StagedBlob;
}

export interface Upload {
  readonly workspaceId: string;
  readonly fields: UploadFields;
  readonly scope: UploadScope;
  readonly files: readonly UploadedFile[];
}

/**
 * Publishes the files, then creates documents and job in one transaction. Bytes that the scope
 * already has refer to the existing document. `remember` runs inside the transaction, with the
 * response.
 */
export async function acceptUpload(
  work: Work,
  upload: Upload,
  { jobs, now }: { readonly jobs: JobRunner; readonly now: () => Date },
  remember: (accepted: UploadAccepted, facts: Facts) => void,
): Promise<UploadAccepted> {
  const by = { oid: work.scope.caller, now: now() };
  const staged = upload.files.map((file) => file.staged);
  return acceptBlobs({ database: work, staged }, (requireStored) =>
    work.write(async (tx) => {
      await lockDocumentFiles(tx, upload.workspaceId);
      await requireStored(tx);
      const answer = await record(tx, upload, by);
      remember(answer, tx);
      tx.afterCommit(() => jobs.wake());
      return answer;
    }),
  );
}

async function record(
  tx: Transaction,
  upload: Upload,
  { oid, now }: { readonly oid: string; readonly now: Date },
): Promise<UploadAccepted> {
  const { workspaceId, fields, scope } = upload;
  const jobId = Bun.randomUUIDv7();
  const found = new Map<string, Document>();
  const documents: { readonly file: UploadedFile; readonly isNew: boolean }[] = [];
  for (const file of upload.files) {
    const { sha256 } = file.staged.address;
    const known =
      found.get(sha256) ??
      (await documentByContent(tx, { workspaceId, sha256, scopeKey: scope.key }));
    if (known !== undefined) {
      found.set(sha256, known);
      documents.push({ file, isNew: false });
      continue;
    }
    const number = await takeDocumentNumber(tx, workspaceId, now);
    const document = await insertDocument(
      tx,
      {
        workspaceId,
        id: Bun.randomUUIDv7(),
        filename: file.filename,
        mediaType: file.mediaType,
        size: file.staged.size,
        sha256,
        scopeKey: scope.key,
        lifecycle: scope.lifecycle,
        processingMode: fields.processing_mode,
        context: scope.context,
        metadata: metadataOf(fields),
        indexStatus: documentStages(fields.processing_mode).includes("index") ? "pending" : "none",
        jobId,
        createdBy: oid,
      },
      number,
      now,
    );
    found.set(sha256, document);
    documents.push({ file, isNew: true });
  }
  const listed = documents.map(({ file, isNew }) => reference(found, file, isNew));
  const added = listed.filter((each) => each.duplicateOf === undefined);
  if (added.length > 0) {
    await enqueueJob(
      tx,
      {
        workspaceId,
        id: jobId,
        kind: documentJobKind,
        payload: { documentIds: added.map((each) => each.documentId) },
        stages: [...documentStages("full")],
        createdBy: oid,
      },
      now,
    );
  }
  return answerOf(tx, upload, listed, added.length > 0 ? jobId : undefined, found);
}

/** A type, not an interface, because the contract has an open object. */
type Reference = {
  readonly documentId: string;
  readonly documentNumber: string;
  readonly filename: string;
  readonly size: number;
  readonly sha256: string;
  readonly duplicateOf?: string;
};

function reference(
  found: ReadonlyMap<string, Document>,
  file: UploadedFile,
  isNew: boolean,
): Reference {
  const document = found.get(file.staged.address.sha256);
  if (document === undefined) throw new TypeError("An uploaded file has no document");
  const { id: documentId, number: documentNumber } = document;
  const { size, address } = file.staged;
  const facts = { filename: file.filename, size, sha256: address.sha256 };
  return isNew
    ? { documentId, documentNumber, ...facts }
    : { documentId, documentNumber, ...facts, duplicateOf: documentId };
}

/** When all files are duplicates, the response has the document and job of the first one. */
async function answerOf(
  tx: Transaction,
  upload: Upload,
  documents: readonly Reference[],
  newJobId: string | undefined,
  found: ReadonlyMap<string, Document>,
): Promise<UploadAccepted> {
  const [first] = upload.files;
  const document = first === undefined ? undefined : found.get(first.staged.address.sha256);
  if (document === undefined) throw new TypeError("An upload has no files");
  const main =
    newJobId === undefined
      ? documents[0]
      : documents.find(({ duplicateOf }) => duplicateOf === undefined);
  const jobId = newJobId ?? document.jobId;
  const job = await getJob(tx, { workspaceId: upload.workspaceId, id: jobId });
  return {
    jobId,
    documentId: main?.documentId ?? document.id,
    documentNumber: main?.documentNumber ?? document.number,
    documents: [...documents],
    status: job?.state ?? (document.status === "failed" ? "failed" : "succeeded"),
    ...(newJobId === undefined ? { duplicateOf: document.id } : {}),
  };
}

/** The metadata of an upload, which is stored with the document and has no effect (spec 2.5). */
function metadataOf(fields: UploadFields): JsonObject {
  const metadata: JsonObject = {};
  for (const name of uploadMetadataNames) {
    const value = fields[name];
    if (value !== undefined) metadata[name] = value;
  }
  return metadata;
}
