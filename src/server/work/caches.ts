import type { CachedRows } from "./work.ts";

/** A row of a cache that a committed transaction has changed. */
export type ChangedRow = {
  readonly [Noun in keyof CachedRows]: { readonly noun: Noun; readonly key: CachedRows[Noun] };
}[keyof CachedRows];

type Listener = (row: ChangedRow) => void;

/** Reports the rows that transactions have changed to the caches of a platform. */
export class Caches {
  readonly #listeners: Listener[] = [];

  /** Each cache listens once, and picks the nouns that it has. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Called after a commit, before its request is answered. */
  report(row: ChangedRow): void {
    for (const listener of this.#listeners) listener(row);
  }
}
