import { createContext, useContext } from "react";

/** Gives the components below it the parts of one dashboard. */
export const DashboardContext = createContext<object | undefined>(undefined);

/** A part of each open dashboard, such as its messages: a store or an object that never changes. */
export class Part<Value extends object> {
  readonly #name: string;
  readonly #values = new WeakMap<object, Value>();

  constructor(name: string) {
    this.#name = name;
  }

  put(dashboard: object, value: Value): Value {
    this.#values.set(dashboard, value);
    return value;
  }

  /** Throws where the dashboard has no such part, which is a bug. */
  of(dashboard: object | undefined): Value {
    const value = dashboard === undefined ? undefined : this.#values.get(dashboard);
    if (value === undefined) throw new Error(`this component has no ${this.#name}`);
    return value;
  }
}

export function usePart<Value extends object>(part: Part<Value>): Value {
  return part.of(useContext(DashboardContext));
}
