import { maintenanceWork } from "#server/work/works.ts";
import type { Transaction } from "#server/work/work.ts";
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
import type { Document } from "../../../src/server/domains/documents/store/document-row.ts";
import { chunkPages } from "../../../src/server/text/passages/chunk-pages.ts";

const pagesAtATime = 40;
/** Passages of one unit: a page may have hundreds, and a unit has a limit of time. */
const passagesAtATime = 200;

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
  const work = maintenanceWork(database, "pages of an index");
  let count = 0;
  for (let start = 0; start < pages.length; start += pagesAtATime) {
    const some = pages.slice(start, start + pagesAtATime);
    const documents = await work.write((writer) => insertDocuments(writer, workspaceId, some));
    for (const [at, { name, text }] of some.entries()) {
      const document = documents[at];
      if (document === undefined) throw new Error(`there is no document of ${name}`);
      const names = nameWords({ filename: name });
      // Words are found outside of the units, as the platform does.
      const passages = chunkPages([{ number: 1, text }]).map((chunk) =>
        newPassage(chunk, 0, names),
      );
      for (let from = 0; from < passages.length; from += passagesAtATime) {
        const part = passages.slice(from, from + passagesAtATime);
        await work.write((writer) => insertPassages(writer, document, part));
      }
      count += passages.length;
    }
    await work.write(async (writer) => {
      for (const document of documents) {
        await updateDocument(writer, document, { indexStatus: "indexed" }, new Date());
      }
    });
  }
  return count;
}

async function insertDocuments(
  writer: Transaction,
  workspaceId: string,
  pages: readonly NamedText[],
): Promise<Document[]> {
  const now = new Date();
  const documents: Document[] = [];
  for (const { name, text } of pages) {
    const number = await takeDocumentNumber(writer, workspaceId, now);
    const values = newDocument(workspaceId, name, text);
    const document = await insertDocument(writer, values, number, now);
    await insertPages(writer, document, [{ number: 1, text }]);
    documents.push(document);
  }
  return documents;
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
