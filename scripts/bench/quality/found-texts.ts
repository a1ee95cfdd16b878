import { join } from "node:path";
import MiniSearch from "minisearch";
import { stemsOf } from "#server/text/terms/stems.ts";
import type { LatinLanguage } from "#server/text/terms/languages.ts";
import { languagesOf } from "#server/text/terms/languages.ts";
import { findWords } from "#server/text/terms/find-words.ts";
import { LifetimeOwner } from "../../../src/server/kit/lifetime.ts";
import { noModels } from "../../../src/server/models/models.ts";
import { PassageFinder } from "../../../src/server/domains/documents/search/find-passages.ts";
import { openPlatformDatabase } from "../../../src/server/schema/platform-database.ts";
import { SearchWords } from "../../../src/server/search-index/word-list.ts";
import { entryOf } from "../../../src/server/text/search/searched-texts.ts";
import type { Row } from "../figures.ts";
import { testWorks } from "#test/support/work.ts";
import { developmentSets, type DevelopmentSet } from "./development-sets.ts";
import { indexPages } from "./index-pages.ts";
import type { ManualPage } from "./manual-pages.ts";

const signal = new AbortController().signal;
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const shown = 10;

export const foundColumns = ["texts", "nDCG@10", "with a typo", "two words"];

/** Texts of each development set found by their descriptions, next to a library. */
export async function foundTexts(directory: string): Promise<Row[]> {
  const url = `sqlite:${join(directory, "development.db")}`;
  const database = await openPlatformDatabase({ url, now: () => new Date() });
  const lifetime = new LifetimeOwner(silent);
  const { works, work } = testWorks(database);
  const finder = new PassageFinder({ platformWork: works.forPlatform, models: noModels, lifetime });
  const words = new SearchWords(works.forPlatform);
  const rows: Row[] = [];
  const sums = new Map<string, number[]>();
  const sets = await developmentSets();
  for (const { name, texts } of sets) {
    const workspaceId = Bun.randomUUIDv7();
    await indexPages(database, workspaceId, texts);
    await words.note(
      workspaceId,
      texts.map(({ text }) => entryOf([text])),
    );
    const search = (mode: "fulltext" | "hybrid") => async (query: string) => {
      const { ranked } = await finder.find(work, { workspaceId }, query, { signal, mode });
      return [...new Set(ranked.map(({ passage }) => passage.filename))];
    };
    const searches = {
      "svc, fulltext": search("fulltext"),
      "svc, hybrid": search("hybrid"),
      "minisearch, fuzzy": library(texts, (term) => term.toLowerCase()),
      "minisearch, fuzzy, stemmed": library(texts, stemmer(texts)),
    };
    for (const [kind, find] of Object.entries(searches)) {
      const figures = await measured({ name, texts }, find);
      sums.set(
        kind,
        figures.map((figure, at) => figure + (sums.get(kind)?.[at] ?? 0)),
      );
      rows.push({ name: `${kind}: ${name}`, figures: [String(texts.length), ...shares(figures)] });
    }
  }
  for (const [kind, figures] of sums) {
    const means = figures.map((figure) => figure / sets.length);
    rows.push({ name: `${kind}: mean of ${sets.length} sets`, figures: ["", ...shares(means)] });
  }
  await lifetime.close();
  await database.close();
  return rows;
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

/** The mean gain of whole descriptions, of those with a typo, and of their two longest words. */
async function measured({ texts }: DevelopmentSet, find: Find): Promise<number[]> {
  const times = new Map<string, number>();
  for (const { description } of texts) times.set(description, (times.get(description) ?? 0) + 1);
  const asked = texts.filter(({ description }) => times.get(description) === 1);
  const queries: ((description: string, seed: number) => string)[] = [
    (description) => description,
    withTypo,
    (description) => longestWords(description).slice(0, 2).join(" "),
  ];
  const means: number[] = [];
  for (const queryOf of queries) {
    let gain = 0;
    for (const [seed, { name, description }] of asked.entries()) {
      const place = (await find(queryOf(description, seed))).slice(0, shown).indexOf(name);
      if (place >= 0) gain += 1 / Math.log2(place + 2);
    }
    means.push(gain / Math.max(1, asked.length));
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
