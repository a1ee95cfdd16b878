import { catalogError } from "#contract/errors.ts";
import type { ListBody } from "#contract/lists.ts";
import type { ListOptions, PageOptions } from "./surface/lists.ts";

const defaultPageSize = 100;

type Place = { readonly page: number } | { readonly cursor: string };

/**
 * Every page of a list, by cursor, or by number where a deployment has no cursors. Throws E203 when
 * a page promises a next one that does not move on. With `readAhead` the next page is on its way
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
    let reading = read(place);
    for (;;) {
      const body = await reading;
      stop.signal.throwIfAborted();
      const next = nextPlace(body, place);
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

function nextPlace(body: ListBody<unknown>, place: Place): Place | undefined {
  const cursor = body.nextCursor ?? undefined;
  if (cursor === undefined && body.hasNextPage !== true) return undefined;
  const isStuck = cursor !== undefined && "cursor" in place && place.cursor === cursor;
  if (body.items.length === 0 || isStuck) {
    throw catalogError("E203", { details: "the list promises a next page but does not move on" });
  }
  if (cursor !== undefined) return { cursor };
  return { page: "page" in place ? place.page + 1 : (body.page ?? 1) + 1 };
}

/** The items of every page, one after the other. */
export async function* itemsOf<Item>(
  pages: AsyncIterable<ListBody<Item>>,
): AsyncGenerator<Item, void, undefined> {
  for await (const page of pages) yield* page.items;
}
