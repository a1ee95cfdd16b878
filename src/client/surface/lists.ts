import type { JsonObject } from "#contract/values.ts";
import type { CallOptions } from "../options.ts";

/** Page, order, filter: the list conventions of the v4 interface. */
export interface ListOptions extends CallOptions {
  /** From 1 (default 1); instead of `cursor`. */
  readonly page?: number | undefined;
  /** Items a page, 1 to 500 (default 20). */
  readonly limit?: number | undefined;
  /** Field names with commas between them, `-` first for descending (default `-created_at`). */
  readonly sort?: string | undefined;
  /** Filter with the meaning of MongoDB's query, as an object or as JSON text. */
  readonly where?: string | JsonObject | undefined;
  /** `nextCursor` of the previous page: good for the same `sort` and `where` only. */
  readonly cursor?: string | undefined;
  /** Whether the answer says how many there are in `total` (default false). */
  readonly count?: boolean | undefined;
}

/** Pages of a list whose order is fixed. */
export type FixedListOptions = Omit<ListOptions, "sort" | "where">;

/** How an iterator reads a list: `where` and `sort` as in {@link ListOptions}. */
export interface PageOptions extends CallOptions {
  readonly where?: ListOptions["where"];
  readonly sort?: ListOptions["sort"];
  /** Where to begin: `nextCursor` of a page. */
  readonly cursor?: string | undefined;
  /** Items a request, 1 to 500 (default 100); a function is asked before each request. */
  readonly pageSize?: number | (() => number) | undefined;
  /** Fetches a page while the caller has the one before (default false). */
  readonly readAhead?: boolean | undefined;
}
