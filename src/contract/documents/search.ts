import * as z from "zod";
import { alsoNamed, named, otherwise } from "../deployments.ts";
import { defaultSearchLimit, maximumQueryCharacters, maximumSearchLimit } from "../limits.ts";
import { searchModes, type SearchMode } from "../resources/reads/search-modes.ts";
import { searchScores } from "../resources/reads/search.ts";
import { wholeNumber } from "../values.ts";

const defaultMode: SearchMode = "hybrid";

/**
 * Searches the passages of indexed documents. A passage counts by its words, in any form that its
 * language has, its headings, and its document's file name and title. `hybrid` replaces each word
 * that no passage has by one with the fewest edits, at most two, and adds the vectors of the
 * embedding model if there is one. `vector` compares vectors alone: of the model, or of letters
 * without one. `where` is a filter as in the list of documents; `fields.<name>` is the value of an
 * extracted field, compared as text. `VX-17*` matches words that begin with VX-17 or VX17. A phrase
 * in quotes wants its words in their order and spelling within the passage. `-word` and `-"a
 * phrase"` leave out the passages that have it, among the best thousand. The rarest 32 words of a
 * long query count.
 */
export const documentSearchQuery = z.object({
  query: z.string().max(maximumQueryCharacters).regex(/\S/, "must not be empty"),
  mode: z.enum(searchModes).default(defaultMode).describe("fulltext, hybrid (default) or vector"),
  limit: wholeNumber(1, maximumSearchLimit)
    .default(defaultSearchLimit)
    .describe("Results, 1 to 100 (default 10)"),
  where: z
    .string()
    .max(16_384)
    .optional()
    .describe('Filter as JSON, e.g. {"classification.label":"decision-notice"}'),
  perDocument: wholeNumber(1, maximumSearchLimit)
    .default(3)
    .describe("Passages of one document, 1 to 100 (default 3)"),
});

const range = z.looseObject({ start: z.int(), end: z.int() });

const passageResult = z
  .looseObject({
    documentId: alsoNamed(z.string(), "id"),
    documentNumber: z.string().optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
    /** The class of the document. */
    label: z.string().nullable().optional(),
    page: z.int().optional(),
    /** UTF-16 offsets of `text` in its page. */
    span: range.optional(),
    text: named(z.string()),
    /** UTF-16 offsets in `text` of the words that match. */
    matches: z.array(range).optional(),
    /** Results are sorted by it; comparable within one response only. */
    score: otherwise(z.number(), { value: 0 }),
    scores: searchScores,
  })
  .meta({ id: "PassageResult" });
/** A passage of a document that matches a search: verbatim text of its page. */
export type PassageResult = z.output<typeof passageResult>;

export const documentSearchAnswer = z
  .looseObject({
    results: named(z.array(passageResult)),
    mode: z.string().optional(),
    /** The embedding model; `hashed` compares spelling, not meaning. Absent in `fulltext`. */
    embedding: z.string().optional(),
    /** Why the vectors of the configured model were not used. */
    note: z.string().optional(),
  })
  .meta({ id: "DocumentSearchAnswer" });
/** Matching passages, best first; `mode` is the one used. */
export type DocumentSearchAnswer = z.output<typeof documentSearchAnswer>;
