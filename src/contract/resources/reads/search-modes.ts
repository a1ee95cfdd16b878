/** Commands import this file at start-up, so it imports no schema library. */
export const searchModes = ["fulltext", "hybrid", "vector"] as const;
/** A search by words (`fulltext`), by vector similarity, or by both (spec 4.2). */
export type SearchMode = (typeof searchModes)[number];
