import * as z from "zod";
import { searchModes, type SearchMode } from "./search-modes.ts";
import { defaultSearchLimit, maximumSearchLimit } from "../limits.ts";
import { jsonObject, objectTypeSlug } from "../values.ts";
import { maximumQueryTypes } from "./query.ts";

/** Spec 4.2. */
const defaultSearchMode: SearchMode = "hybrid";
/** Spec 8. */
const maximumQueryCharacters = 500;

/**
 * Records that a text finds, best first (interface: `POST /search`). What is searched are the
 * properties with `searchable: true`, of each record their first 65,536 characters. `fulltext` finds
 * records with any of the words, in any of their common forms, with or without accents. `vector`
 * finds what is near in its letters, so misspelt words too. `hybrid` fuses both by their ranks. A
 * very common word stands for the newest records that have it; with a `where` that leaves few of
 * those, for all that pass it, unless that takes more than two seconds for want of an index.
 */
export const resourceSearch = z
  .strictObject({
    query: z.string().max(maximumQueryCharacters).regex(/\S/, "is empty"),
    types: z
      .array(objectTypeSlug)
      .min(1)
      .max(maximumQueryTypes)
      .optional()
      .describe("Exact stored slugs; all of the workspace's if absent"),
    mode: z.enum(searchModes).default(defaultSearchMode),
    limit: z
      .int()
      .min(1)
      .max(maximumSearchLimit)
      .default(defaultSearchLimit)
      .describe("Results, 1 to 100; 10 if absent"),
    where: jsonObject.optional().describe("Filter with the meaning of MongoDB's query"),
  })
  .meta({ id: "ResourceSearch" });
export type ResourceSearch = z.output<typeof resourceSearch>;
/** What is searched for: a text, in which types, how, among which records (spec 4.2). */
export type ResourceSearchInput = z.input<typeof resourceSearch>;

/**
 * A part of a property's text in which the query was found. `text` is plain and as it is stored, in
 * Unicode's form NFC, with `…` where something is left out; `matches` are the found words in it, in
 * their order and apart from each other, as offsets of UTF-16 units (`end` is behind the last one).
 * There is no markup in it: whoever shows it escapes it and marks the words in their own way.
 */
const searchHighlight = z
  .looseObject({
    /** Dotted where the property stands within another. */
    property: z.string(),
    text: z.string(),
    matches: z.array(z.looseObject({ start: z.int(), end: z.int() })),
  })
  .meta({ id: "SearchHighlight" });
/** A part of a text in which words were found; `matches` are offsets of UTF-16 units into `text`. */
export type SearchHighlight = z.output<typeof searchHighlight>;

const searchResult = z
  .looseObject({
    type: z.string(),
    id: z.string(),
    /** What the results are in the order of: comparable within one answer only. */
    score: z.number(),
    /** The score of each list that the record stands in: BM25, and likeness between 0 and 1. */
    scores: z
      .looseObject({
        fulltext: z.number().nullable().optional(),
        vector: z.number().nullable().optional(),
      })
      .optional(),
    highlights: z.array(searchHighlight).optional(),
    data: jsonObject,
  })
  .meta({ id: "SearchResult" });
/** A record that was found, with the score that orders it and the two it is made of. */
export type SearchResult = z.output<typeof searchResult>;

/** Of equally good records the newest is first. */
export const searchAnswer = z
  .looseObject({
    results: z.array(searchResult),
    mode: z.string().optional(),
    /** What made the vectors; `hashed` compares letters, not meanings. Absent in `fulltext`. */
    embedding: z.string().optional(),
  })
  .meta({ id: "SearchAnswer" });
/** What was found, best first; `mode` is the one that was searched in. */
export type SearchAnswer = z.output<typeof searchAnswer>;
