/** Limits that commands check before any request; this file imports no schema library. */

/** Pages of a list, and items of one. */
export const maximumPage = 1_000_000;
export const maximumPageLimit = 500;
export const defaultPageLimit = 20;

/** Maximum number of search results. */
export const maximumSearchLimit = 100;
export const defaultSearchLimit = 10;

/** Characters of a search's query; its rarest 32 words are searched. */
export const maximumQueryCharacters = 4_000;

/** Maximum number of an aggregate's rows. */
export const maximumAggregateLimit = 10_000;
export const defaultAggregateLimit = 1_000;

/** Object Types of one index plan (spec part 8). */
export const maximumPlannedTypes = 1_000;

/** Bytes of the records of one page, which then ends early with `hasNextPage` and a cursor. */
export const maximumPageBytes = 8 * 1024 * 1024;

/** Workspaces in one page of a user's memberships. */
export const maximumMemberships = 1000;

/** The largest JSON answer that a client reads: pages have a fraction of it. */
export const maximumAnswerBytes: number = 64 * 1024 * 1024;

/** Files of one upload form. */
export const maximumUploadFiles = 100;
