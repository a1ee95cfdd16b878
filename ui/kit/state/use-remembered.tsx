import { createContext, useCallback, useState, type ReactNode } from "react";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useProvided } from "./use-provided.ts";

const maximumKept = 200;

const KeptContext = createContext<Map<string, unknown> | undefined>(undefined);

/** Remembers how screens were left: place in the list, order, filter, open tab. */
export function KeptProvider(props: { readonly children: ReactNode }) {
  const [kept] = useState(() => new Map<string, unknown>());
  return <KeptContext value={kept}>{props.children}</KeptContext>;
}

/** State that outlives its screen under a key, so that going back finds everything as it was. */
export function useKept<Value>(
  name: string,
  initial: Value,
): [Value, (change: Value | ((now: Value) => Value)) => void] {
  const kept = useProvided(KeptContext, "KeptProvider");
  // Each workspace is left and found again as it was.
  const key = `${usePlatform().tenantId ?? ""} ${name}`;
  const read = () => (kept.has(key) ? kept.get(key) : initial) as Value;
  const [held, setHeld] = useState<{ key: string; value: Value }>(() => ({ key, value: read() }));
  const value = held.key === key ? held.value : read();
  const change = useCallback(
    (next: Value | ((now: Value) => Value)) => {
      const before = (kept.has(key) ? kept.get(key) : initial) as Value;
      const after = next instanceof Function ? next(before) : next;
      kept.delete(key);
      kept.set(key, after);
      const oldest = kept.size > maximumKept ? kept.keys().next() : undefined;
      if (oldest?.value !== undefined) kept.delete(oldest.value);
      setHeld({ key, value: after });
    },
    [kept, key, initial],
  );
  return [value, change];
}
