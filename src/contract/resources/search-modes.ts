/** Names that the command layer needs as well: no schema library is imported here. */

/** By words, by both, or by what is near (spec 4.2). */
export const searchModes = ["fulltext", "hybrid", "vector"] as const;
/** How a search looks: by words, by likeness of vectors, or by both (spec 4.2). */
export type SearchMode = (typeof searchModes)[number];
