import { useSyncExternalStore } from "react";

/** A value that components follow; `get` returns the same value until it changes. */
export interface Followed<Value> {
  readonly get: () => Value;
  readonly subscribe: (listener: () => void) => () => void;
}

/** A followed value that can be changed. */
export interface Cell<Value> extends Followed<Value> {
  readonly set: (change: Value | ((now: Value) => Value)) => void;
}

export function changedBy<Value>(now: Value, change: Value | ((now: Value) => Value)): Value {
  return change instanceof Function ? change(now) : change;
}

/** The listeners of a store. */
export class Listeners {
  readonly #all = new Set<() => void>();

  add = (listener: () => void): (() => void) => {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  };

  notify(): void {
    for (const listener of this.#all) listener();
  }

  get count(): number {
    return this.#all.size;
  }
}

/** A value outside the components. An equal value notifies no listener. */
export class Store<Value> implements Cell<Value> {
  readonly #listeners = new Listeners();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  get = (): Value => this.#value;
  subscribe = this.#listeners.add;

  set = (change: Value | ((now: Value) => Value)): void => {
    const next = changedBy(this.#value, change);
    if (Object.is(next, this.#value)) return;
    this.#value = next;
    this.#listeners.notify();
  };
}

/** The value of a store; the component renders again when it changes. */
export function useStore<Value>(store: Followed<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** A part of a store's value; the component renders again when that part changes. */
export function useSelected<Value, Part>(
  store: Followed<Value>,
  select: (value: Value) => Part,
): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
