import { join } from "node:path";
import MiniSearch from "minisearch";
import { stemsOf } from "#server/text/terms/stems.ts";
import type { LatinLanguage } from "#server/text/terms/languages.ts";
import { languagesOf } from "#server/text/terms/languages.ts";
import { findWords } from "#server/text/terms/find-words.ts";
import { LifetimeOwner } from "../../../src/server/kit/lifetime.ts";
import { noModels } from "../../../src/server/models/models.ts";
import { openAiModels } from "../../../src/server/models/openai-compatible.ts";
import { PassageFinder } from "../../../src/server/domains/documents/search/find-passages.ts";
import { openPlatformDatabase } from "../../../src/server/schema/platform-database.ts";
import { SearchWords } from "../../../src/server/search-index/word-list.ts";
import { entryOf } from "../../../src/server/text/search/searched-texts.ts";
import type { Row } from "../figures.ts";
import { testWorks } from "#test/support/work.ts";
import { developmentSets, type DevelopmentSet } from "./development-sets.ts";
import { indexPages } from "./index-pages.ts";
import { embedAll, startLocalEmbeddings } from "./local-embeddings.ts";
import type { ManualPage } from "./manual-pages.ts";

const signal = new AbortController().signal;
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const shown = 10;
const workspaceId = "0192f000-0000-7000-8000-000000000001";

/** Words at the beginning of a text that are asked, and left out of the index. */
const wordsOfBeginning = 60;
const leastRest = 100;

export const foundColumns = ["texts", "nDCG@10", "with a typo", "two words", "60 words"];

/**
 * Texts of each development set found by their descriptions and by their beginnings, which the
 * index lacks, next to a library. The weight of vectors in a hybrid search is chosen on it.
 */
export async function foundTexts(directory: string): Promise<Row[]> {
  const rows: Row[] = [];
  const sums = new Map<string, number[]>();
  const sets = await developmentSets();
  for (const [at, set] of sets.entries()) {
    const path = join(directory, `development-${at}.db`);
    for (const [kind, figures] of await foundInSet(path, set)) {
      sums.set(
        kind,
        figures.map((figure, column) => figure + (sums.get(kind)?.[column] ?? 0)),
      );
      const counts = [String(set.texts.length), ...shares(figures)];
      rows.push({ name: `${kind}: ${set.name}`, figures: counts });
    }
  }
  for (const [kind, figures] of sums) {
    const means = figures.map((figure) => figure / sets.length);
    rows.push({ name: `${kind}: mean of ${sets.length} sets`, figures: ["", ...shares(means)] });
  }
  return rows;
}

/** The figures of each way to search a set. */
async function foundInSet(path: string, set: DevelopmentSet): Promise<Map<string, number[]>> {
  const texts = set.texts.map(withoutBeginning);
  const indexed = texts.map(({ text }) => text);
  const database = await openPlatformDatabase({ url: `sqlite:${path}`, now: () => new Date() });
  const lifetime = new LifetimeOwner(silent);
  const { works, work } = testWorks(database);
  const platformWork = works.forPlatform;
  await indexPages(database, workspaceId, texts);
  await new SearchWords(platformWork).note(
    workspaceId,
    indexed.map((text) => entryOf([text])),
  );
  await using endpoint = startLocalEmbeddings(indexed);
  const models = openAiModels({ baseUrl: endpoint.url, embeddingModel: "local" });
  await embedAll(database, workspaceId, models);
  const words = new PassageFinder({ platformWork, models: noModels, lifetime });
  const vectors = new PassageFinder({ platformWork, models, lifetime });
  const search = (finder: PassageFinder, mode: "fulltext" | "hybrid") => async (query: string) => {
    const { ranked } = await finder.find(work, { workspaceId }, query, { signal, mode });
    return [...new Set(ranked.map(({ passage }) => passage.filename))];
  };
  const searches = {
    "svc, fulltext": search(words, "fulltext"),
    "svc, hybrid": search(words, "hybrid"),
    "svc, hybrid, local vectors": search(vectors, "hybrid"),
    "minisearch, fuzzy": library(texts, (term) => term.toLowerCase()),
    "minisearch, fuzzy, stemmed": library(texts, stemmer(texts)),
  };
  const found = new Map<string, number[]>();
  for (const [kind, find] of Object.entries(searches)) {
    found.set(kind, await measured(texts, find));
  }
  await lifetime.close();
  await database.close();
  return found;
}

interface AskedText extends ManualPage {
  /** The words that are not indexed; none where the rest would be short. */
  readonly beginning: string;
}

function withoutBeginning(page: ManualPage): AskedText {
  const words = page.text.matchAll(/\S+/g).take(wordsOfBeginning).toArray();
  const last = words.at(-1);
  const end = last === undefined ? 0 : last.index + last[0].length;
  const text = page.text.slice(end).trim();
  if (text.length < leastRest) return { ...page, beginning: "" };
  return { ...page, text, beginning: words.map(([word]) => word).join(" ") };
}

function shares(figures: readonly number[]): string[] {
  return figures.map((figure) => figure.toFixed(3));
}

type Find = (query: string) => Promise<readonly string[]>;

/** The library with a stemmer of the set's language, or with none. */
function library(texts: readonly ManualPage[], processTerm: (term: string) => string): Find {
  const engine = new MiniSearch<ManualPage>({
    fields: ["name", "text"],
    idField: "name",
    processTerm,
  });
  const unique = new Map(texts.map((each) => [each.name, each]));
  engine.addAll([...unique.values()]);
  return async (query) => engine.search(query, { fuzzy: 0.2 }).map(({ id }) => String(id));
}

function stemmer(texts: readonly ManualPage[]): (term: string) => string {
  const sample = texts.slice(0, 20).map(({ text }) => text.slice(0, 2_000));
  const languages: readonly LatinLanguage[] = languagesOf(findWords(sample.join(" "))).languages;
  return (term) => stemsOf(term.toLowerCase(), languages.slice(0, 1))[0] ?? term.toLowerCase();
}

/** The mean gain of descriptions, of those with a typo, of two words of them, and of beginnings. */
async function measured(texts: readonly AskedText[], find: Find): Promise<number[]> {
  const times = new Map<string, number>();
  for (const { description } of texts) times.set(description, (times.get(description) ?? 0) + 1);
  const asked = texts.filter(({ description }) => times.get(description) === 1);
  const queries: ((text: AskedText, seed: number) => string)[] = [
    ({ description }) => description,
    ({ description }, seed) => withTypo(description, seed),
    ({ description }) => longestWords(description).slice(0, 2).join(" "),
    ({ beginning }) => beginning,
  ];
  const means: number[] = [];
  for (const queryOf of queries) {
    let gain = 0;
    let count = 0;
    for (const [seed, text] of asked.entries()) {
      const query = queryOf(text, seed);
      if (query === "") continue;
      count += 1;
      const place = (await find(query)).slice(0, shown).indexOf(text.name);
      if (place >= 0) gain += 1 / Math.log2(place + 2);
    }
    means.push(gain / Math.max(1, count));
  }
  return means;
}

function longestWords(text: string): string[] {
  return (text.match(/\p{L}{5,}/gu) ?? []).toSorted((one, other) => other.length - one.length);
}

/** Leaves out, swaps or doubles one letter inside the longest word. */
export function withTypo(text: string, seed: number): string {
  const [longest] = longestWords(text);
  if (longest === undefined) return text;
  const at = 1 + (seed % (longest.length - 2));
  const [start, letter, next] = [longest.slice(0, at), longest[at] ?? "", longest[at + 1] ?? ""];
  const rest = longest.slice(at + 2);
  const changed = [start + next + rest, start + next + letter + rest, start + letter + letter];
  const typo = changed[seed % 3] ?? longest;
  return text.replace(longest, seed % 3 === 2 ? typo + next + rest : typo);
}
