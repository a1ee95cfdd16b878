import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { ListOptions, PageOptions } from "./surface/lists.ts";

const defaultPageSize = 100;

type Place = { readonly page: number } | { readonly cursor: string };

/**
 * Every page of a list, by cursor, or by number where a deployment has no cursors. Throws E203 when
 * a page promises a next one that does not move on, or leads back to one before. With `readAhead` the next page is on its way
 * while the caller has this one; what is on its way is given up when the loop is left.
 */
export async function* pagesOf<Page extends ListBody<unknown>>(
  list: (options: ListOptions) => Promise<Page>,
  options: PageOptions,
): AsyncGenerator<Page, void, undefined> {
  const { pageSize = defaultPageSize, cursor, readAhead = false, signal, ...rest } = options;
  const stop = new AbortController();
  const giveUp = (): void => stop.abort(signal?.reason);
  if (signal?.aborted === true) giveUp();
  signal?.addEventListener("abort", giveUp, { once: true });
  const read = (place: Place): Promise<Page> => {
    const limit = typeof pageSize === "function" ? pageSize() : pageSize;
    return list({ ...rest, ...place, limit, signal: stop.signal });
  };
  try {
    let place: Place = cursor === undefined ? { page: 1 } : { cursor };
    const passed = new PassedPlaces(cursor);
    let reading = read(place);
    for (;;) {
      const body = await reading;
      stop.signal.throwIfAborted();
      const next = nextPlace(body, place, passed);
      const isAhead = readAhead && next !== undefined;
      if (isAhead) {
        reading = read(next);
        // A failure is thrown when its page is due, after this one.
        reading.catch(() => undefined);
      }
      yield body;
      if (next === undefined) return;
      stop.signal.throwIfAborted();
      place = next;
      if (!isAhead) reading = read(place);
    }
  } finally {
    signal?.removeEventListener("abort", giveUp);
    stop.abort();
  }
}

function nextPlace(body: ListBody<unknown>, place: Place, passed: PassedPlaces): Place | undefined {
  // Only a list without cursors gets as far as a second page by its number.
  const isOther = "page" in place && place.page > 1 && (body.page ?? place.page) !== place.page;
  if (isOther) {
    throw astray(`page ${place.page} of the list was asked for, and page ${body.page} came`);
  }
  const cursor = body.nextCursor ?? undefined;
  if (cursor === undefined && body.hasNextPage !== true) return undefined;
  const isStuck = cursor === undefined ? passed.hasItems(body.items) : passed.hasCursor(cursor);
  if (body.items.length === 0 || isStuck) {
    throw astray("the list promises a next page but does not move on");
  }
  if (cursor !== undefined) return { cursor };
  return { page: "page" in place ? place.page + 1 : (body.page ?? 1) + 1 };
}

function astray(details: string): CatalogError<"E203"> {
  return catalogError("E203", { details });
}

/**
 * Where a list has been, in the memory of one place: a cursor is kept for twice as many pages each time,
 * so that a list that runs in a circle meets it again, however long the circle is (Brent).
 */
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

  /** Whether a page by its number is the one before it once more: a deployment may pass over numbers. */
  hasItems(items: readonly unknown[]): boolean {
    const former = this.#items;
    this.#items = JSON.stringify(items);
    return former === this.#items;
  }
}

/** The items of every page, one after the other. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<ListBody<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.items;
}
