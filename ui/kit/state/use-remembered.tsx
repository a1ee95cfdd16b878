import { createContext, useCallback, useMemo, useState, type ReactNode } from "react";
import { useProvided } from "./use-provided.ts";

const maximumRemembered = 200;

interface Memory {
  readonly values: Map<string, unknown>;
  readonly scope: string;
}

const MemoryContext = createContext<Memory | undefined>(undefined);

/** Remembers how screens were left: place in the list, order, filter, open tab. */
export function RememberedProvider(props: {
  /** What it is remembered for, such as the open workspace: each is left and found again as it was. */
  readonly scope: string;
  readonly children: ReactNode;
}) {
  const { scope } = props;
  const [values] = useState(() => new Map<string, unknown>());
  const memory = useMemo(() => ({ values, scope }), [values, scope]);
  return <MemoryContext value={memory}>{props.children}</MemoryContext>;
}

/** State that outlives its screen under a key, so that going back finds everything as it was. */
export function useRemembered<Value>(
  name: string,
  initial: Value,
): [Value, (change: Value | ((now: Value) => Value)) => void] {
  const { values, scope } = useProvided(MemoryContext, "RememberedProvider");
  const key = `${scope} ${name}`;
  const read = () => (values.has(key) ? values.get(key) : initial) as Value;
  const [held, setHeld] = useState<{ key: string; value: Value }>(() => ({ key, value: read() }));
  const value = held.key === key ? held.value : read();
  const change = useCallback(
    (next: Value | ((now: Value) => Value)) => {
      const before = (values.has(key) ? values.get(key) : initial) as Value;
      const after = next instanceof Function ? next(before) : next;
      values.delete(key);
      values.set(key, after);
      const oldest = values.size > maximumRemembered ? values.keys().next() : undefined;
      if (oldest?.value !== undefined) values.delete(oldest.value);
      setHeld({ key, value: after });
    },
    [values, key, initial],
  );
  return [value, change];
}
