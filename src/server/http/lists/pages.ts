import { defaultPageLimit } from "#contract/limits.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import type { CursorValue, ListCursors } from "./cursors.ts";

/** Where a page of a list begins, and how much of it is to be read. */
export interface PageStart {
  /** From 1; behind a cursor it goes on from the page that the cursor was given with. */
  readonly page: number;
  readonly limit: number;
  /** Rows to read: one more than the page holds tells whether there is another page. */
  readonly rows: number;
  /** The position of the item before the page; undefined for a page asked for by its number. */
  readonly after: readonly CursorValue[] | undefined;
  /** Items to pass over from the list's first, or from behind `after`. */
  readonly offset: number;
}

/** What was read for a page. */
export interface PageRows<Row> {
  /** In the list's order, at most `PageStart.rows`. */
  readonly rows: readonly Row[];
  /** What tells the row's place in the list, so that the next page begins behind it. */
  readonly positionOf: (row: Row) => readonly CursorValue[];
  /** Items of the whole list, where they were counted. */
  readonly total?: number | undefined;
}

/** The position in a list that is ordered by time and id. */
export function madeAt(
  position: readonly CursorValue[] | undefined,
): { readonly createdAt: string; readonly id: string } | undefined {
  const [createdAt, id] = position ?? [];
  if (createdAt === undefined || id === undefined) return undefined;
  return { createdAt: String(createdAt), id: String(id) };
}

/**
 * Pages of one list by the list conventions, asked for by number or by cursor. `list` is whatever
 * tells lists apart (see {@link ListCursors}).
 */
export class ListPages {
  readonly #cursors: ListCursors;
  readonly #list: readonly unknown[];

  constructor(cursors: ListCursors, list: readonly unknown[]) {
    this.#cursors = cursors;
    this.#list = ["pages", ...list];
  }

  /** Refuses 422 for a cursor that is not one of this list. */
  start(query: Pick<ListQuery, "page" | "limit" | "cursor">): PageStart {
    const limit = query.limit ?? defaultPageLimit;
    const rows = limit + 1;
    if (query.cursor === undefined) {
      const page = query.page ?? 1;
      return { page, limit, rows, after: undefined, offset: (page - 1) * limit };
    }
    // Signed, so it is what `place` wrote.
    const [page, ...after] = this.#cursors.read(this.#list, query.cursor);
    return { page: Number(page), limit, rows, after, offset: 0 };
  }

  body<Row, Item>(
    start: PageStart,
    read: PageRows<Row> & { readonly itemOf: (row: Row) => Item },
  ): ListBody<Item> {
    return {
      items: read.rows.slice(0, start.limit).map(read.itemOf),
      ...this.place(start, read),
    };
  }

  /** All of the body but its items. */
  place<Row>(
    { page, limit }: PageStart,
    { rows, positionOf, total }: PageRows<Row>,
  ): Omit<ListBody<never>, "items"> {
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      page,
      limit,
      hasNextPage: last !== undefined,
      nextCursor:
        last === undefined
          ? null
          : this.#cursors.write(this.#list, [page + 1, ...positionOf(last)]),
      ...(total === undefined ? {} : { total }),
    };
  }
}
