export interface RecentMapOptions<Key, Value> {
  /** How much an entry counts against the limit; 1 without. */
  readonly weightOf?: (value: Value, key: Key) => number;
  /** A value is forgotten so long after it was set; never without. */
  readonly lifeMs?: number;
  readonly now?: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
  readonly endsAtMs: number;
}

/**
 * A bounded cache for nearly the price of a Map. It has entries of `limit` weight at most, and
 * always those that were set or read last, up to half of `limit`. It forgets the others all at
 * once.
 */
export class RecentMap<Key, Value extends {}> {
  readonly #generationWeight: number;
  readonly #options: RecentMapOptions<Key, Value>;
  #current = new Map<Key, Entry<Value>>();
  #currentWeight = 0;
  #before = new Map<Key, Entry<Value>>();

  constructor(limit: number, options: RecentMapOptions<Key, Value> = {}) {
    this.#generationWeight = Math.max(1, Math.floor(limit / 2));
    this.#options = options;
  }

  get(key: Key): Value | undefined {
    const entry = this.#current.get(key) ?? this.#revive(key);
    if (entry === undefined) return undefined;
    return entry.endsAtMs === Infinity || entry.endsAtMs > this.#now() ? entry.value : undefined;
  }

  set(key: Key, value: Value): void {
    const { weightOf, lifeMs } = this.#options;
    this.#put(key, {
      value,
      weight: weightOf?.(value, key) ?? 1,
      endsAtMs: lifeMs === undefined ? Infinity : this.#now() + lifeMs,
    });
  }

  delete(key: Key): void {
    this.#currentWeight -= this.#current.get(key)?.weight ?? 0;
    this.#current.delete(key);
    this.#before.delete(key);
  }

  deleteWhere(isGone: (value: Value, key: Key) => boolean): void {
    for (const [key, { value }] of this.#current) if (isGone(value, key)) this.delete(key);
    for (const [key, { value }] of this.#before) if (isGone(value, key)) this.#before.delete(key);
  }

  clear(): void {
    this.#current.clear();
    this.#currentWeight = 0;
    this.#before.clear();
  }

  #revive(key: Key): Entry<Value> | undefined {
    const entry = this.#before.get(key);
    if (entry !== undefined) this.#put(key, entry);
    return entry;
  }

  #put(key: Key, entry: Entry<Value>): void {
    const replaced = this.#current.get(key);
    this.#current.set(key, entry);
    this.#currentWeight += entry.weight - (replaced?.weight ?? 0);
    if (this.#currentWeight < this.#generationWeight) return;
    this.#before = this.#current;
    this.#current = new Map();
    this.#currentWeight = 0;
  }

  #now(): number {
    return this.#options.now?.() ?? performance.now();
  }
}
