import { PagedList } from "./paged-list.ts";

const maximumLists = 40;

/** The lists that were looked at, by question: going back finds the rows of last time. Bounded. */
export class ListStore {
  readonly #lists = new Map<string, PagedList<unknown>>();

  open<Row>(key: string): PagedList<Row> {
    // Keys name one route and its parameters, so that a key's rows are of one type.
    const list = (this.#lists.get(key) ?? new PagedList<unknown>()) as PagedList<Row>;
    this.#lists.delete(key);
    this.#lists.set(key, list as PagedList<unknown>);
    const oldest = this.#lists.keys().next().value;
    if (this.#lists.size > maximumLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }

  clear(): void {
    this.#lists.clear();
  }
}
