import { useCallback, useMemo, useState, type ReactNode } from "react";
import { requiredContext } from "./required-context.ts";

const maximumRemembered = 200;

interface Memory {
  readonly values: Map<string, unknown>;
  readonly scope: string;
}

const [MemoryContext, useMemory] = requiredContext<Memory>("RememberedProvider");

/** Remembers the state of closed screens: list position, order, filter, open tab. */
export function RememberedProvider(props: {
  /** Owner of the state, such as the open workspace. */
  readonly scope: string;
  readonly children: ReactNode;
}) {
  const { scope } = props;
  const [values] = useState(() => new Map<string, unknown>());
  const memory = useMemo(() => ({ values, scope }), [values, scope]);
  return <MemoryContext value={memory}>{props.children}</MemoryContext>;
}

/** State that outlives its screen under a name, for when the screen is opened again. */
export function useRemembered<Value>(
  name: string,
  initial: Value,
): [Value, (change: Value | ((now: Value) => Value)) => void] {
  const { values, scope } = useMemory();
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
    },
    [values, key, initial],
  );
  return [value, change];
}

/** Returns a function that reads all owners' states of this name. */
export function useAllRemembered(name: string): () => readonly unknown[] {
  const { values } = useMemory();
  return () => [...values].flatMap(([key, value]) => (key.endsWith(` ${name}`) ? [value] : []));
}
