import type { JsonObject } from "#contract/values.ts";
import type { CallOptions } from "../options.ts";

/** The list conventions of the v4 interface. */
export interface ListOptions extends CallOptions {
  /** From 1 (default 1); instead of `cursor`. */
  readonly page?: number | undefined;
  /** Items per page, 1 to 500 (default 20). */
  readonly limit?: number | undefined;
  /** Field names separated by commas, `-` for descending (default `-created_at`). */
  readonly sort?: string | undefined;
  /** Filter with the semantics of MongoDB's query, as an object or as JSON text. */
  readonly where?: string | JsonObject | undefined;
  /** `nextCursor` of the previous page, for the same `sort` and `where`. */
  readonly cursor?: string | undefined;
  /** Whether the response has `total` (default false). */
  readonly count?: boolean | undefined;
}

/** Options of a list with a fixed order. */
export type FixedListOptions = Omit<ListOptions, "sort" | "where">;

/** Options of an iterator over a list; `where` and `sort` as in {@link ListOptions}. */
export interface PageOptions extends CallOptions {
  readonly where?: ListOptions["where"];
  readonly sort?: ListOptions["sort"];
  /** The start: `nextCursor` of a page. */
  readonly cursor?: string | undefined;
  /** Items per request, 1 to 500 (default 100); a function is called before each request. */
  readonly pageSize?: number | (() => number) | undefined;
  /** Whether to request the next page while the caller uses the current one (default false). */
  readonly readAhead?: boolean | undefined;
}
