import { failureOf, isAbort, type Failure } from "./failure.ts";

/** A page of a list, as the list conventions give it. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly hasNextPage?: boolean | undefined;
  readonly nextCursor?: string | null | undefined;
  readonly total?: number | undefined;
}

export interface PageRequest {
  /** From 1; absent if there is a cursor. */
  readonly page: number | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Also asks for `total`. */
  readonly count: true | undefined;
  readonly signal: AbortSignal;
}

export type FetchPage<Row> = (request: PageRequest) => Promise<Page<Row>>;

interface HeldPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | undefined;
  readonly last: boolean;
  readonly fetchedIn: number;
  readonly fingerprint: string;
}

/** What a screen draws a list from; a new object each time something changed. */
export interface ListView<Row> {
  /** Rows there are, as far as is known. */
  readonly count: number;
  /** Whether `count` is the whole list or only as far as it has been read. */
  readonly counted: boolean;
  readonly rowAt: (index: number) => Row | undefined;
  /** The first rows that were loaded, for column widths. */
  readonly sample: readonly Row[];
  readonly failure: Failure | undefined;
  readonly answeredAtMs: number | undefined;
  readonly asking: boolean;
}

export const pageSize = 100;
/** Younger rows are not asked for again when a screen comes back to them. */
const freshMs = 500;
/** Pages held at once: 4,000 rows, wherever in the list they are. */
const maximumPages = 40;

/**
 * A list of any number of rows, of which the pages around the visible ones are held. Going forward
 * follows the server's cursors; a jump asks for the page by its number. A refresh fetches the
 * visible pages anew and keeps the old rows until the new ones are there.
 */
export class PagedList<Row> {
  #fetchPage: FetchPage<Row> = () => Promise.resolve({ items: [] });
  readonly #now: () => number;
  readonly #pages = new Map<number, HeldPage<Row>>();
  readonly #inFlight = new Map<number, AbortController>();
  /** Pages that could not be had in this round: they are tried again by a refresh, not at once. */
  readonly #failed = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #round = 0;
  #total: number | undefined;
  #failure: Failure | undefined;
  #answeredAtMs: number | undefined;
  #wanted: readonly [first: number, last: number] = [0, 0];
  #view: ListView<Row>;
  #drawn: readonly (readonly Row[])[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#view = this.#look();
  }

  view = (): ListView<Row> => this.#view;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      queueMicrotask(() => {
        if (this.#listeners.size > 0) return;
        for (const aborter of this.#inFlight.values()) aborter.abort();
      });
    };
  };

  /** Where pages come from; told anew when a screen comes back with another client. */
  readFrom(fetchPage: FetchPage<Row>): void {
    this.#fetchPage = fetchPage;
  }

  /** Says which rows are visible, so that their pages and the next one are fetched. */
  want(first: number, last: number): void {
    const from = Math.floor(Math.max(0, first) / pageSize);
    const to = Math.floor(Math.max(0, last) / pageSize);
    this.#wanted = [from, to];
    for (let index = from; index <= to; index += 1) this.#need(index);
    const ahead = last + pageSize / 2;
    if (ahead < this.#known().count) this.#need(Math.floor(ahead / pageSize));
    this.#readOn(to);
  }

  /** As `refresh`, unless the rows are of this very moment: for a screen that comes back. */
  revisit(): void {
    const age = this.#answeredAtMs === undefined ? 0 : this.#now() - this.#answeredAtMs;
    if (age > freshMs) this.refresh();
  }

  /** Fetches what is visible anew. */
  refresh(): void {
    this.#round += 1;
    this.#failed.clear();
    const [from, to] = this.#wanted;
    for (let index = from; index <= to; index += 1) this.#need(index);
  }

  /** The index of a loaded row; -1 when it is not among the held pages. */
  find(matches: (row: Row) => boolean): number {
    for (const [index, page] of this.#pages) {
      const at = page.items.findIndex(matches);
      if (at !== -1) return index * pageSize + at;
    }
    return -1;
  }

  // Without a total the end is only found by reading on from the last page that is known.
  #readOn(to: number): void {
    const { count, counted } = this.#known();
    if (!counted && count > 0 && (to + 1) * pageSize >= count) {
      this.#need(Math.floor(count / pageSize));
    }
  }

  #need(index: number): void {
    if (this.#inFlight.has(index) || this.#failed.has(index)) return;
    const held = this.#pages.get(index);
    if (held !== undefined && held.fetchedIn === this.#round) return;
    const known = this.#known();
    if (known.counted && index > 0 && index * pageSize >= known.count) return;
    void this.#fetch(index);
  }

  async #fetch(index: number): Promise<void> {
    const aborter = new AbortController();
    const round = this.#round;
    this.#inFlight.set(index, aborter);
    this.#changed();
    try {
      const before = this.#pages.get(index - 1);
      const cursor = before?.fetchedIn === round ? before.nextCursor : undefined;
      const page = await this.#fetchPage({
        page: cursor === undefined ? index + 1 : undefined,
        cursor,
        limit: pageSize,
        count: index === 0 ? true : undefined,
        signal: aborter.signal,
      });
      this.#keep(index, page, round);
    } catch (error) {
      if (!isAbort(error) && !aborter.signal.aborted) {
        this.#failure = failureOf(error);
        if (round === this.#round) this.#failed.add(index);
      }
    } finally {
      this.#inFlight.delete(index);
      const [from, to] = this.#wanted;
      // A refresh that came while this page was on its way asks for it again.
      if (round !== this.#round && index >= from && index <= to) this.#need(index);
      this.#changed();
    }
  }

  #keep(index: number, page: Page<Row>, round: number): void {
    const last = page.hasNextPage === undefined ? page.items.length < pageSize : !page.hasNextPage;
    const fingerprint = JSON.stringify(page.items);
    const held = this.#pages.get(index);
    this.#pages.set(index, {
      items: held !== undefined && held.fingerprint === fingerprint ? held.items : page.items,
      nextCursor: page.nextCursor ?? undefined,
      last,
      fetchedIn: round,
      fingerprint,
    });
    if (page.total !== undefined) this.#total = page.total;
    if (last) {
      this.#total = index * pageSize + page.items.length;
      for (const held of this.#pages.keys()) if (held > index) this.#pages.delete(held);
    } else if (this.#total !== undefined && this.#total <= (index + 1) * pageSize) {
      this.#total = undefined;
    }
    this.#failure = undefined;
    this.#answeredAtMs = this.#now();
    this.#evict();
  }

  #evict(): void {
    const [from, to] = this.#wanted;
    const distance = (index: number) => (index < from ? from - index : Math.max(0, index - to));
    while (this.#pages.size > maximumPages) {
      // The first page stays: column widths are taken from it, and going home is common.
      const far = [...this.#pages.keys()].filter((index) => index !== 0);
      this.#pages.delete(far.reduce((a, b) => (distance(b) > distance(a) ? b : a)));
    }
  }

  #known(): { count: number; counted: boolean } {
    if (this.#total !== undefined) return { count: this.#total, counted: true };
    let count = 0;
    for (const [index, page] of this.#pages) {
      count = Math.max(count, index * pageSize + page.items.length);
    }
    return { count, counted: false };
  }

  #heldItems(): readonly (readonly Row[])[] {
    return Array.from(this.#pages.values(), (page) => page.items);
  }

  #look(): ListView<Row> {
    const { count, counted } = this.#known();
    return {
      count,
      counted,
      rowAt: (index) => this.#pages.get(Math.floor(index / pageSize))?.items[index % pageSize],
      sample: this.#pages.get(0)?.items ?? [],
      failure: this.#failure,
      answeredAtMs: this.#answeredAtMs,
      asking: [...this.#inFlight.keys()].some((index) => !this.#pages.has(index)),
    };
  }

  #changed(): void {
    const before = this.#view;
    this.#view = this.#look();
    // A refresh that brought the same rows is not worth drawing a frame for.
    const held = this.#heldItems();
    const same =
      before.count === this.#view.count &&
      before.failure === this.#view.failure &&
      before.asking === this.#view.asking &&
      held.length === this.#drawn.length &&
      held.every((items, index) => items === this.#drawn[index]);
    if (same) return;
    this.#drawn = held;
    for (const listener of this.#listeners) listener();
  }
}
