import { maintenanceWork } from "#server/work/works.ts";
import type { Database } from "../../../src/server/database/database.ts";
import { nameWords } from "../../../src/server/domains/documents/passage-entry.ts";
import { newPassage } from "../../../src/server/domains/documents/stages/index-passages.ts";
import {
  insertDocument,
  takeDocumentNumber,
  updateDocument,
} from "../../../src/server/domains/documents/store/documents.ts";
import { insertPages } from "../../../src/server/domains/documents/store/page-texts.ts";
import { insertPassages } from "../../../src/server/domains/documents/store/passages.ts";
import { chunkPages } from "../../../src/server/text/passages/chunk-pages.ts";

const pagesAtATime = 40;

/** A text and its name. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Indexes each text as a document of one page; returns the number of passages. */
export async function indexPages(
  database: Database,
  workspaceId: string,
  pages: readonly NamedText[],
): Promise<number> {
  const now = new Date();
  let count = 0;
  for (let start = 0; start < pages.length; start += pagesAtATime) {
    await maintenanceWork(database, "pages of an index").write(async (writer) => {
      for (const { name, text } of pages.slice(start, start + pagesAtATime)) {
        const number = await takeDocumentNumber(writer, workspaceId, now);
        const document = await insertDocument(
          writer,
          newDocument(workspaceId, name, text),
          number,
          now,
        );
        await insertPages(writer, document, [{ number: 1, text }]);
        const names = nameWords({ filename: name });
        const passages = chunkPages([{ number: 1, text }]).map((chunk) =>
          newPassage(chunk, 0, names),
        );
        await insertPassages(writer, document, passages);
        await updateDocument(writer, document, { indexStatus: "indexed" }, now);
        count += passages.length;
      }
    });
  }
  return count;
}

function newDocument(workspaceId: string, filename: string, text: string) {
  return {
    workspaceId,
    id: Bun.randomUUIDv7(),
    filename,
    mediaType: "text/plain",
    size: text.length,
    sha256: Bun.hash(text).toString(16),
    scopeKey: filename,
    lifecycle: "planning-assist-v1",
    processingMode: "full",
    context: {},
    metadata: {},
    indexStatus: "pending",
    jobId: "bench",
    createdBy: "bench",
  } as const;
}
