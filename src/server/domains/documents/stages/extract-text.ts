import { given } from "#lib/given.ts";
import { BlobMissingError } from "../../../files/blob-store.ts";
import type { ReadDocument } from "../../../text/extraction/extracted-document.ts";
import { ExtractionError } from "../../../text/extraction/extraction-error.ts";
import { extractInChild } from "../../../text/extraction/child/extract-in-child.ts";
import { pictureReaderOf } from "../picture-model.ts";
import { insertPages, removePages } from "../store/page-texts.ts";
import { completeStage, DocumentFailedError, fileMissing, removeAll, writeFor } from "./stage.ts";
import type { Stage, StageTools, StageWork } from "./stage.ts";

/** Limits of one transaction, so that other writes do not wait long. */
const pagesAtATime = 100;
const charactersAtATime = 500_000;

/** Extracts the text in a child process and stores it by page. */
export const extract: Stage = async (tools, work) => {
  const { document } = work;
  const extracted = await read(tools, work);
  await removeAll(work, (tx, limit) => removePages(tx, document, limit));
  for (const pages of batches(extracted.pages)) {
    await writeFor(work, (tx) => insertPages(tx, document, pages));
  }
  const { metadata, warnings, mediaType, unreadPages, pictureModel, leftOut } = extracted;
  const properties = {
    ...metadata,
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(unreadPages.length === 0 ? {} : { unreadPages }),
    ...given({ pictureModel, leftOut }),
  };
  await completeStage(tools, work, "extract", {
    mediaType,
    pages: extracted.pages.length,
    properties,
  });
};

async function read(tools: StageTools, work: StageWork): Promise<ReadDocument> {
  const { document, job } = work;
  const { filename, mediaType } = document;
  try {
    return await tools.blobs.withFile(document, (path) =>
      extractInChild(
        { path, filename, mediaType },
        {
          command: tools.extractionCommand,
          kept: tools.children && { children: tools.children, share: document.workspaceId },
          ocrFolder: tools.ocrFolder,
          pictureReader: pictureReaderOf(tools.models),
          signal: job.signal,
          onProgress: (done, total) => work.progress(done, total, "pages"),
        },
      ),
    );
  } catch (error) {
    if (error instanceof BlobMissingError) throw fileMissing(error);
    if (!(error instanceof ExtractionError)) throw error;
    throw new DocumentFailedError(error.code, error.message, { cause: error });
  }
}

function* batches(pages: ReadDocument["pages"]): Generator<ReadDocument["pages"], void, void> {
  let batch: ReadDocument["pages"] = [];
  let characters = 0;
  for (const page of pages) {
    if (batch.length === pagesAtATime || characters + page.text.length > charactersAtATime) {
      if (batch.length > 0) yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(page);
    characters += page.text.length;
  }
  if (batch.length > 0) yield batch;
}
