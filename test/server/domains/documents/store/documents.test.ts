import { expect, test } from "vitest";
import { isFileBeingRemoved, isFileOwned } from "#server/files/reference-store.ts";
import type { Database } from "#server/database/database.ts";
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
import type { Document, NewDocument } from "#server/domains/documents/store/documents.ts";
import { insertPassages, removePassages } from "#server/domains/documents/store/passages.ts";
import {
  searchedTerms,
  searchPassages,
  type SearchedTerms,
} from "#server/domains/documents/store/passage-search.ts";
import type { PassageScope } from "#server/domains/documents/store/passages.ts";
import {
  insertPages,
  pagesAfter,
  pageText,
  pageTexts,
  removePages,
} from "#server/domains/documents/store/page-texts.ts";
import { describeOnEachDatabase } from "#test/support/databases.ts";

const planning = "0192f000-0000-7000-8000-000000000001";
const licensing = "0192f000-0000-7000-8000-000000000002";
const now = new Date("2026-11-21T09:30:00.000Z");
const later = new Date("2026-11-21T10:00:00.000Z");
const application = "0192f000-0000-7000-8000-00000000aaaa";

function newDocument(changes: Partial<NewDocument> = {}): NewDocument {
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

async function add(database: Database, changes: Partial<NewDocument> = {}): Promise<Document> {
  const document = newDocument(changes);
  return database.write(async (writer) => {
    const number = await takeDocumentNumber(writer, document.workspaceId, now);
    return insertDocument(writer, document, number, now);
  });
}

describeOnEachDatabase("documents", (open) => {
  test("a document is found by id, number and content, in its own workspace only", async () => {
    const database = await open();
    const added = await add(database);
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
      database.write((writer) => takeDocumentNumber(writer, workspaceId, at));
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
    const first = await add(database);
    await expect(add(database)).rejects.toThrow(DuplicateError);
    const other = await add(database, { scopeKey: "store_only" });
    expect(await isFileOwned(database.read, first)).toBe(true);
    await database.write((writer) => markDocumentDeleting(writer, first, later));
    expect(await documentByContent(database.read, first)).toBeUndefined();
    expect(await isFileOwned(database.read, first)).toBe(true);
    await database.write((writer) => markDocumentDeleting(writer, other, later));
    expect(await isFileOwned(database.read, first)).toBe(false);
    expect(await isFileBeingRemoved(database.read, first)).toBe(true);
    expect(await isFileBeingRemoved(database.read, { ...first, workspaceId: licensing })).toBe(
      false,
    );
    await add(database);
  });

  test("a change raises the version, and keeps the other columns", async () => {
    const database = await open();
    const added = await add(database);
    const classification = { label: "plan", confidence: 0.5, candidates: [] };
    const changed = await database.write((writer) =>
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
    await database.write((writer) =>
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
    const added = await add(database);
    expect(await database.write((writer) => deleteDocumentRow(writer, added))).toBe(false);
    await database.write((writer) => markDocumentDeleting(writer, added, later));
    const change = { status: "ready" } as const;
    expect(await database.write((writer) => updateDocument(writer, added, change, later))).toBe(
      false,
    );
    expect(await documentsOfJob(database.read, planning, "job-1")).toEqual([]);
    expect(await documentsByIds(database.read, planning, [added.id])).toEqual([]);
    expect((await documentsBeingRemoved(database.read, 10)).map(({ id }) => id)).toEqual([
      added.id,
    ]);
    expect(await database.write((writer) => deleteDocumentRow(writer, added))).toBe(true);
    expect(await documentById(database.read, added)).toBeUndefined();
  });

  test("an upload and a removal of one workspace exclude each other", async () => {
    const database = await open();
    const first = await add(database);
    // Each reads the writes of the other; at least one of the two must see them.
    const [removal, upload] = await Promise.all([
      database.write(async (writer) => {
        await lockDocumentFiles(writer, planning);
        await markDocumentDeleting(writer, first, later);
        return { isStillOwned: await isFileOwned(writer, first) };
      }),
      database.write(async (writer) => {
        const number = await takeDocumentNumber(writer, planning, now);
        await insertDocument(writer, newDocument({ scopeKey: "rag" }), number, now);
        return { isBeingRemoved: await isFileBeingRemoved(writer, first) };
      }),
    ]);
    expect(removal.isStillOwned || upload.isBeingRemoved).toBe(true);
  });
});

describeOnEachDatabase("pages", (open) => {
  test("store any text, and are read and removed in order", async () => {
    const database = await open();
    const key = await add(database);
    const text = "naïve \u{1F4C4} ' \" \\ \n\t‮ end";
    await database.write((writer) =>
      insertPages(writer, key, [
        { number: 1, text: "one" },
        { number: 2, text },
        { number: 3, text: "" },
      ]),
    );
    const { read } = database;
    expect(await pageText(read, key, 2)).toBe(text);
    expect(await pageText(read, key, 3)).toBe("");
    expect(await pageText(read, key, 4)).toBeUndefined();
    expect(await pageText(read, { ...key, workspaceId: licensing }, 2)).toBeUndefined();
    expect((await pagesAfter(read, key, 1, 5)).map((page) => page.number)).toEqual([2, 3]);
    const found = await pageTexts(read, planning, [
      { documentId: key.id, page: 1 },
      { documentId: key.id, page: 9 },
    ]);
    expect(found).toEqual([{ documentId: key.id, page: 1, text: "one" }]);
    expect(await pageTexts(read, licensing, [{ documentId: key.id, page: 1 }])).toEqual([]);
    expect(await database.write((writer) => removePages(writer, key, 2))).toBe(2);
    expect((await pagesAfter(read, key, 0, 5)).map((page) => page.number)).toEqual([3]);
  });
});

describeOnEachDatabase("the passage index", (open) => {
  async function index(
    database: Database,
    texts: readonly string[],
    changes: Partial<NewDocument> = {},
  ): Promise<Document> {
    const document = await add(database, { sha256: Bun.randomUUIDv7(), ...changes });
    await database.write(async (writer) => {
      await insertPassages(
        writer,
        document,
        texts.map((text, ordinal) => ({
          ordinal,
          page: ordinal + 1,
          start: 0,
          end: text.length,
          text,
          headings: "",
          terms: text.toLowerCase().split(" "),
        })),
      );
      await updateDocument(writer, document, { indexStatus: "indexed" }, now);
    });
    return document;
  }

  const search = async (
    database: Database,
    terms: readonly string[],
    scope: Partial<PassageScope> = {},
    limit = 10,
  ): Promise<string[]> => {
    const found = await searchPassages(
      database.scan,
      { workspaceId: planning, ...scope },
      { ranked: terms, frequent: [] },
      limit,
    );
    return found.map(({ text }) => text);
  };

  test("finds any of the terms, the passage with more of them first", async () => {
    const database = await open();
    await index(database, [
      "the quay wall is sound",
      "trees on the north side",
      "quay and quay and wall repair",
      "nothing of the kind",
    ]);
    expect(await search(database, ["quay", "wall", "repair"])).toEqual([
      "quay and quay and wall repair",
      "the quay wall is sound",
    ]);
    expect(await search(database, ["north"])).toEqual(["trees on the north side"]);
    expect(await search(database, ["absent"])).toEqual([]);
    expect(await search(database, [])).toEqual([]);
    expect(await search(database, ["quay"], {}, 1)).toHaveLength(1);
  });

  test("finds passages by frequent terms, which are not ranked", async () => {
    const database = await open();
    await index(database, ["quay wall", "quay trees", "wall plants", "nothing of the kind"]);
    const found = async (terms: SearchedTerms, limit = 10): Promise<string[]> => {
      const scope = { workspaceId: planning };
      const passages = await searchPassages(database.scan, scope, terms, limit);
      return passages.map(({ text }) => text).toSorted();
    };
    expect(await found({ ranked: [], frequent: ["quay", "wall"] })).toEqual([
      "quay trees",
      "quay wall",
      "wall plants",
    ]);
    expect(await found({ ranked: [], frequent: ["quay", "wall"] }, 1)).toEqual(["quay wall"]);
    expect(await found({ ranked: ["trees"], frequent: ["wall"] })).toEqual([
      "quay trees",
      "quay wall",
      "wall plants",
    ]);
    expect(await found({ ranked: [], frequent: [] })).toEqual([]);
  });

  test("ranks by the rarest terms only, as long as few passages have them", () => {
    const counts = { all: 5_000, having: [5_000, 3, 0, 2_000] };
    expect(searchedTerms(["file", "rare", "absent", "some"], counts)).toEqual({
      ranked: ["rare", "some"],
      frequent: ["file"],
    });
  });

  test("returns the place of the passage", async () => {
    const database = await open();
    const document = await index(database, ["first", "the second"]);
    expect(
      await searchPassages(
        database.scan,
        { workspaceId: planning },
        { ranked: ["second"], frequent: [] },
        5,
      ),
    ).toEqual([
      {
        documentId: document.id,
        documentNumber: document.number,
        filename: document.filename,
        mediaType: "application/pdf",
        title: null,
        label: null,
        ordinal: 1,
        page: 2,
        start: 0,
        end: 10,
        text: "the second",
        headings: "",
      },
    ]);
  });

  test("searches only the workspace, the given documents and the contexts", async () => {
    const database = await open();
    const caseId = "0192f000-0000-7000-8000-00000000cccc";
    const one = await index(database, ["oak one"]);
    const two = await index(database, ["oak two"], {
      context: { planning_application_id: application, assess_case_id: caseId },
    });
    const three = await index(database, ["oak three"], { context: { vertical_key: "portal" } });
    await index(database, ["oak foreign"], { workspaceId: licensing });
    const sorted = async (scope: Partial<PassageScope>) =>
      (await search(database, ["oak"], scope)).toSorted();
    expect(await sorted({})).toEqual(["oak one", "oak three", "oak two"]);
    expect(await sorted({ documentIds: [one.id, three.id] })).toEqual(["oak one", "oak three"]);
    expect(await sorted({ documentIds: [] })).toEqual([]);
    expect(await sorted({ contextIds: [application] })).toEqual(["oak one", "oak two"]);
    expect(await sorted({ contextIds: [application, caseId] })).toEqual(["oak two"]);
    expect(await sorted({ contextIds: [application], documentIds: [two.id, three.id] })).toEqual([
      "oak two",
    ]);
    expect(await sorted({ workspaceId: licensing, documentIds: [one.id] })).toEqual([]);
  });

  test("a word of a text is never a scope, and signs in a question are no query syntax", async () => {
    const database = await open();
    const stolen = `w${planning.replaceAll("-", "")}`;
    await index(database, [`${stolen} secret`], { workspaceId: licensing });
    await index(database, ['it\'s "quoted" a\\b (x) OR* AND NOT ^near']);
    expect(await search(database, [stolen])).toEqual([]);
    expect(await search(database, ["secret"])).toEqual([]);
    for (const term of ["it's", '"quoted"', "a\\b", "(x)", "or*", "and", "not", "^near"]) {
      expect(await search(database, [term, "'", "''", '"'])).toHaveLength(1);
    }
  });

  test("leaves out documents that are not indexed yet or are being removed", async () => {
    const database = await open();
    const pending = await index(database, ["elm pending"]);
    const leaving = await index(database, ["elm leaving"]);
    await database.write(async (writer) => {
      await updateDocument(writer, pending, { indexStatus: "pending" }, now);
      await markDocumentDeleting(writer, leaving, now);
    });
    expect(await search(database, ["elm"])).toEqual([]);
  });

  test("is removed in batches", async () => {
    const database = await open();
    const document = await index(database, ["ash 1", "ash 2", "ash 3"]);
    const kept = await index(database, ["ash kept"]);
    const remove = () => database.write((writer) => removePassages(writer, document, 2));
    expect(await remove()).toBe(2);
    expect((await search(database, ["ash"])).toSorted()).toEqual(["ash 3", "ash kept"]);
    expect(await remove()).toBe(1);
    expect(await remove()).toBe(0);
    expect(await search(database, ["ash"])).toEqual(["ash kept"]);
    expect(await database.write((writer) => removePassages(writer, kept, 2))).toBe(1);
  });

  test("a text of any length can be indexed", async () => {
    const database = await open();
    const words = Array.from({ length: 40_000 }, (_, index) => `word${index % 900}`);
    await index(database, [words.join(" ")]);
    expect(await search(database, ["word899"])).toHaveLength(1);
  });
});
