import { insertDocument, takeDocumentNumber } from "#server/domains/documents/store/documents.ts";
import type { Document, NewDocument } from "#server/domains/documents/store/documents.ts";
import type { SearchedScope } from "#server/domains/documents/store/passage-search.ts";
import type { PassageScope } from "#server/domains/documents/store/passages.ts";
import { passageSource } from "#server/search-index/sources.ts";
import { type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

export const planning = "0192f000-0000-7000-8000-000000000001";
export const licensing = "0192f000-0000-7000-8000-000000000002";
export const now = new Date("2026-11-21T09:30:00.000Z");
export const application = "0192f000-0000-7000-8000-00000000aaaa";

/** A document of the planning workspace that is not stored yet. */
export function newDocument(changes: Partial<NewDocument> = {}): NewDocument {
  return {
    workspaceId: planning,
    id: Bun.randomUUIDv7(),
    filename: '../plans "final"\n.pdf',
    mediaType: "application/pdf",
    size: 5_000_000_000,
    sha256: "ab".repeat(32),
    scopeKey: "full",
    lifecycle: "planning-assist-v1",
    processingMode: "full",
    context: { planning_application_id: application },
    metadata: { category: "plans" },
    indexStatus: "pending",
    jobId: "job-1",
    createdBy: "ada",
    ...changes,
  };
}

export async function addDocument(
  database: WholeDatabase,
  changes: Partial<NewDocument> = {},
): Promise<Document> {
  const document = newDocument(changes);
  return testWorks(database).work.write(async (writer) => {
    const number = await takeDocumentNumber(writer, document.workspaceId, now);
    return insertDocument(writer, document, number, now);
  });
}

/** A scope of passages for the store; nothing is found in a workspace that has none. */
export async function searched(
  database: WholeDatabase,
  scope: PassageScope,
): Promise<SearchedScope> {
  const { workspaceId } = scope;
  const source = await passageSource(database.read, workspaceId);
  return { ...scope, source: source ?? { kind: "passage", workspaceId, number: 0 } };
}
