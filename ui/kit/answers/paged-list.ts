import { failureOf, isAbort, type Failure } from "./failure.ts";
import { askPages, goesOn, isSame, type FetchPage, type Page } from "./page-request.ts";

interface CachedPage<Row> {
  readonly items: readonly Row[];
  /** The keys of the rows, in their order. */
  readonly keys: readonly string[];
  readonly nextCursor: string | undefined;
  readonly last: boolean;
  readonly fetchedIn: number;
  readonly answeredAtMs: number;
  readonly fingerprint: string;
}

/** The state of a list that a screen draws; a new object after each change. */
export interface ListView<Row> {
  readonly count: number;
  /** Whether `count` is the whole list, not only the rows that were read. */
  readonly counted: boolean;
  readonly rowAt: (index: number) => Row | undefined;
  /** The first rows that were loaded, for column widths. */
  readonly sample: readonly Row[];
  readonly failure: Failure | undefined;
  /** The time of the oldest visible page. */
  readonly answeredAtMs: number | undefined;
  readonly asking: boolean;
  /** The followed row while it is looked for on other pages than its own. */
  readonly sought?: Row | undefined;
  /** The index of the selected row that has left the list, which `count` then includes. */
  readonly ghost?: number | undefined;
}

export const pageSize = 100;
/** A screen that opens again does not refresh younger rows. */
const freshMs = 500;
/** Limit of cached pages, for 2,000 rows. */
const maximumPages = 20;

/**
 * A list of any number of rows that caches the pages around the visible ones. Reading on uses the
 * server's cursors, a jump uses a page number. A refresh keeps the old rows until new ones arrive.
 * A platform that ends its pages early gets smaller ones, so that rows keep their places.
 */
export class PagedList<Row> {
  #fetchPage: FetchPage<Row> = () => Promise.resolve({ items: [] });
  #keyOf: (row: Row) => string = () => "";
  readonly #now: () => number;
  readonly #pages = new Map<number, CachedPage<Row>>();
  readonly #inFlight = new Map<number, AbortController>();
  /** Pages that failed; only a refresh tries them again. */
  readonly #failed = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #followed: { readonly id: string; row: Row | undefined } | undefined;
  #isSeeking = false;
  readonly #idle: (() => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #lookups = 0;
  #round = 0;
  #total: number | undefined;
  #failure: Failure | undefined;
  #answeredAtMs: number | undefined;
  #visibleRows: readonly [first: number, last: number] = [0, 0];
  #pageSize = pageSize;
  /** Rows that were read, also when pages of another size no longer have them. */
  #reached = 0;
  #view: ListView<Row>;
  #drawn: readonly (readonly Row[])[] = [];

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#view = this.#makeView();
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

  readFrom(fetchPage: FetchPage<Row>, keyOf: (row: Row) => string): void {
    this.#fetchPage = fetchPage;
    this.#keyOf = keyOf;
  }

  setVisible(first: number, last: number): void {
    this.#visibleRows = [Math.max(0, first), Math.max(0, last)];
    this.#loadVisible();
    const ahead = last + this.#pageSize / 2;
    if (ahead < this.#known().count) this.#load(Math.floor(ahead / this.#pageSize));
    this.#readOn();
  }

  /** Refreshes rows that are older than 500 ms: for a screen that opens again. */
  revisit(): void {
    const age = this.#answeredAtMs === undefined ? 0 : this.#now() - this.#answeredAtMs;
    if (age > freshMs) this.refresh();
  }

  refresh(): void {
    this.#round += 1;
    this.#failed.clear();
    this.#loadVisible();
  }

  /** Looks for this row on the pages next to its own when a refresh has moved it away. */
  follow = (id: string): void => {
    const at = this.find(id);
    this.#followed = { id, row: at === -1 ? undefined : this.#rowAt(at) };
    this.#isSeeking = false;
  };

  /** The row with this key as the list had it last, if it is the followed one. */
  followed = (id: string): Row | undefined =>
    this.#followed?.id === id ? this.#followed.row : undefined;

  /** Loads the first page, then those of the indexes, in addition to the visible ones. */
  async lookAt(indexes: Promise<readonly number[]>): Promise<void> {
    this.#lookups += 1;
    this.#load(0);
    try {
      const found = await indexes;
      // The first page has the new number of rows.
      await new Promise<void>((resolve) => this.#whenIdle(resolve));
      for (const index of found) this.#load(Math.floor(index / this.#pageSize));
    } catch {
      // The row is then selected only where the loaded pages have it.
    } finally {
      this.#lookups -= 1;
      this.#settle();
    }
  }

  /** Resolves when no page is being loaded or looked for. */
  loaded = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#settle();
    });

  #whenIdle(run: () => void): void {
    if (this.#inFlight.size === 0) run();
    else this.#idle.push(run);
  }

  #settle(): void {
    if (this.#inFlight.size > 0) return;
    this.#isSeeking = false;
    for (const run of this.#idle.splice(0)) run();
    if (this.#lookups > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** The time of the oldest visible answer, also between two frames. */
  answeredAtMs = (): number | undefined => {
    const [from, to] = this.#visiblePages();
    let oldest = this.#answeredAtMs;
    for (const [index, page] of this.#pages) {
      if (oldest !== undefined && index >= from && index <= to) {
        oldest = Math.min(oldest, page.answeredAtMs);
      }
    }
    return oldest;
  };

  #visiblePages(): readonly [first: number, last: number] {
    const [first, last] = this.#visibleRows;
    return [Math.floor(first / this.#pageSize), Math.floor(last / this.#pageSize)];
  }

  #loadVisible(): void {
    const [from, to] = this.#visiblePages();
    // Pages after the known ones are read one by one, since they may not exist.
    const next = Math.floor(this.#known().count / this.#pageSize);
    for (let index = Math.min(from, next); index <= Math.min(to, next); index += 1) {
      this.#load(index);
    }
  }

  /** The index of the cached row with this key, else -1. */
  find = (id: string): number => {
    let found = -1;
    let round = -1;
    for (const [index, page] of this.#pages) {
      const at = page.fetchedIn > round ? page.keys.indexOf(id) : -1;
      // A row that has moved may still be on an older copy of another page.
      if (at !== -1) [found, round] = [index * this.#pageSize + at, page.fetchedIn];
    }
    return found;
  };

  /** The key of a cached row. */
  keyAt = (index: number): string | undefined =>
    this.#pages.get(Math.floor(index / this.#pageSize))?.keys[index % this.#pageSize];

  #rowAt(index: number): Row | undefined {
    const page = this.#pages.get(Math.floor(index / this.#pageSize));
    return page?.items[index % this.#pageSize];
  }

  /** Looks for the followed row on the neighbouring pages and the first when its page changed. */
  #seek(index: number, before: readonly string[]): void {
    if (this.#followed === undefined) return;
    const at = this.find(this.#followed.id);
    const isFresh = this.#pages.get(Math.floor(at / this.#pageSize))?.fetchedIn === this.#round;
    if (at !== -1 && isFresh) {
      this.#followed.row = this.#rowAt(at);
      this.#isSeeking = false;
    } else if (before.includes(this.#followed.id)) {
      this.#isSeeking = true;
      for (const near of [index - 1, index + 1, 0]) if (near >= 0) this.#load(near);
    }
  }

  // The end of a list that has no total is found only by reading on from its last known page.
  #readOn(): void {
    const { count, counted } = this.#known();
    const [, to] = this.#visiblePages();
    if (!counted && count > 0 && (to + 1) * this.#pageSize >= count) {
      this.#load(Math.floor(count / this.#pageSize));
    }
  }

  #load(index: number): void {
    if (this.#inFlight.has(index) || this.#failed.has(index)) return;
    if (this.#pages.get(index)?.fetchedIn === this.#round) return;
    const known = this.#known();
    if (known.counted && index > 0 && index * this.#pageSize >= known.count) return;
    void this.#fetch(index);
  }

  async #fetch(index: number): Promise<void> {
    const aborter = new AbortController();
    const round = this.#round;
    this.#inFlight.set(index, aborter);
    this.#changed();
    try {
      const before = this.#pages.get(index - 1);
      const pages = await askPages(this.#fetchPage, {
        index,
        cursor: before?.fetchedIn === round ? before.nextCursor : undefined,
        limit: this.#pageSize,
        signal: aborter.signal,
      });
      aborter.signal.throwIfAborted();
      for (const [offset, page] of pages.entries()) this.#keep(index + offset, page, round);
    } catch (error) {
      if (!isAbort(error) && !aborter.signal.aborted) {
        this.#failure = failureOf(error);
        if (round === this.#round) this.#failed.add(index);
      }
    } finally {
      if (this.#inFlight.get(index) === aborter) this.#inFlight.delete(index);
      // Again after a refresh during this request; further where its page ended early.
      if (this.#listeners.size > 0 || !aborter.signal.aborted) this.#loadVisible();
      this.#settle();
      this.#changed();
    }
  }

  #keep(index: number, given: Page<Row>, round: number): void {
    const isLong = index > 0 && given.items.length > this.#pageSize;
    const cut = { items: given.items.slice(0, this.#pageSize), hasNextPage: true };
    const page: Page<Row> = isLong ? cut : given;
    const { items } = page;
    const start = index * this.#pageSize;
    const end = start + items.length;
    const said = goesOn(page, end);
    const before = this.#pages.get(index - 1)?.items ?? [];
    if (said === undefined && index > 0 && isSame(items, before)) return this.#end(start);
    const last = items.length === 0 || !(said ?? items.length >= this.#pageSize);
    const cached = this.#pages.get(index);
    // The client returns the same rows for a page that the platform reports as unchanged.
    const isKnown = cached?.items === items;
    const fingerprint = isKnown ? cached.fingerprint : JSON.stringify(items);
    const isEqual = cached?.fingerprint === fingerprint;
    this.#pages.set(index, {
      items: isEqual ? cached.items : items,
      keys: isEqual ? cached.keys : items.map((row) => this.#keyOf(row)),
      nextCursor: page.nextCursor || undefined,
      last,
      fetchedIn: round,
      answeredAtMs: this.#now(),
      fingerprint,
    });
    this.#seek(index, cached?.keys ?? []);
    if (page.total !== undefined) this.#total = page.total;
    if (last) this.#end(end);
    else if (this.#total !== undefined && this.#total <= end) this.#total = undefined;
    const isLonger = index === 0 && items.length > this.#pageSize;
    if (isLonger || (!last && items.length < this.#pageSize)) this.#resize(items.length);
    this.#failure = undefined;
    this.#answeredAtMs = this.#now();
    this.#evict();
  }

  #end(count: number): void {
    this.#total = count;
    this.#reached = 0;
    for (const later of this.#pages.keys()) {
      if (later > 0 && later * this.#pageSize >= count) this.#pages.delete(later);
    }
  }

  /** Cuts the cached pages to another size; pages that are in flight are asked again. */
  #resize(size: number): void {
    const former = [...this.#pages];
    const formerSize = this.#pageSize;
    const { count, counted } = this.#known();
    this.#reached = counted ? 0 : count;
    for (const aborter of this.#inFlight.values()) aborter.abort();
    this.#inFlight.clear();
    this.#failed.clear();
    this.#pages.clear();
    this.#pageSize = size;
    for (const [index, page] of former) {
      const start = index * formerSize;
      const end = start + page.items.length;
      for (let at = Math.ceil(start / size); at * size < end; at += 1) {
        const [from, to] = [at * size - start, (at + 1) * size - start];
        const items = page.items.slice(from, to);
        if (items.length < size && !page.last) break;
        const isEnd = at * size + items.length === end;
        const nextCursor = isEnd ? page.nextCursor : undefined;
        const fingerprint = JSON.stringify(items);
        this.#pages.set(at, {
          ...page,
          items,
          keys: page.keys.slice(from, to),
          nextCursor,
          last: page.last && isEnd,
          fingerprint,
        });
      }
    }
  }

  #evict(): void {
    const [from, to] = this.#visiblePages();
    const distance = (index: number) => (index < from ? from - index : Math.max(0, index - to));
    while (this.#pages.size > maximumPages) {
      // The first page stays: column widths come from it.
      const far = [...this.#pages.keys()].filter((index) => index !== 0);
      this.#pages.delete(far.reduce((a, b) => (distance(b) > distance(a) ? b : a)));
    }
  }

  #known(): { count: number; counted: boolean } {
    if (this.#total !== undefined) return { count: this.#total, counted: true };
    let count = this.#reached;
    for (const [index, page] of this.#pages) {
      count = Math.max(count, index * this.#pageSize + page.items.length);
    }
    return { count, counted: false };
  }

  #makeView(): ListView<Row> {
    const { count, counted } = this.#known();
    return {
      count,
      counted,
      rowAt: (index) => this.#rowAt(index),
      sample: this.#pages.get(0)?.items ?? [],
      failure: this.#failure,
      answeredAtMs: this.answeredAtMs(),
      asking: [...this.#inFlight.keys()].some((index) => !this.#pages.has(index)),
      sought: this.#isSeeking ? this.#followed?.row : undefined,
    };
  }

  #changed(): void {
    const [before, view] = [this.#view, this.#makeView()];
    // A refresh with the same rows draws no frame.
    const items = Array.from(this.#pages.values(), (page) => page.items);
    const same =
      before.count === view.count &&
      before.counted === view.counted &&
      before.failure === view.failure &&
      before.asking === view.asking &&
      before.sought === view.sought &&
      (before.answeredAtMs === undefined) === (view.answeredAtMs === undefined) &&
      items.length === this.#drawn.length &&
      items.every((rows, index) => rows === this.#drawn[index]);
    if (same) return;
    this.#view = view;
    this.#drawn = items;
    for (const listener of this.#listeners) listener();
  }
}
