import * as z from "zod";
import { searchModes, type SearchMode } from "./search-modes.ts";
import { defaultSearchLimit, maximumQueryCharacters, maximumSearchLimit } from "../../limits.ts";
import { alsoNamed, named, otherwise } from "../../deployments.ts";
import { jsonObject, objectTypeSlug } from "../../values.ts";
import { selection } from "./selection.ts";
import { maximumQueryTypes } from "./query.ts";
import { expanded } from "../record.ts";

const defaultSearchMode: SearchMode = "hybrid";

/**
 * Searches properties with `searchable: true`: the first 65,536 characters of each record.
 * `fulltext` matches any of the words in any form that the language of the record's text has, with
 * or without accents, in British or American spelling; words of a title count twice. `vector`
 * matches similar spelling; `hybrid` replaces each word that no record has by one with the fewest
 * edits, at most two, then matches as `fulltext`. A very common word matches only the newest
 * records that have it. With a `where` that leaves few of those it matches all that pass, within
 * two seconds. The rarest 32 words of a long query count, more so those that it repeats.
 *
 * Each mode reads three signs, for the best thousand candidates. `VX-17*` matches words that begin
 * with VX-17 or VX17. A phrase in quotes matches its words in their order and spelling within one
 * property. `-word` or `-"a phrase"` leaves out the records that have it.
 */
export const resourceSearch = z
  .strictObject({
    query: z.string().max(maximumQueryCharacters).regex(/\S/, "must not be empty"),
    types: z
      .array(objectTypeSlug)
      .min(1)
      .max(maximumQueryTypes)
      .optional()
      .describe("Exact stored slugs (default: all types of the workspace)"),
    mode: z.enum(searchModes).default(defaultSearchMode),
    limit: z
      .int()
      .min(1)
      .max(maximumSearchLimit)
      .default(defaultSearchLimit)
      .describe("Results, 1 to 100 (default 10)"),
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
    ...selection,
  })
  .meta({ id: "ResourceSearch" });
export type ResourceSearch = z.output<typeof resourceSearch>;
/** A text to search for, with the types, the mode and a filter (spec 4.2). */
export type ResourceSearchInput = z.input<typeof resourceSearch>;

const searchHighlight = z
  .looseObject({
    /** Dotted path of a nested property. */
    property: z.string(),
    text: z.string(),
    matches: z.array(z.looseObject({ start: z.int(), end: z.int() })),
  })
  .meta({ id: "SearchHighlight" });
/**
 * A part of a property's text that matches. `text` is the stored text without markup, in NFC, with
 * `…` for omitted parts; `matches` are separate ranges in order, as UTF-16 offsets (`end` is
 * exclusive).
 */
export type SearchHighlight = z.output<typeof searchHighlight>;

/** BM25, and vector similarity from 0 to 1. */
export const searchScores = z
  .looseObject({
    fulltext: z.number().nullable().optional(),
    vector: z.number().nullable().optional(),
  })
  .optional();

const searchResult = z
  .looseObject({
    type: alsoNamed(z.string(), "objectType"),
    id: named(z.string()),
    /** Results are sorted by it; comparable within one response only. */
    score: otherwise(z.number(), { value: 0 }),
    scores: searchScores,
    highlights: z.array(searchHighlight).optional(),
    data: jsonObject,
    expanded,
  })
  .meta({ id: "SearchResult" });
/** A matching record with its score, and the two scores that it is made of. */
export type SearchResult = z.output<typeof searchResult>;

export const searchAnswer = z
  .looseObject({
    results: named(z.array(searchResult)),
    mode: z.string().optional(),
    /** The embedding model; `hashed` compares spelling, not meaning. Absent in `fulltext`. */
    embedding: z.string().optional(),
  })
  .meta({ id: "SearchAnswer" });
/** Matching records, best first, the newest first among equals; `mode` is the one used. */
export type SearchAnswer = z.output<typeof searchAnswer>;
