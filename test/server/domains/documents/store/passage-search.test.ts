import { expect, test } from "vitest";
import { raw, statement } from "#server/database/statement.ts";
import { markDocumentDeleting, updateDocument } from "#server/domains/documents/store/documents.ts";
import type { Document, NewDocument } from "#server/domains/documents/store/documents.ts";
import { newPassage } from "#server/domains/documents/stages/index-passages.ts";
import {
  erasePassages,
  insertPassages,
  removePassages,
} from "#server/domains/documents/store/passages.ts";
import {
  countPassages,
  searchedTerms,
  searchPassages,
} from "#server/domains/documents/store/passage-search.ts";
import type { SearchedTerms } from "#server/domains/documents/store/passage-search.ts";
import type { PassageScope } from "#server/domains/documents/store/passages.ts";
import { askedTerms } from "#server/text/search/asked-terms.ts";
import { rarity } from "#server/text/search/ranking.ts";
import type { SearchEntry } from "#server/text/search/searched-texts.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import { addDocument, application, licensing, now, planning, searched } from "./new-document.ts";

/** An entry of words as they are. */
function entryOfWords(words: readonly string[]): SearchEntry {
  const terms = [...new Set(words)].toSorted();
  return { terms, length: words.length, checksum: 0, words: [], languages: [] };
}

describeInTurn("the passage index", (open) => {
  async function index(
    database: WholeDatabase,
    texts: readonly string[],
    changes: Partial<NewDocument> = {},
  ): Promise<Document> {
    const document = await addDocument(database, { sha256: Bun.randomUUIDv7(), ...changes });
    await testWorks(database).work.write(async (writer) => {
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
          entry: entryOfWords(text.toLowerCase().split(" ")),
        })),
      );
      await updateDocument(writer, document, { indexStatus: "indexed" }, now);
    });
    return document;
  }

  const search = async (
    database: WholeDatabase,
    terms: readonly string[],
    scope: Partial<PassageScope> = {},
    limit = 10,
  ): Promise<string[]> => {
    const found = await searchPassages(
      database.scan,
      await searched(database, { workspaceId: planning, ...scope }),
      { ranked: terms.map((term) => ({ indexed: [term], weight: 1 })), frequent: [] },
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
      const scope = await searched(database, { workspaceId: planning });
      const passages = await searchPassages(database.scan, scope, terms, limit);
      return passages.map(({ text }) => text).toSorted();
    };
    expect(await found({ ranked: [], frequent: [["quay"], ["wall"]] })).toEqual([
      "quay trees",
      "quay wall",
      "wall plants",
    ]);
    expect(await found({ ranked: [], frequent: [["quay"], ["wall"]] }, 1)).toEqual(["quay wall"]);
    expect(
      await found({ ranked: [{ indexed: ["trees"], weight: 1 }], frequent: [["wall"]] }),
    ).toEqual(["quay trees", "quay wall", "wall plants"]);
    expect(await found({ ranked: [], frequent: [] })).toEqual([]);
  });

  test("finds the passages with the most of several frequent terms", async () => {
    const database = await open();
    await index(database, [
      "quay wall repair",
      "quay trees plants",
      "quay trees wall",
      "trees plants birds",
      "birds repair plants",
    ]);
    const scope = await searched(database, { workspaceId: planning });
    const found = async (frequent: SearchedTerms["frequent"], limit: number) => {
      const passages = await searchPassages(database.scan, scope, { ranked: [], frequent }, limit);
      return passages.map(({ text }) => text);
    };
    const terms = [["quay"], ["wall"], ["repair", "repairs"]];
    expect(await found(terms, 4)).toEqual(["quay wall repair", "quay trees wall"]);
    expect(await found(terms, 20)).toEqual([
      "quay wall repair",
      "quay trees wall",
      "quay trees plants",
      "birds repair plants",
    ]);
    expect((await found([["quay"]], 20)).toSorted()).toEqual([
      "quay trees plants",
      "quay trees wall",
      "quay wall repair",
    ]);
  });

  test("finds passages by frequent terms in a part of a workspace", async () => {
    const database = await open();
    const one = await index(database, ["quay one", "trees one"]);
    await index(database, ["quay two"]);
    const scope = await searched(database, { workspaceId: planning, documentIds: [one.id] });
    const terms = { ranked: [], frequent: [["quay"], ["wall"]] };
    const found = await searchPassages(database.scan, scope, terms, 10);
    expect(found.map(({ text }) => text)).toEqual(["quay one"]);
  });

  test("ranks by the rarest terms only, as long as few passages have them", () => {
    const counts = { all: 5_000, having: [5_000, 3, 0, 2_000] };
    const terms = askedTerms("file rare absent usual", ["en"]).map((asked) => {
      return { ...asked, indexed: [asked.word] };
    });
    expect(searchedTerms("sqlite", terms, counts)).toEqual({
      ranked: [
        { indexed: ["rare"], weight: rarity(3, 5_000) },
        { indexed: ["usual"], weight: rarity(2_000, 5_000) },
      ],
      frequent: [["file"]],
    });
  });

  test("finds the same passages by those that were read with their number", async () => {
    const database = await open();
    await index(database, [
      "quay wall repair",
      "quay trees",
      "wall plants",
      "wall and wall repair",
    ]);
    await index(database, ["quay wall of another"]);
    const scope = await searched(database, { workspaceId: planning });
    const terms = askedTerms("quay wall repair absent", ["en"]);
    const common = { countsIn: () => Promise.resolve(undefined) };
    const counts = await countPassages(database.scan, scope, terms, common, true);
    expect(counts).toMatchObject({ all: 5, having: [3, 4, 2, 0] });
    const isRead = database.dialect === "postgresql";
    expect(counts.hits?.map((hits) => hits !== undefined)).toEqual([isRead, isRead, isRead, false]);
    const { ranked } = searchedTerms(database.dialect, terms, counts);
    const [first, ...others] = ranked.map(({ indexed, weight }) => ({ indexed, weight }));
    const found = await searchPassages(database.scan, scope, { ranked: others, frequent: [] }, 10);
    const similar = first === undefined ? [] : [first];
    for (const words of [
      { ranked, frequent: [] },
      { ranked: ranked.slice(1), frequent: [], similar },
    ]) {
      const passages = await searchPassages(database.scan, scope, words, 10);
      expect(passages.map(({ text }) => text).slice(0, 2)).toEqual([
        "quay wall repair",
        "wall and wall repair",
      ]);
      expect(passages).toHaveLength(5);
    }
    const read = await searchPassages(
      database.scan,
      scope,
      { ranked: ranked.slice(1), frequent: [] },
      10,
    );
    expect(read).toEqual(found);
  });

  test("returns the place of the passage", async () => {
    const database = await open();
    const document = await index(database, ["first", "the second"]);
    expect(
      await searchPassages(
        database.scan,
        await searched(database, { workspaceId: planning }),
        { ranked: [{ indexed: ["second"], weight: 1 }], frequent: [] },
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
    await testWorks(database).work.write(async (writer) => {
      await updateDocument(writer, pending, { indexStatus: "pending" }, now);
      await markDocumentDeleting(writer, leaving, now);
    });
    expect(await search(database, ["elm"])).toEqual([]);
  });

  test("is removed in batches", async () => {
    const database = await open();
    const document = await index(database, ["ash 1", "ash 2", "ash 3"]);
    const kept = await index(database, ["ash kept"]);
    const remove = () =>
      testWorks(database).work.write((writer) => removePassages(writer, document, 2));
    expect(await remove()).toBe(2);
    expect((await search(database, ["ash"])).toSorted()).toEqual(["ash 3", "ash kept"]);
    expect(await remove()).toBe(1);
    expect(await remove()).toBe(0);
    expect(await search(database, ["ash"])).toEqual(["ash kept"]);
    expect(await testWorks(database).work.write((writer) => removePassages(writer, kept, 2))).toBe(
      1,
    );
  });

  test("is erased with entries whose passages are lost, and others stay", async () => {
    const database = await open();
    const lost = await index(database, ["yew 1", "yew 2"]);
    await index(database, ["yew 3"]);
    await index(database, ["yew foreign"], { workspaceId: licensing });
    const entries = async (): Promise<number> => {
      const rows = await database.read.all(raw("select place from search_entries"));
      return rows.length;
    };
    await testWorks(database).work.write((writer) =>
      writer.run(statement`delete from document_chunks where document_id = ${lost.id}`),
    );
    const erase = () =>
      testWorks(database).work.write((writer) => erasePassages(writer, planning, 10));
    expect(await entries()).toBe(4);
    expect(await erase()).toBe(1);
    expect(await erase()).toBe(2);
    expect(await erase()).toBe(0);
    expect(await entries()).toBe(1);
    expect(await search(database, ["yew"], { workspaceId: licensing })).toEqual(["yew foreign"]);
  });

  test("a heading that is too long is cut between characters", async () => {
    const database = await open();
    const heading = `${"😀".repeat(300)} end`;
    const chunk = { index: 0, page: 1, start: 0, end: 4, text: "alder", headings: ["ab", heading] };
    const document = await addDocument(database, {});
    const passage = newPassage(chunk, 0, []);
    await testWorks(database).work.write(async (writer) => {
      await insertPassages(writer, document, [passage]);
      await updateDocument(writer, document, { indexStatus: "indexed" }, now);
    });
    expect(passage.headings.isWellFormed()).toBe(true);
    expect(await search(database, ["alder"])).toEqual(["alder"]);
  });

  test("a text of any length can be indexed", async () => {
    const database = await open();
    const words = Array.from({ length: 40_000 }, (_, index) => `word${index % 900}`);
    await index(database, [words.join(" ")]);
    expect(await search(database, ["word899"])).toHaveLength(1);
  });
});
