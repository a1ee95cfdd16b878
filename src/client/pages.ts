import { catalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { CallOptions, ListOptions, PageOptions } from "./options.ts";

const defaultPageSize = 100;

type Place = { readonly page: number } | { readonly cursor: string };

/** List options as a call's input; a `where` object becomes JSON text. */
export function listInput(options: ListOptions = {}) {
  const { page, limit, sort, where, cursor, count, ...rest } = options;
  const filter = typeof where === "object" ? JSON.stringify(where) : where;
  const call: CallOptions = rest;
  return { ...call, query: { page, limit, sort, where: filter, cursor, count } };
}

/**
 * Every page of a list, by cursor, or by number if a deployment has no cursors. A list that says
 * nothing of its next page ends at an empty or repeated page. Throws E203 when a page announces a
 * next one that is not new. With `readAhead` the next page is requested while the
 * caller uses this one. Leaving the loop aborts a running request.
 */
export async function* pagesOf<Page extends ListBody<unknown>>(
  list: (options: ListOptions) => Promise<Page>,
  options: PageOptions,
): AsyncGenerator<Page, void, undefined> {
  const { pageSize = defaultPageSize, cursor, readAhead = false, signal, ...rest } = options;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  const read = (place: Place): Promise<Page> => {
    const limit = typeof pageSize === "function" ? pageSize() : pageSize;
    return list({ ...rest, ...place, limit, signal: stop.signal });
  };
  try {
    let place: Place = cursor === undefined ? { page: 1 } : { cursor };
    const passed = new PassedPlaces(cursor);
    let reading = read(place);
    let isGuess = false;
    let count = 0;
    for (;;) {
      const body = await reading;
      stop.signal.throwIfAborted();
      if (isGuess && !isNewPage(body, place, passed)) return;
      count += body.items.length;
      const found = nextPlace(body, place, passed, count);
      isGuess = found?.isGuess === true;
      const next = found?.place;
      const isAhead = readAhead && next !== undefined;
      if (isAhead) {
        reading = read(next);
        // A failure is thrown when its page is read.
        reading.catch(() => undefined);
      }
      yield body;
      if (next === undefined) return;
      stop.signal.throwIfAborted();
      place = next;
      if (!isAhead) reading = read(place);
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stop.abort();
  }
}

interface NextPlace {
  readonly place: Place;
  /** True if the list said nothing of a next page. */
  readonly isGuess: boolean;
}

function isOtherPage(body: ListBody<unknown>, place: Place): boolean {
  // A list without cursors is read by number; other lists only on their first page.
  return "page" in place && place.page > 1 && (body.page ?? place.page) !== place.page;
}

/** True if a page that was not announced has new items. */
function isNewPage(body: ListBody<unknown>, place: Place, passed: PassedPlaces): boolean {
  return body.items.length > 0 && !isOtherPage(body, place) && !passed.isLast(body.items);
}

function nextPlace(
  body: ListBody<unknown>,
  place: Place,
  passed: PassedPlaces,
  count: number,
): NextPlace | undefined {
  if (isOtherPage(body, place)) {
    const number = "page" in place ? place.page : 1;
    const details = `page ${body.page} of the list came instead of page ${number}`;
    throw catalogError("E203", { details });
  }
  const { hasNextPage, items, total } = body;
  const cursor = body.nextCursor ?? undefined;
  if (cursor === undefined && hasNextPage !== true) {
    const isEnd = hasNextPage === false || "cursor" in place || items.length === 0;
    if (isEnd || (total !== undefined && count >= total)) return undefined;
    passed.hasItems(items);
    return { place: { page: place.page + 1 }, isGuess: true };
  }
  const isStuck = cursor === undefined ? passed.hasItems(items) : passed.hasCursor(cursor);
  if (items.length === 0 || isStuck) {
    throw catalogError("E203", { details: "the list announces a next page that is not new" });
  }
  if (cursor !== undefined) return { place: { cursor }, isGuess: false };
  const page = "page" in place ? place.page + 1 : (body.page ?? 1) + 1;
  return { place: { page }, isGuess: false };
}

/** Detects a list that repeats itself in constant memory (Brent's cycle detection). */
class PassedPlaces {
  #kept: string | undefined;
  #pages = 0;
  #keptFor = 1;
  #items = "";

  constructor(start: string | undefined) {
    this.#kept = start;
  }

  hasCursor(cursor: string): boolean {
    if (cursor === this.#kept) return true;
    this.#pages += 1;
    if (this.#pages === this.#keptFor) {
      this.#kept = cursor;
      this.#pages = 0;
      this.#keptFor *= 2;
    }
    return false;
  }

  /** True if these are the items of the page before: a deployment may ignore page numbers. */
  hasItems(items: readonly unknown[]): boolean {
    const former = this.#items;
    this.#items = JSON.stringify(items);
    return former === this.#items;
  }

  isLast(items: readonly unknown[]): boolean {
    return JSON.stringify(items) === this.#items;
  }
}

export async function* itemsOf<Item>(
  pages: AsyncIterable<ListBody<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.items;
}
