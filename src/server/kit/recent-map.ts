/**
 * Remembers what was set or asked for lately, at most `limit` of it, for the price of a Map: what has
 * not been asked for since the last `limit / 2` new keys came is forgotten, all of it at once.
 */
export class RecentMap<Key, Value extends {}> {
  readonly #generationSize: number;
  #current = new Map<Key, Value>();
  #before = new Map<Key, Value>();

  constructor(limit: number) {
    this.#generationSize = Math.max(1, Math.floor(limit / 2));
  }

  get(key: Key): Value | undefined {
    const value = this.#current.get(key);
    if (value !== undefined) return value;
    const older = this.#before.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    this.#current.set(key, value);
    if (this.#current.size < this.#generationSize) return;
    this.#before = this.#current;
    this.#current = new Map();
  }
}
