import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Client } from "#client/index.ts";
import type { Answer } from "../../kit/answers/cache.ts";
import { shownPeriodMs } from "./freshness.ts";
import { followedRefreshMs, useChanges } from "./feed/use-changes.ts";
import { usePaceMs, useShownAnswer } from "./use-freshness.ts";
import { usePlatform, usePlatformLink, type PlatformState } from "./use-platform.ts";

export interface AnswerOptions<Value> {
  /**
   * Whether the answer is a visible part of the screen: it is then refreshed every 5 s while the
   * user looks, else every 30 s, and the header shows its age where that fails.
   */
  readonly shown?: boolean;
  /** Period of the refreshes; of a shown answer only where it is shorter while the user looks. */
  readonly refreshMs?: number | ((value: Value | undefined) => number) | undefined;
  /** Whether the request can be sent yet; true unless given. */
  readonly enabled?: boolean | undefined;
  /** Whether the request is also sent without an open workspace. */
  readonly anywhere?: boolean;
}

export interface LiveAnswer<Value> extends Answer<Value> {
  refresh(): void;
}

/** The name of a question and its parameters. */
export type QuestionParts = readonly (string | number | undefined)[];

/** The cache key of a question: platform, user, workspace, route and parameters. */
export function questionKey({ session, tenantId }: PlatformState, parts: QuestionParts): string {
  return JSON.stringify([session.baseUrl, session.user, tenantId, ...parts]);
}

export function useQuestionKey(parts: QuestionParts): string {
  return questionKey(usePlatform(), parts);
}

/** The cached answer of the platform, refreshed in the background while a component shows it. */
export function useAnswer<Value>(
  parts: QuestionParts,
  ask: (client: Client, signal: AbortSignal, tenantId: string | undefined) => Promise<Value>,
  options: AnswerOptions<Value> = {},
): LiveAnswer<Value> {
  const { cache, refreshes } = usePlatformLink();
  const { client, tenantId, failure } = usePlatform();
  const { refreshMs, anywhere = false, shown = false } = options;
  const paceMs = usePaceMs();
  const enabled = options.enabled !== false && (anywhere || tenantId !== undefined);
  const key = useQuestionKey(parts);
  const latest = useRef(ask);
  useEffect(() => {
    latest.current = ask;
  });
  const answer = useSyncExternalStore(
    useCallback((listener: () => void) => cache.subscribe(key, listener), [cache, key]),
    () => cache.read<Value>(key),
  );
  const [refresh, renew] = useMemo(() => {
    const asked = (isChanged: boolean) => () => {
      if (client === undefined || !enabled) return;
      void cache.ask(key, (signal) => latest.current(client, signal, tenantId), isChanged);
    };
    return [asked(false), asked(true)] as const;
  }, [cache, client, tenantId, enabled, key]);
  useEffect(() => {
    refresh();
    return refreshes.add(refresh);
  }, [refreshes, refresh]);
  const ownMs = typeof refreshMs === "function" ? refreshMs(answer.value) : refreshMs;
  const answered = useCallback(() => cache.read(key).answeredAtMs, [cache, key]);
  const { isFollowed, time, limitMs } = useChanges(parts, renew, answered, enabled);
  const hiddenMs = isFollowed && ownMs !== undefined ? Math.max(ownMs, followedRefreshMs) : ownMs;
  const everyMs = shown ? shownPeriodMs(isFollowed ? followedRefreshMs : paceMs, ownMs) : hiddenMs;
  useShownAnswer(shown && enabled ? time : undefined, limitMs);
  useEffect(() => {
    if (shown) refresh();
  }, [shown, refresh, paceMs]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(refresh, everyMs);
    return () => clearInterval(timer);
  }, [refresh, everyMs]);
  return { ...answer, failure: answer.failure ?? failure, refresh };
}
