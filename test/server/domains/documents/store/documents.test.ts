import { expect, test } from "vitest";
import { isFileBeingRemoved, isFileOwned } from "#server/files/reference-store.ts";
import { DuplicateError } from "#server/kit/storage-errors.ts";
import {
  deleteDocumentRow,
  documentByContent,
  documentById,
  documentByNumber,
  documentsBeingRemoved,
  documentsByIds,
  documentsOfJob,
  insertDocument,
  lockDocumentFiles,
  markDocumentDeleting,
  takeDocumentNumber,
  updateDocument,
} from "#server/domains/documents/store/documents.ts";
import { describeInTurn } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import { addDocument, licensing, newDocument, now, planning } from "./new-document.ts";

const later = new Date("2026-11-21T10:00:00.000Z");

describeInTurn("documents", (open) => {
  test("a document is found by id, number and content, in its own workspace only", async () => {
    const database = await open();
    const added = await addDocument(database);
    expect(added).toEqual({
      ...newDocument({ id: added.id }),
      number: "DOC-2026-000001",
      status: "queued",
      classification: null,
      fields: null,
      properties: null,
      pages: null,
      chunkCount: null,
      doneStages: [],
      trashedUntil: null,
      error: null,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      version: 1,
    });
    const { read } = database;
    expect(await documentById(read, { workspaceId: planning, id: added.id })).toEqual(added);
    expect(await documentById(read, { workspaceId: licensing, id: added.id })).toBeUndefined();
    expect(await documentByNumber(read, planning, "DOC-2026-000001")).toEqual(added);
    expect(await documentByNumber(read, licensing, "DOC-2026-000001")).toBeUndefined();
    expect(await documentByContent(read, added)).toEqual(added);
    expect(await documentByContent(read, { ...added, scopeKey: "rag" })).toBeUndefined();
    expect(await documentsOfJob(read, planning, "job-1")).toEqual([added]);
    expect(await documentsByIds(read, licensing, [added.id])).toEqual([]);
  });

  test("numbers count by workspace and year, without repetition", async () => {
    const database = await open();
    const take = (workspaceId: string, at = now) =>
      testWorks(database).work.write((writer) => takeDocumentNumber(writer, workspaceId, at));
    expect(await take(planning)).toBe("DOC-2026-000001");
    expect(await take(planning)).toBe("DOC-2026-000002");
    expect(await take(licensing)).toBe("DOC-2026-000001");
    expect(await take(planning, new Date("2027-01-01T00:00:00.000Z"))).toBe("DOC-2027-000001");
    const taken = await Promise.all(Array.from({ length: 20 }, () => take(planning)));
    expect(new Set(taken).size).toBe(20);
    expect(await take(planning)).toBe("DOC-2026-000023");
  });

  test("the same content in the same scope is one document, until it is being removed", async () => {
    const database = await open();
    const first = await addDocument(database);
    await expect(addDocument(database)).rejects.toThrow(DuplicateError);
    const other = await addDocument(database, { scopeKey: "store_only" });
    expect(await isFileOwned(database.read, first)).toBe(true);
    await testWorks(database).work.write((writer) => markDocumentDeleting(writer, first, later));
    expect(await documentByContent(database.read, first)).toBeUndefined();
    expect(await isFileOwned(database.read, first)).toBe(true);
    await testWorks(database).work.write((writer) => markDocumentDeleting(writer, other, later));
    expect(await isFileOwned(database.read, first)).toBe(false);
    expect(await isFileBeingRemoved(database.read, first)).toBe(true);
    expect(await isFileBeingRemoved(database.read, { ...first, workspaceId: licensing })).toBe(
      false,
    );
    await addDocument(database);
  });

  test("a change raises the version, and keeps the other columns", async () => {
    const database = await open();
    const added = await addDocument(database);
    const classification = { label: "plan", confidence: 0.5, candidates: [] };
    const changed = await testWorks(database).work.write((writer) =>
      updateDocument(
        writer,
        added,
        { status: "ready", pages: 3, classification, doneStages: ["store"], error: null },
        later,
      ),
    );
    expect(changed).toBe(true);
    expect(await documentById(database.read, added)).toEqual({
      ...added,
      status: "ready",
      pages: 3,
      classification,
      doneStages: ["store"],
      updatedAt: later.toISOString(),
      version: 2,
    });
    await testWorks(database).work.write((writer) =>
      updateDocument(
        writer,
        added,
        { classification: null, error: { code: "x", message: "y" } },
        later,
      ),
    );
    expect(await documentById(database.read, added)).toMatchObject({
      classification: null,
      error: { code: "x", message: "y" },
      version: 3,
    });
  });

  test("a document that is being removed is neither changed nor listed, and its row is removed last", async () => {
    const database = await open();
    const added = await addDocument(database);
    expect(await testWorks(database).work.write((writer) => deleteDocumentRow(writer, added))).toBe(
      false,
    );
    await testWorks(database).work.write((writer) => markDocumentDeleting(writer, added, later));
    const change = { status: "ready" } as const;
    expect(
      await testWorks(database).work.write((writer) =>
        updateDocument(writer, added, change, later),
      ),
    ).toBe(false);
    expect(await documentsOfJob(database.read, planning, "job-1")).toEqual([]);
    expect(await documentsByIds(database.read, planning, [added.id])).toEqual([]);
    expect((await documentsBeingRemoved(database.read, 10)).map(({ id }) => id)).toEqual([
      added.id,
    ]);
    expect(await testWorks(database).work.write((writer) => deleteDocumentRow(writer, added))).toBe(
      true,
    );
    expect(await documentById(database.read, added)).toBeUndefined();
  });

  test("an upload and a removal of one workspace exclude each other", async () => {
    const database = await open();
    const first = await addDocument(database);
    // Each reads the writes of the other; at least one of the two must see them.
    const [removal, upload] = await Promise.all([
      testWorks(database).work.write(async (writer) => {
        await lockDocumentFiles(writer, planning);
        await markDocumentDeleting(writer, first, later);
        return { isStillOwned: await isFileOwned(writer, first) };
      }),
      testWorks(database).work.write(async (writer) => {
        const number = await takeDocumentNumber(writer, planning, now);
        await insertDocument(writer, newDocument({ scopeKey: "rag" }), number, now);
        return { isBeingRemoved: await isFileBeingRemoved(writer, first) };
      }),
    ]);
    expect(removal.isStillOwned || upload.isBeingRemoved).toBe(true);
  });
});
