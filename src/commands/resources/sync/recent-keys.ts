const rememberedAtLeast = 10_000;

/** The last keys of a list, in bounded memory. */
export class RecentKeys {
  #present = new Set<string>();
  #former: ReadonlySet<string> = new Set();

  /** Adds a key; false if it is one of the last 10,000. */
  add(key: string): boolean {
    if (this.#present.has(key) || this.#former.has(key)) return false;
    this.#present.add(key);
    if (this.#present.size === rememberedAtLeast) {
      this.#former = this.#present;
      this.#present = new Set();
    }
    return true;
  }
}
