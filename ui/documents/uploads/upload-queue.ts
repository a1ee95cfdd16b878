import { Store, type Followed } from "../../kit/state/store.ts";

/** Runs a few orders at a time; the others wait in their order. */
export class UploadQueue<Order> {
  readonly #run: (order: Order) => Promise<void>;
  readonly #atOnce: number;
  readonly #waiting = new Store<readonly Order[]>([]);
  readonly #count = new Store(0);
  #running = 0;
  /** The number of orders that wait. */
  readonly count: Followed<number> = this.#count;

  constructor(run: (order: Order) => Promise<void>, atOnce: number) {
    this.#run = run;
    this.#atOnce = atOnce;
  }

  /** Adds orders after those that wait; one alone goes before them. */
  add(orders: readonly Order[]): void {
    this.#change((now) => (orders.length === 1 ? [...orders, ...now] : [...now, ...orders]));
    this.#begin();
  }

  /** Removes the orders that wait, and returns them. */
  drop(): readonly Order[] {
    const dropped = this.#waiting.get();
    this.#change(() => []);
    return dropped;
  }

  #change(to: (now: readonly Order[]) => readonly Order[]): void {
    this.#waiting.set(to);
    this.#count.set(this.#waiting.get().length);
  }

  #begin(): void {
    while (this.#running < this.#atOnce) {
      const [next, ...others] = this.#waiting.get();
      if (next === undefined) return;
      this.#change(() => others);
      this.#running += 1;
      void this.#run(next).finally(() => {
        this.#running -= 1;
        this.#begin();
      });
    }
  }
}
