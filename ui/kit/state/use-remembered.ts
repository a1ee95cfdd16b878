import { useMemo } from "react";
import { Part, usePart } from "./part.ts";
import { changedBy, Listeners, Store, useStore, type Cell } from "./store.ts";

const maximumRemembered = 200;

/**
 * The state of closed screens: list position, order, filter, open tab. Each value has an owner,
 * such as the open workspace, and a name; the 200 most recently changed values stay.
 */
export class Memory {
  /** The owner of the state that the screens show. */
  readonly owner = new Store("");
  readonly #values = new Map<string, unknown>();
  readonly #listeners = new Map<string, Listeners>();
  readonly #isKept: (key: string) => boolean;
  readonly #keep: (key: string, value: unknown) => void;

  /** Each change of a value whose key `isKept` is given to `keep`. */
  constructor(isKept: (key: string) => boolean, keep: (key: string, value: unknown) => void) {
    this.#isKept = isKept;
    this.#keep = keep;
  }

  /** Takes state of an earlier start, by owner and name; it yields to newer state. */
  start(values: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of values) if (!this.#values.has(key)) this.#values.set(key, value);
  }

  /** All owners' states of this name. */
  named(name: string): readonly unknown[] {
    const ending = ` ${name}`;
    return [...this.#values].flatMap(([key, value]) => (key.endsWith(ending) ? [value] : []));
  }

  cell<Value>(key: string, initial: Value): Cell<Value> {
    // A name belongs to one hook, so its values have one type.
    const isKept = this.#isKept(key);
    const get = () => (this.#values.has(key) ? this.#values.get(key) : initial) as Value;
    return {
      get,
      set: (change) => {
        const next = changedBy(get(), change);
        if (Object.is(next, get()) && this.#values.has(key)) return;
        this.#put(key, next);
        if (isKept) this.#keep(key, next);
      },
      subscribe: (listener) => {
        const listeners = this.#listeners.get(key) ?? new Listeners();
        this.#listeners.set(key, listeners);
        const remove = listeners.add(listener);
        return () => {
          remove();
          if (listeners.count === 0) this.#listeners.delete(key);
        };
      },
    };
  }

  #put(key: string, value: unknown): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= maximumRemembered) break;
      if (!this.#listeners.has(oldest)) this.#values.delete(oldest);
    }
    this.#listeners.get(key)?.notify();
  }
}

export const memoryPart = new Part<Memory>("memory");

/**
 * A store that outlives its screen under a name, for when the screen is opened again. `initial`
 * must be the same object in each frame.
 */
export function useRememberedCell<Value>(name: string, initial: Value): Cell<Value> {
  const memory = usePart(memoryPart);
  const key = `${useStore(memory.owner)} ${name}`;
  return useMemo(() => memory.cell(key, initial), [memory, key, initial]);
}

/** The value of such a store, with its setter. */
export function useRemembered<Value>(
  name: string,
  initial: Value,
): readonly [Value, Cell<Value>["set"]] {
  const cell = useRememberedCell(name, initial);
  return [useStore(cell), cell.set];
}
