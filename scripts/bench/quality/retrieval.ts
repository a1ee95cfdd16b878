import { join } from "node:path";
import MiniSearch from "minisearch";
import type { Database } from "../../../src/server/database/database.ts";
import { retrieve } from "../../../src/server/domains/chat/retrieval.ts";
import { PassageFinder } from "../../../src/server/domains/documents/search/find-passages.ts";
import { openPlatformDatabase } from "../../../src/server/schema/platform-database.ts";
import { SearchWords } from "../../../src/server/search-index/word-list.ts";
import { askedTerms } from "../../../src/server/text/search/asked-terms.ts";
import { entryOf } from "../../../src/server/text/search/searched-texts.ts";
import { findTerms } from "../../../src/server/text/terms/terms.ts";
import { splitSentences } from "../../../src/server/text/passages/sentences.ts";
import { LifetimeOwner } from "../../../src/server/kit/lifetime.ts";
import { noModels } from "../../../src/server/models/models.ts";
import { openAiModels } from "../../../src/server/models/openai-compatible.ts";
import type { Row } from "../figures.ts";
import { testWorks } from "#test/support/work.ts";
import { withTypo } from "./found-texts.ts";
import { indexPages } from "./index-pages.ts";
import { embedAll, startLocalEmbeddings } from "./local-embeddings.ts";
import { manualPages, type ManualPage } from "./manual-pages.ts";

const pagesAtMost = 800;
const workspaceId = "0192f000-0000-7000-8000-000000000001";
const shown = 10;
/** Every fourth page is left out of the index: questions about it have no answer. */
const heldOut = 4;
const questionsAtMost = 200;
/** Languages of translated manual pages; their figures must be those of English within 0.05. */
const furtherLanguages = { de: "German", es: "Spanish", fr: "French", ru: "Russian" };
const pagesOfLanguage = 100;
const leastPages = 20;
const signal = new AbortController().signal;

export const retrievalColumns = ["hit@1", "hit@10", "nDCG@10"];

/** Manual pages found by their own descriptions, and questions that have or lack an answer. */
export async function retrieval(directory: string): Promise<{ found: Row[]; answers: Row[] }> {
  const pages = await manualPages(pagesAtMost);
  if (pages.length === 0) throw new Error("this machine has no manual pages in /usr/share/man");
  const found = await foundPages(directory, pages);
  const rows = await answers(directory, pages);
  for (const [folder, name] of Object.entries(furtherLanguages)) {
    const translated = await manualPages(pagesOfLanguage, folder);
    if (translated.length < leastPages) continue;
    rows.push(...(await answers(directory, translated, { folder, name })));
  }
  return { found, answers: rows };
}

async function foundPages(directory: string, pages: readonly ManualPage[]): Promise<Row[]> {
  const times = new Map<string, number>();
  for (const { description } of pages) times.set(description, (times.get(description) ?? 0) + 1);
  const asked = pages.filter(({ description }) => times.get(description) === 1);
  const database = await indexed(join(directory, "retrieval.db"), pages);
  await using endpoint = startLocalEmbeddings(pages.map(({ text }) => text));
  const models = openAiModels({ baseUrl: endpoint.url, embeddingModel: "local" });
  const lifetime = new LifetimeOwner(silent);
  const { works, work } = testWorks(database);
  const passages = new PassageFinder({ platformWork: works.forPlatform, models, lifetime });
  await embedAll(database, workspaceId, models);
  const entries = pages.map(({ text }) => entryOf([text]));
  await new SearchWords(works.forPlatform).note(workspaceId, entries);
  const misspelt = asked.map((page, at) => {
    return { ...page, description: withTypo(page.description, at) };
  });
  const rows: Row[] = [];
  for (const mode of ["fulltext", "hybrid", "vector"] as const) {
    const name = mode === "fulltext" ? "svc" : `svc, ${mode}, local vectors`;
    const search = async (query: string): Promise<string[]> => {
      const { ranked } = await passages.find(work, { workspaceId }, query, { signal, mode });
      return [...new Set(ranked.map(({ passage }) => passage.filename))];
    };
    rows.push(await measured(`${name}, ${asked.length} descriptions`, asked, search));
  }
  const spelt = new PassageFinder({ platformWork: works.forPlatform, models: noModels, lifetime });
  const corrected = async (query: string): Promise<string[]> => {
    const options = { signal, mode: "hybrid" } as const;
    const { ranked } = await spelt.find(work, { workspaceId }, query, options);
    return [...new Set(ranked.map(({ passage }) => passage.filename))];
  };
  rows.push(await measured("svc, hybrid, one typo in each", misspelt, corrected));
  await lifetime.close();
  await database.close();
  const fuzzy = new MiniSearch<ManualPage>({ fields: ["name", "text"], idField: "name" });
  fuzzy.addAll(pages);
  const searchFuzzy = async (query: string): Promise<string[]> =>
    fuzzy.search(query, { fuzzy: 0.2 }).map(({ id }) => String(id));
  rows.push(await measured("minisearch, fuzzy, one typo in each", misspelt, searchFuzzy));
  for (const fields of [["name", "text"], ["text"]]) {
    const library = new MiniSearch<ManualPage>({ fields, idField: "name" });
    library.addAll(pages);
    const name = `minisearch (BM25), ${fields.join(" and ")}`;
    rows.push(
      await measured(name, asked, async (query) =>
        library.search(query).map(({ id }) => String(id)),
      ),
    );
  }
  return rows;
}

const silent = { info: () => {}, warn: () => {}, error: () => {} };

function finderOf(database: Database): PassageFinder {
  const platformWork = testWorks(database).works.forPlatform;
  return new PassageFinder({ platformWork, models: noModels, lifetime: new LifetimeOwner(silent) });
}

async function measured(
  name: string,
  asked: readonly ManualPage[],
  search: (query: string) => Promise<readonly string[]>,
): Promise<Row> {
  let first = 0;
  let listed = 0;
  let gain = 0;
  for (const page of asked) {
    const place = (await search(page.description)).slice(0, shown).indexOf(page.name);
    if (place === 0) first += 1;
    if (place >= 0) {
      listed += 1;
      gain += 1 / Math.log2(place + 2);
    }
  }
  return { name, figures: [first, listed, gain].map((sum) => (sum / asked.length).toFixed(3)) };
}

/** Shares of questions that were answered and declined, and of quotes that are verbatim. */
async function answers(
  directory: string,
  pages: readonly ManualPage[],
  { folder, name: language } = { folder: "en", name: "English" },
): Promise<Row[]> {
  const inside = pages.filter((_page, index) => index % heldOut !== 0);
  const outside = pages.filter((_page, index) => index % heldOut === 0);
  const database = await indexed(join(directory, `answers-${folder}.db`), inside);
  const { work } = testWorks(database);
  const finder = finderOf(database);
  const texts = new Map(inside.map(({ name, text }) => [name, text]));
  let quotes = 0;
  let verbatim = 0;
  const declinedShare = async (questions: readonly string[]): Promise<number> => {
    let declined = 0;
    for (const question of questions) {
      const options = { sources: 1, signal };
      const { passages } = await retrieve(work, finder, { workspaceId }, question, options);
      if (passages.length === 0) declined += 1;
      for (const { filename, start, end, quote } of passages) {
        quotes += 1;
        if (texts.get(filename)?.slice(start, end) === quote) verbatim += 1;
      }
    }
    return declined / Math.max(1, questions.length);
  };
  const known = new Set(inside.flatMap(({ text }) => linesOf(text)));
  const lost = await declinedShare(questionsAbout(inside, new Set()));
  // A sentence that many pages share, such as one of a licence, has its answer.
  const declined = await declinedShare(questionsAbout(outside, known));
  await database.close();
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const row = (name: string, share: number): Row => {
    return { name: `${language}: ${name}`, figures: [percent(share)] };
  };
  return [
    row("questions without an answer that are declined", declined),
    row("questions with an answer that are lost", lost),
    row(`verbatim quotes, of ${quotes}`, verbatim / Math.max(1, quotes)),
  ];
}

/** A question of most of the words of one sentence from the middle of each page. */
function questionsAbout(pages: readonly ManualPage[], known: ReadonlySet<string>): string[] {
  return pages
    .flatMap(({ text }) => {
      const sentences = splitSentences(text).filter((sentence) => {
        const words = new Set(findTerms(sentence.text).map(({ term }) => term)).size;
        return (
          words >= 7 &&
          words <= 20 &&
          /^\p{Lu}.*[.]$/su.test(sentence.text) &&
          !known.has(onOneLine(sentence.text))
        );
      });
      const sentence = sentences[Math.floor(sentences.length / 2)];
      if (sentence === undefined) return [];
      const words = findTerms(sentence.text).map(({ start, end }) =>
        sentence.text.slice(start, end),
      );
      // Every third word is left out, as a person would use others.
      return [`Is there ${words.filter((_word, index) => index % 3 !== 2).join(" ")}?`];
    })
    .filter((question) => askedTerms(question, ["en"]).length >= 4)
    .slice(0, questionsAtMost);
}

function linesOf(text: string): string[] {
  return splitSentences(text).map((sentence) => onOneLine(sentence.text));
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

async function indexed(path: string, pages: readonly ManualPage[]): Promise<Database> {
  const database = await openPlatformDatabase({ url: `sqlite:${path}`, now: () => new Date() });
  await indexPages(database, workspaceId, pages);
  return database;
}
