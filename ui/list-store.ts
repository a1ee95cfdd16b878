import { PagedList } from "./paged-list.ts";

const maximumLists = 40;

/** The lists that were looked at, by question: going back finds the rows of last time. Bounded. */
export class ListStore {
  readonly #lists = new Map<string, PagedList<unknown>>();

  open<Row>(key: string): PagedList<Row> {
    const held = this.#lists.get(key);
    // Keys name one route and its parameters, so that a key's rows are of one type.
    if (held !== undefined) return held as PagedList<Row>;
    const made = new PagedList<Row>();
    this.#lists.set(key, made as PagedList<unknown>);
    const oldest = this.#lists.keys().next().value;
    if (this.#lists.size > maximumLists && oldest !== undefined) this.#lists.delete(oldest);
    return made;
  }

  clear(): void {
    this.#lists.clear();
  }
}
