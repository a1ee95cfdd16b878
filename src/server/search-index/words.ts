import type { Reader, Writer } from "../database/database.ts";
import { byDialect, join, statement } from "../database/statement.ts";
import { likeness, triplesOf, type Embedder } from "../text/search/likeness.ts";
import { leastLikeness } from "../text/search/ranking.ts";
import { spellingsOf, type Spelling } from "../text/search/spelling.ts";
import { latinLanguages, type LatinLanguage } from "../text/terms/languages.ts";
import { countMatches } from "./hits.ts";
import { passageSource } from "./sources.ts";

/** A word with its letter triples, by which similar words are found. */
export interface StoredWord {
  readonly word: string;
  readonly length: number;
  readonly triples: readonly string[];
}

/** Marks the language of some text as if it were a word: no word begins with this sign. */
const languageSign = "#";

export function languageMark(language: LatinLanguage): string {
  return `${languageSign}${language}`;
}

/** A word or the mark of a language with its triples; a mark has a single one. */
export function storedWord(word: string): StoredWord {
  const triples = word.startsWith(languageSign) ? [languageSign] : triplesOf(word);
  return { word, length: word.length, triples };
}

/** The languages of a workspace's texts, as far as their letters do not tell them. */
export async function languagesIn(reader: Reader, workspaceId: string): Promise<LatinLanguage[]> {
  const rows = await reader.all<{ word: string }>(statement`select word from search_words
    where workspace_id = ${workspaceId} and triple = ${languageSign}`);
  const marks = new Set(rows.map(({ word }) => word));
  return latinLanguages.filter((language) => marks.has(languageMark(language)));
}

/** The given words that the workspace has. */
export async function presentWords(
  reader: Reader,
  workspaceId: string,
  words: readonly StoredWord[],
): Promise<ReadonlySet<string>> {
  // One triple each is enough: a word is stored with all of its triples at once.
  const list = JSON.stringify(
    words.map(({ word, length, triples }) => ({ word, length, triple: triples[0] })),
  );
  const isGiven = statement`stored.workspace_id = ${workspaceId}
    and stored.triple = given.triple and stored.length = given.length and stored.word = given.word`;
  // Word by word: with a join, both engines would start with all words of the workspace.
  const rows = await reader.all<{ word: string }>(
    byDialect({
      sqlite: statement`select word from (select value ->> 'triple' as triple,
          value ->> 'length' as length, value ->> 'word' as word from json_each(${list})) as given
        where exists (select 1 from search_words as stored where ${isGiven})`,
      postgresql: statement`select given.word from jsonb_to_recordset(${list}::text::jsonb)
          as given(word text, length bigint, triple text)
        cross join lateral (
          select 1 from search_words as stored where ${isGiven} limit 1
        ) as found`,
    }),
  );
  return new Set(rows.map(({ word }) => word));
}

/** Removes those of a few words that no entry of the workspace has. */
export async function removeUnusedWords(
  writer: Writer,
  workspaceId: string,
  words: readonly string[],
): Promise<void> {
  const types = await writer.all<{ number: number }>(
    statement`select number from object_types where workspace_id = ${workspaceId}`,
  );
  const passages = await passageSource(writer, workspaceId);
  const sources = {
    record: types.map(({ number }) => number),
    passage: passages === undefined ? [] : [passages.number],
  };
  const queries = words.map((word) => [[word]]);
  const used = new Set<string>();
  for (const kind of ["record", "passage"] as const) {
    if (sources[kind].length === 0) continue;
    const scope = { kind, workspaceId, sources: sources[kind] };
    for (const [at, count] of (await countMatches(writer, scope, queries, 1)).entries()) {
      const word = words[at];
      if (count > 0 && word !== undefined) used.add(word);
    }
  }
  for (const word of words) {
    if (used.has(word)) continue;
    await writer.run(statement`delete from search_words where workspace_id = ${workspaceId}
      and triple in (${join(triplesOf(word))}) and length = ${word.length} and word = ${word}`);
  }
}

/** Adds words of a workspace; only an erasure removes some. */
export async function addWords(
  writer: Writer,
  workspaceId: string,
  words: readonly StoredWord[],
): Promise<void> {
  const rows = words.flatMap(({ word, length, triples }) =>
    triples.map((triple) => ({ word, length, triple })),
  );
  // All writes use one order, so that two of the same words cannot deadlock.
  const list = JSON.stringify(
    rows.toSorted((one, other) => (one.triple + one.word < other.triple + other.word ? -1 : 1)),
  );
  const given = byDialect({
    sqlite: statement`select ${workspaceId}, value ->> 'triple', value ->> 'length',
      value ->> 'word' from json_each(${list}) where true`,
    postgresql: statement`select ${workspaceId}::text, triple, length, word
      from jsonb_to_recordset(${list}::text::jsonb)
        as given(word text, length bigint, triple text)`,
  });
  await writer.run(statement`insert into search_words (workspace_id, triple, length, word)
    ${given} on conflict do nothing`);
}

/** Words that share most of these triples, with a length within the bounds. */
async function wordsWithTriples(
  reader: Reader,
  workspaceId: string,
  bounds: {
    readonly triples: readonly string[];
    readonly shortest: number;
    readonly longest: number;
    readonly limit: number;
  },
): Promise<string[]> {
  const rows = await reader.all<{ word: string }>(statement`select word from search_words
    where workspace_id = ${workspaceId} and triple in (${join(bounds.triples)})
      and length between ${bounds.shortest} and ${bounds.longest}
    group by word order by count(*) desc, word limit ${bounds.limit}`);
  return rows.map(({ word }) => word);
}

const wordsAtMost = 6;
/** Words of the workspace that are compared with one of the query. */
const comparedAtMost = 60;

interface SimilarWord {
  readonly word: string;
  /** A number between 0 and 1. */
  readonly similarity: number;
}

/** The words of a workspace that are spelt most like a word of a query, the best first. */
export async function similarWords(
  reader: Reader,
  workspaceId: string,
  term: string,
  embedder: Embedder,
): Promise<SimilarWord[]> {
  const vector = embedder.embed(term);
  const near = await wordsWithTriples(reader, workspaceId, {
    triples: triplesOf(term),
    shortest: Math.floor(term.length * 0.6),
    longest: Math.ceil(term.length * 1.7),
    limit: comparedAtMost,
  });
  return near
    .map((word) => ({ word, similarity: likeness(vector, embedder.embed(word)) }))
    .filter(({ word, similarity }) => word !== term && similarity >= leastLikeness)
    .toSorted((one, other) => other.similarity - one.similarity || (one.word < other.word ? -1 : 1))
    .slice(0, wordsAtMost);
}

const spellingsAtMost = 8;
/** Words of the workspace whose letters are compared with those of a misspelt one. */
const comparedSpellings = 300;
/** A correct word is at most so many letters shorter or longer. */
const otherLetters = 2;

/** Words of a query that are corrected; each takes two queries. */
const correctedAtMost = 16;

/**
 * The words of a workspace that a misspelt one may stand for, the fewest edits first; undefined for
 * a word that some text of the workspace has: it is right, whatever texts are searched.
 */
async function correctSpellings(
  reader: Reader,
  workspaceId: string,
  term: string,
): Promise<Spelling[] | undefined> {
  const near = await wordsWithTriples(reader, workspaceId, {
    triples: triplesOf(term),
    shortest: term.length - otherLetters,
    longest: term.length + otherLetters,
    limit: comparedSpellings,
  });
  return near.includes(term) ? undefined : spellingsOf(term, near).slice(0, spellingsAtMost);
}

/** Counts texts of the scope for each word. */
type CountTexts = (words: readonly string[]) => Promise<readonly number[]>;

/**
 * The correct word for each misspelt one: the one with the fewest edits that a text has. The most
 * texts with the rest of the query (`together`) decide between several, then the most texts. A word
 * without such a word is looked for without its English ending, as `term`; words without any are
 * left out.
 */
export async function correctionsOf(
  reader: () => Reader,
  workspaceId: string,
  misspelt: readonly { readonly word: string; readonly term: string }[],
  count: { readonly texts: CountTexts; readonly together?: CountTexts },
): Promise<ReadonlyMap<string, string>> {
  const corrections = new Map<string, string>();
  for (const { word, term } of misspelt.slice(0, correctedAtMost)) {
    let spellings = await correctSpellings(reader(), workspaceId, word);
    if (spellings?.length === 0 && term !== word) {
      spellings = await correctSpellings(reader(), workspaceId, term);
    }
    if (spellings === undefined || spellings.length === 0) continue;
    const counts = await count.texts(spellings.map((each) => each.word));
    const found = spellings
      .map((spelling, at) => ({ ...spelling, count: counts[at] ?? 0 }))
      .filter((spelling) => spelling.count > 0);
    const nearest = found.filter(({ edits }) => edits === found[0]?.edits);
    const isClear = nearest.length < 2 || count.together === undefined;
    const together = isClear ? [] : await count.together(nearest.map((each) => each.word));
    const [best] = nearest
      .map((spelling, at) => ({ ...spelling, together: together[at] ?? 0 }))
      .toSorted((one, other) => other.together - one.together || other.count - one.count);
    if (best !== undefined) corrections.set(word, best.word);
  }
  return corrections;
}
