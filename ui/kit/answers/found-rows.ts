import { goesOn, type Page, type PageRequest } from "./page-request.ts";

/** Rows that are read for one search of a list whose platform has no filter for it. */
export const mostSearched = 1_000;

type Asked = Pick<PageRequest, "page" | "cursor" | "limit">;

/**
 * The rows that `has` accepts among the first 1,000 of a list, as its only page: at most as many
 * as one page has.
 */
export async function foundRows<Row, Query extends Asked>(
  ask: (query: Query) => Promise<Page<Row>>,
  query: Query,
  has: (row: Row) => boolean,
): Promise<Page<Row>> {
  const found: Row[] = [];
  let place: Pick<Asked, "page" | "cursor"> = { page: 1, cursor: undefined };
  for (let read = 0; read < mostSearched && found.length < query.limit;) {
    const page = await ask({ ...query, ...place });
    const { items, nextCursor } = page;
    read += items.length;
    found.push(...items.filter(has));
    if (items.length === 0 || !(goesOn(page, read) ?? items.length === query.limit)) break;
    place =
      typeof nextCursor === "string" && nextCursor !== ""
        ? { page: undefined, cursor: nextCursor }
        : { page: (place.page ?? 1) + 1, cursor: undefined };
  }
  const items = found.slice(0, query.limit);
  return { items, hasNextPage: false, total: items.length };
}
