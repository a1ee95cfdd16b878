import { useMemo, useState, type ReactNode } from "react";
import { requiredContext } from "./required-context.ts";
import { changedBy, Listeners, useStore, type Cell } from "./store.ts";

const maximumRemembered = 200;

/** The state of closed screens by owner and name; the 200 most recently changed values. */
class Memory {
  readonly #values = new Map<string, unknown>();
  readonly #listeners = new Map<string, Listeners>();

  /** Takes state of an earlier start, which yields to newer state. */
  start(values: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of values) if (!this.#values.has(key)) this.#values.set(key, value);
  }

  /** All owners' states of this name. */
  named(name: string): readonly unknown[] {
    const ending = ` ${name}`;
    return [...this.#values].flatMap(([key, value]) => (key.endsWith(ending) ? [value] : []));
  }

  cell<Value>(key: string, initial: Value, onChange: Change): Cell<Value> {
    // A name belongs to one hook, so its values have one type.
    const get = () => (this.#values.has(key) ? this.#values.get(key) : initial) as Value;
    return {
      get,
      set: (change) => {
        const next = changedBy(get(), change);
        if (Object.is(next, get()) && this.#values.has(key)) return;
        this.#put(key, next);
        onChange(key, next);
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

type Change = (key: string, value: unknown) => void;

interface OwnedMemory {
  readonly memory: Memory;
  readonly scope: string;
  readonly onChange: Change;
}

const nothing: ReadonlyMap<string, unknown> = new Map();

const [MemoryContext, useMemory] = requiredContext<OwnedMemory>("RememberedProvider");

/** Remembers the state of closed screens: list position, order, filter, open tab. */
export function RememberedProvider(props: {
  /** Owner of the state, such as the open workspace. */
  readonly scope: string;
  /** State of an earlier start, by owner and name; it yields to newer state. */
  readonly start?: ReadonlyMap<string, unknown> | undefined;
  readonly onChange: Change;
  readonly children: ReactNode;
}) {
  const { scope, onChange, start = nothing } = props;
  const [memory] = useState(() => new Memory());
  const owned = useMemo(() => {
    memory.start(start);
    return { memory, scope, onChange };
  }, [memory, scope, start, onChange]);
  return <MemoryContext value={owned}>{props.children}</MemoryContext>;
}

/** A store that outlives its screen under a name, for when the screen is opened again. */
export function useRememberedCell<Value>(name: string, initial: Value): Cell<Value> {
  const { memory, scope, onChange } = useMemory();
  const key = `${scope} ${name}`;
  return useMemo(() => memory.cell(key, initial, onChange), [memory, key, initial, onChange]);
}

/** State that outlives its screen under a name, for when the screen is opened again. */
export function useRemembered<Value>(
  name: string,
  initial: Value,
): readonly [Value, Cell<Value>["set"]] {
  const cell = useRememberedCell(name, initial);
  return [useStore(cell), cell.set];
}

/** Returns a function that reads all owners' states of this name. */
export function useAllRemembered(name: string): () => readonly unknown[] {
  const { memory } = useMemory();
  return () => memory.named(name);
}
