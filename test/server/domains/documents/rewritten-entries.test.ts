import { expect, test } from "vitest";
import { statement } from "#server/database/statement.ts";
import { RewrittenEntries } from "#server/domains/documents/rewritten-entries.ts";
import { newPassage } from "#server/domains/documents/stages/index-passages.ts";
import { updateDocument } from "#server/domains/documents/store/documents.ts";
import { searchPassages } from "#server/domains/documents/store/passage-search.ts";
import { insertPassages, marksOf } from "#server/domains/documents/store/passages.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { replaceEntries } from "#server/search-index/entries.ts";
import { passageSource } from "#server/search-index/sources.ts";
import { SearchWords } from "#server/search-index/word-list.ts";
import { languagesIn } from "#server/search-index/words.ts";
import { askedTerms } from "#server/text/search/asked-terms.ts";
import { searchTermsVersion } from "#server/text/search/searched-texts.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";
import { addDocument, now, planning, searched } from "./store/new-document.ts";

const german = "Der Antrag für die Wohnungen wurde genehmigt, und das Dach ist nicht hoch.";
const silent = { info: () => {}, warn: () => {}, error: () => {} };

describeOnEachDatabase("search entries of an earlier build", (open) => {
  async function indexed(database: WholeDatabase, text: string, oldTerms: readonly string[]) {
    const document = await addDocument(database, { sha256: Bun.randomUUIDv7() });
    const chunk = { index: 0, page: 1, start: 0, end: text.length, text, headings: [] };
    await testWorks(database).work.write(async (writer) => {
      await insertPassages(writer, document, [newPassage(chunk, 0, [])]);
      await updateDocument(writer, document, { indexStatus: "indexed" }, now);
    });
    const source = await passageSource(database.read, planning);
    if (source === undefined) throw new Error("the workspace has passages");
    const [row] = await database.read.all<{ place: number | string }>(statement`select place
      from search_entries where source = ${source.number} order by place desc limit 1`);
    const entry = { terms: oldTerms, marks: marksOf(document, 0), length: 3, checksum: 1 };
    await database.write(async (writer) => {
      await replaceEntries(writer, source, [{ place: row?.place ?? "", entry }]);
      await writer.run(statement`update passage_sources set search_terms = 0`);
    });
  }

  test("are found as they were, and written again while searches go on", async () => {
    const database = await open();
    await indexed(database, german, ["antrag", "wohnungen", "genehmigt", "dach"]);
    await indexed(database, "All connections of the quay", ["connection", "quay"]);
    const search = async (query: string): Promise<number> => {
      const terms = askedTerms(query, ["de", "en"]);
      const scope = await searched(database, { workspaceId: planning });
      const ranked = terms.map(({ indexed: names }) => ({ indexed: names, weight: 1 }));
      return (await searchPassages(database.scan, scope, { ranked, frequent: [] }, 10)).length;
    };
    expect([await search("Wohnungen"), await search("connections")]).toEqual([1, 1]);
    expect([await search("Wohnung"), await search("connected")]).toEqual([0, 0]);
    const { works } = testWorks(database);
    const lifetime = new LifetimeOwner(silent);
    const words = new SearchWords(works.forPlatform);
    const rewritten = new RewrittenEntries({ platformWork: works.forPlatform, lifetime }, words);
    await rewritten.rewriteAll();
    expect([await search("Wohnung"), await search("connected")]).toEqual([1, 1]);
    expect(await languagesIn(database.read, planning)).toEqual(["de", "en"]);
    const sources = await database.read.all(statement`select search_terms, rewritten_to
      from passage_sources`);
    expect(sources).toEqual([{ search_terms: searchTermsVersion, rewritten_to: "" }]);
    await lifetime.close();
  });
});
