import { defaultPageLimit, maximumPageBytes } from "#contract/limits.ts";
import type { ListQuery } from "#contract/lists.ts";
import type { CursorValue, ListCursors } from "./cursors.ts";

/** Where a page of a list begins, and how many rows to read. */
export interface PageStart {
  /** The number of the page from 1; each cursor adds one. */
  readonly page: number;
  readonly limit: number;
  /** Rows to read: one more than the page has, which shows whether there is another page. */
  readonly rows: number;
  /** The position of the item before the page; undefined for a page by number. */
  readonly after: readonly CursorValue[] | undefined;
  readonly offset: number;
}

export interface PageRows<Row> {
  /** In the list's order, at most `PageStart.rows`. */
  readonly rows: readonly Row[];
  /** The row's position, after which the next page begins; without it the cursor has an offset. */
  readonly positionOf?: (row: Row, index: number) => readonly CursorValue[];
  readonly total?: number | undefined;
  /** Items of a page that has fewer than its limit, because of their bytes. */
  readonly shown?: number;
}

export interface ListEnvelope {
  readonly page: number;
  readonly limit: number;
  readonly hasNextPage: boolean;
  readonly nextCursor: string | null;
  readonly total?: number;
}

/** The number of the first rows, at most `limit`, that a page has bytes for; at least one. */
export function fittingRows<Row>(
  rows: readonly Row[],
  limit: number,
  bytesOf: (row: Row) => number,
): number {
  let bytes = 0;
  const over = rows.findIndex((row, index) => {
    bytes += bytesOf(row);
    return index > 0 && bytes > maximumPageBytes;
  });
  return over < 0 ? limit : Math.min(over, limit);
}

/** The bytes of a row's texts, roughly. */
export function bytesOfTexts(row: object): number {
  let bytes = 0;
  for (const value of Object.values(row)) if (typeof value === "string") bytes += value.length;
  return bytes;
}

export function madeAt(
  position: readonly CursorValue[] | undefined,
): { readonly createdAt: string; readonly id: string } | undefined {
  const [createdAt, id] = position ?? [];
  if (createdAt === undefined || id === undefined) return undefined;
  return { createdAt: String(createdAt), id: String(id) };
}

/**
 * The pages of one list, by number or by cursor. `list` identifies it as in {@link ListCursors}.
 */
export class ListPages {
  readonly #list: readonly unknown[];

  /** `place` is the part of the request with the cursor; `[]` is the body. */
  constructor(
    private readonly cursors: ListCursors,
    list: readonly unknown[],
    private readonly place: readonly string[] = ["query"],
  ) {
    this.#list = ["pages", ...list];
  }

  /** Refuses 422 for a cursor of another list. */
  start(query: Pick<ListQuery, "page" | "limit" | "cursor">): PageStart {
    const limit = query.limit ?? defaultPageLimit;
    const rows = limit + 1;
    if (query.cursor === undefined) {
      const page = query.page ?? 1;
      return { page, limit, rows, after: undefined, offset: (page - 1) * limit };
    }
    const { page, after } = this.cursors.read(this.#list, query.cursor, this.place);
    return typeof after === "number"
      ? { page, limit, rows, after: undefined, offset: after }
      : { page, limit, rows, after, offset: 0 };
  }

  body<Row, Item>(start: PageStart, read: PageRows<Row> & { readonly itemOf: (row: Row) => Item }) {
    return {
      items: read.rows.slice(0, read.shown ?? start.limit).map(read.itemOf),
      ...this.envelope(start, read),
    };
  }

  envelope<Row>(
    { page, limit, offset }: PageStart,
    { rows, positionOf, total, shown = limit }: PageRows<Row>,
  ): ListEnvelope {
    const last = rows.length > shown ? rows[shown - 1] : undefined;
    const next = (row: Row) => ({
      page: page + 1,
      after: positionOf === undefined ? offset + shown : positionOf(row, shown - 1),
    });
    return {
      page,
      limit,
      hasNextPage: last !== undefined,
      nextCursor: last === undefined ? null : this.cursors.write(this.#list, next(last)),
      ...(total === undefined ? {} : { total }),
    };
  }
}
