import { PagedList } from "./paged-list.ts";

const maximumLists = 40;

/** The 40 most recently opened lists by question, so that going back draws the old rows. */
export class ListStore {
  readonly #lists = new Map<string, PagedList<unknown>>();

  open<Row>(key: string): PagedList<Row> {
    // A key names one route and its parameters, so its rows have one type.
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
