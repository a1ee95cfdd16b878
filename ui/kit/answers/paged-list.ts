import { failureOf, isAbort, type Failure } from "./failure.ts";

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

interface CachedPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor: string | undefined;
  readonly last: boolean;
  readonly fetchedIn: number;
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
  readonly answeredAtMs: number | undefined;
  readonly asking: boolean;
}

export const pageSize = 100;
/** A screen that opens again does not refresh younger rows. */
const freshMs = 500;
/** 4,000 rows. */
const maximumPages = 40;

/**
 * A list of any number of rows that caches the pages around the visible ones. Reading on uses the
 * server's cursors, a jump uses a page number. A refresh keeps the old rows until new ones arrive.
 */
export class PagedList<Row> {
  #fetchPage: FetchPage<Row> = () => Promise.resolve({ items: [] });
  readonly #now: () => number;
  readonly #pages = new Map<number, CachedPage<Row>>();
  readonly #inFlight = new Map<number, AbortController>();
  /** Pages that failed; only a refresh tries them again. */
  readonly #failed = new Set<number>();
  readonly #listeners = new Set<() => void>();
  #round = 0;
  #total: number | undefined;
  #failure: Failure | undefined;
  #answeredAtMs: number | undefined;
  #visiblePages: readonly [first: number, last: number] = [0, 0];
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

  readFrom(fetchPage: FetchPage<Row>): void {
    this.#fetchPage = fetchPage;
  }

  setVisible(first: number, last: number): void {
    const from = Math.floor(Math.max(0, first) / pageSize);
    const to = Math.floor(Math.max(0, last) / pageSize);
    this.#visiblePages = [from, to];
    this.#loadVisible();
    const ahead = last + pageSize / 2;
    if (ahead < this.#known().count) this.#load(Math.floor(ahead / pageSize));
    this.#readOn(to);
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

  #loadVisible(): void {
    const [from, to] = this.#visiblePages;
    for (let index = from; index <= to; index += 1) this.#load(index);
  }

  /** The index of a cached row, else -1. */
  find(matches: (row: Row) => boolean): number {
    for (const [index, page] of this.#pages) {
      const at = page.items.findIndex(matches);
      if (at !== -1) return index * pageSize + at;
    }
    return -1;
  }

  // Without a total, only reading on from the last known page finds the end.
  #readOn(to: number): void {
    const { count, counted } = this.#known();
    if (!counted && count > 0 && (to + 1) * pageSize >= count) {
      this.#load(Math.floor(count / pageSize));
    }
  }

  #load(index: number): void {
    if (this.#inFlight.has(index) || this.#failed.has(index)) return;
    if (this.#pages.get(index)?.fetchedIn === this.#round) return;
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
      const [from, to] = this.#visiblePages;
      // A refresh during this request loads the page again.
      if (round !== this.#round && index >= from && index <= to) this.#load(index);
      this.#changed();
    }
  }

  #keep(index: number, page: Page<Row>, round: number): void {
    const last = page.hasNextPage === undefined ? page.items.length < pageSize : !page.hasNextPage;
    const fingerprint = JSON.stringify(page.items);
    const cached = this.#pages.get(index);
    this.#pages.set(index, {
      items: cached?.fingerprint === fingerprint ? cached.items : page.items,
      nextCursor: page.nextCursor ?? undefined,
      last,
      fetchedIn: round,
      fingerprint,
    });
    if (page.total !== undefined) this.#total = page.total;
    if (last) {
      this.#total = index * pageSize + page.items.length;
      for (const later of this.#pages.keys()) if (later > index) this.#pages.delete(later);
    } else if (this.#total !== undefined && this.#total <= (index + 1) * pageSize) {
      this.#total = undefined;
    }
    this.#failure = undefined;
    this.#answeredAtMs = this.#now();
    this.#evict();
  }

  #evict(): void {
    const [from, to] = this.#visiblePages;
    const distance = (index: number) => (index < from ? from - index : Math.max(0, index - to));
    while (this.#pages.size > maximumPages) {
      // The first page stays: column widths come from it.
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

  #makeView(): ListView<Row> {
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
    this.#view = this.#makeView();
    // A refresh with the same rows draws no frame.
    const items = Array.from(this.#pages.values(), (page) => page.items);
    const same =
      before.count === this.#view.count &&
      before.failure === this.#view.failure &&
      before.asking === this.#view.asking &&
      items.length === this.#drawn.length &&
      items.every((rows, index) => rows === this.#drawn[index]);
    if (same) return;
    this.#drawn = items;
    for (const listener of this.#listeners) listener();
  }
}
