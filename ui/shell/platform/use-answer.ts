import { useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import type { Client } from "#client/index.ts";
import type { Answer } from "../../kit/answers/cache.ts";
import { usePlatform } from "./use-platform.tsx";

export interface AnswerOptions<Value> {
  /** Ask again this often while it is shown; may depend on the answer. Not at all without it. */
  readonly refreshMs?: number | ((value: Value | undefined) => number) | undefined;
  /** Whether the question can be asked yet; true unless given. */
  readonly enabled?: boolean | undefined;
}

export interface LiveAnswer<Value> extends Answer<Value> {
  /** Asks again now. */
  refresh(): void;
}

/** The name of a question: whom it is asked of, its route, its parameters. */
export function useQuestionKey(parts: readonly (string | number | undefined)[]): string {
  const { session, tenantId } = usePlatform();
  return JSON.stringify([session.baseUrl, session.user, tenantId, ...parts]);
}

/**
 * What the platform answers to a question. The answer of last time is there at once; asking again
 * happens behind it, is given up when nobody looks any more, and never blocks a frame.
 */
export function useAnswer<Value>(
  parts: readonly (string | number | undefined)[],
  ask: (client: Client, signal: AbortSignal) => Promise<Value>,
  options: AnswerOptions<Value> = {},
): LiveAnswer<Value> {
  const { cache, client, pulse, failure } = usePlatform();
  const { refreshMs, enabled = true } = options;
  const key = useQuestionKey(parts);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const answer = useSyncExternalStore(
    useCallback((listener: () => void) => cache.subscribe(key, listener), [cache, key]),
    () => cache.read<Value>(key),
  );
  const refresh = useCallback(() => {
    if (client === undefined || !enabled) return;
    void cache.ask(key, (signal) => latest.current(client, signal));
  }, [cache, client, enabled, key]);
  useEffect(refresh, [refresh, pulse]);
  const everyMs = typeof refreshMs === "function" ? refreshMs(answer.value) : refreshMs;
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(refresh, everyMs);
    return () => clearInterval(timer);
  }, [refresh, everyMs]);
  return { ...answer, failure: answer.failure ?? failure, refresh };
}
