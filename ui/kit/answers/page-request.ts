import { given } from "#lib/given.ts";

export interface Page<Row> {
  readonly items: readonly Row[];
  readonly hasNextPage?: boolean | undefined;
  readonly nextCursor?: string | null | undefined;
  readonly total?: number | undefined;
}

export interface PageRequest {
  /** The first page is 1; absent if there is a cursor. */
  readonly page: number | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Whether the answer must have `total`. */
  readonly count: true | undefined;
  readonly signal: AbortSignal;
}

/** A request for a page as the query of a route. */
export type PageQuery = ReturnType<typeof pageQuery>;

export function pageQuery({ page, cursor, limit, count }: PageRequest) {
  return { page, cursor, limit, ...given({ count }) };
}

export type FetchPage<Row> = (request: PageRequest) => Promise<Page<Row>>;

/** Requests for the rest of one page that a platform ended early. */
const maximumRests = 3;

/** Whether a list has more rows after these; undefined where it does not say. */
export function goesOn<Row>(page: Page<Row>, end: number): boolean | undefined {
  const { hasNextPage, nextCursor, total } = page;
  if (nextCursor !== undefined && nextCursor !== null && nextCursor !== "") return true;
  if (hasNextPage !== undefined) return hasNextPage;
  return total === undefined ? undefined : end < total;
}

export function isSame(items: readonly unknown[], others: readonly unknown[]): boolean {
  return items.length === others.length && JSON.stringify(items) === JSON.stringify(others);
}

/** One page of `limit` rows, by the cursor of the page before it where that one gave any. */
interface PagePlace extends Pick<PageRequest, "cursor" | "limit" | "signal"> {
  readonly index: number;
}

/**
 * The page of this index. A later page that ends early is filled by cursor. A short first page of
 * a list that does not say whether it goes on comes with the second one, if there is one.
 */
export async function askPages<Row>(
  fetchPage: FetchPage<Row>,
  { index, cursor, limit, signal }: PagePlace,
): Promise<readonly Page<Row>[]> {
  const asked = { limit, count: index === 0 ? (true as const) : undefined, signal };
  let page = await fetchPage({
    ...asked,
    page: cursor === undefined ? index + 1 : undefined,
    cursor,
  });
  for (let rests = 0; rests < maximumRests; rests += 1) {
    const missing = limit - page.items.length;
    // The rows of the first page are the most that this platform sends.
    const isFirst = index === 0 && page.items.length > 0;
    if (isFirst || missing <= 0 || !page.nextCursor) break;
    const place = { page: undefined, cursor: page.nextCursor };
    const rest = await fetchPage({ ...asked, ...place, limit: missing });
    page = { ...rest, items: [...page.items, ...rest.items] };
  }
  const { items } = page;
  const isShort = items.length > 0 && items.length < limit;
  if (index > 0 || !isShort || goesOn(page, items.length) !== undefined) return [page];
  const second = await fetchPage({ ...asked, page: 2, cursor: undefined });
  const isEnd = second.items.length === 0 || isSame(second.items, items);
  return isEnd ? [{ ...page, hasNextPage: false }] : [{ ...page, hasNextPage: true }, second];
}
