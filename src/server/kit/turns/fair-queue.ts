/** An item that waits, with the share and the caller whose turn it is. */
export interface Waiting<Item> {
  readonly item: Item;
  readonly share: string;
  readonly caller: string;
}

/** The work that one share may cause before the next one has its turn. */
const costPerTurn = 1;
/** Turns that a share misses at most after work that cost more than its turn. */
const longestDebt = 16;

/** The items of one name in their order, or those of the callers of one share. */
interface Lane<Item> {
  readonly items: Set<Waiting<Item>>;
  /** The rest of its turn; negative after work that cost more. */
  credit: number;
}

/**
 * Items that wait in turn. Shares are served one after the other, weighted by the cost of their
 * work, and so are the callers of one share, each in its own order: one with a hundred items delays
 * one with a single item by one turn at most.
 */
export class FairQueue<Item> {
  readonly #shares = new Map<string, Lanes<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  sizeOf(share: string): number {
    return this.#shares.get(share)?.size ?? 0;
  }

  sizeOfCaller(share: string, caller: string): number {
    return this.#shares.get(share)?.lanes.get(caller)?.items.size ?? 0;
  }

  add(item: Item, share = "", caller = ""): Waiting<Item> {
    const waiting = { item, share, caller };
    let lanes = this.#shares.get(share);
    if (lanes === undefined) this.#shares.set(share, (lanes = new Lanes()));
    lanes.add(waiting);
    this.#size += 1;
    return waiting;
  }

  /** Removes an item that no longer waits; false when it is not here. */
  remove(waiting: Waiting<Item>): boolean {
    const lanes = this.#shares.get(waiting.share);
    if (lanes?.remove(waiting) !== true) return false;
    this.#size -= 1;
    if (lanes.size === 0) this.#shares.delete(waiting.share);
    return true;
  }

  /** The next item of a share that may have it; it stays in the queue. */
  next(mayHave: (share: string) => boolean = () => true): Waiting<Item> | undefined {
    const share = inTurn(this.#shares, mayHave);
    return share === undefined ? undefined : this.#shares.get(share)?.first();
  }

  /** Takes the next item of a share that may have it, or returns undefined. */
  take(mayHave?: (share: string) => boolean): Waiting<Item> | undefined {
    const waiting = this.next(mayHave);
    if (waiting !== undefined) this.remove(waiting);
    return waiting;
  }

  /** Counts the cost of what was taken, in turns of its share and its caller. */
  charge({ share, caller }: Waiting<Item>, cost = costPerTurn): void {
    const lanes = this.#shares.get(share);
    pay(lanes, cost);
    pay(lanes?.lanes.get(caller), cost);
  }

  /** Takes everything, for an end without turns. */
  drain(): Item[] {
    const all = [...this.#shares.values()].flatMap((lanes) => lanes.all());
    this.#shares.clear();
    this.#size = 0;
    return all;
  }
}

/** The callers of one share. */
class Lanes<Item> {
  readonly lanes = new Map<string, Lane<Item>>();
  credit = costPerTurn;
  size = 0;

  add(waiting: Waiting<Item>): void {
    const { caller } = waiting;
    let lane = this.lanes.get(caller);
    if (lane === undefined) {
      this.lanes.set(caller, (lane = { items: new Set(), credit: costPerTurn }));
    }
    lane.items.add(waiting);
    this.size += 1;
  }

  remove(waiting: Waiting<Item>): boolean {
    const lane = this.lanes.get(waiting.caller);
    if (lane?.items.delete(waiting) !== true) return false;
    this.size -= 1;
    if (lane.items.size === 0) this.lanes.delete(waiting.caller);
    return true;
  }

  all(): Item[] {
    return [...this.lanes.values()].flatMap(({ items }) => [...items].map(({ item }) => item));
  }

  first(): Waiting<Item> | undefined {
    const caller = inTurn(this.lanes, () => true);
    const [waiting] = this.lanes.get(caller ?? "")?.items ?? [];
    return waiting;
  }
}

interface Credited {
  credit: number;
}

/** The first name that may have a turn and has credit; a name in debt goes to the end for some. */
function inTurn(
  all: Map<string, Credited>,
  mayHave: (name: string) => boolean,
): string | undefined {
  // The loop also visits the names that it moves to the end.
  for (const [name, lane] of all) {
    if (!mayHave(name)) continue;
    if (lane.credit > 0) return name;
    lane.credit += costPerTurn;
    all.delete(name);
    all.set(name, lane);
  }
  return undefined;
}

function pay(lane: Credited | undefined, cost: number): void {
  if (lane !== undefined) lane.credit = Math.max(lane.credit - cost, -longestDebt);
}
