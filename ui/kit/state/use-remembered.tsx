import { useCallback, useMemo, useState, type ReactNode } from "react";
import { requiredContext } from "./required-context.ts";

const maximumRemembered = 200;

interface Memory {
  readonly values: Map<string, unknown>;
  readonly scope: string;
  readonly onChange: (key: string, value: unknown) => void;
}

const nothing: ReadonlyMap<string, unknown> = new Map();

const [MemoryContext, useMemory] = requiredContext<Memory>("RememberedProvider");

/** Remembers the state of closed screens: list position, order, filter, open tab. */
export function RememberedProvider(props: {
  /** Owner of the state, such as the open workspace. */
  readonly scope: string;
  /** State of an earlier start, by owner and name; it yields to newer state. */
  readonly start?: ReadonlyMap<string, unknown> | undefined;
  readonly onChange: (key: string, value: unknown) => void;
  readonly children: ReactNode;
}) {
  const { scope, onChange, start = nothing } = props;
  const [values] = useState(() => new Map<string, unknown>());
  const memory = useMemo(() => {
    for (const [key, value] of start) if (!values.has(key)) values.set(key, value);
    return { values, scope, onChange };
  }, [values, scope, start, onChange]);
  return <MemoryContext value={memory}>{props.children}</MemoryContext>;
}

/** State that outlives its screen under a name, for when the screen is opened again. */
export function useRemembered<Value>(
  name: string,
  initial: Value,
): [Value, (change: Value | ((now: Value) => Value)) => void] {
  const { values, scope, onChange } = useMemory();
  const key = `${scope} ${name}`;
  const read = () => (values.has(key) ? values.get(key) : initial) as Value;
  const [latest, setLatest] = useState(() => ({ key, value: read() }));
  const value = latest.key === key ? latest.value : read();
  const change = useCallback(
    (next: Value | ((now: Value) => Value)) => {
      const before = (values.has(key) ? values.get(key) : initial) as Value;
      const after = next instanceof Function ? next(before) : next;
      values.delete(key);
      values.set(key, after);
      const oldest = values.size > maximumRemembered ? values.keys().next() : undefined;
      if (oldest?.value !== undefined) values.delete(oldest.value);
      setLatest({ key, value: after });
      onChange(key, after);
    },
    [values, key, initial, onChange],
  );
  return [value, change];
}

/** Returns a function that reads all owners' states of this name. */
export function useAllRemembered(name: string): () => readonly unknown[] {
  const { values } = useMemory();
  return () => [...values].flatMap(([key, value]) => (key.endsWith(` ${name}`) ? [value] : []));
}
