import { createContext, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { failureLine, isAbort } from "../kit/answers/failure.ts";
import { useProvided } from "../kit/state/use-provided.ts";

export interface Notice {
  readonly kind: "done" | "note" | "failed";
  readonly words: string;
}

interface Notices {
  readonly message: Notice | undefined;
  say(kind: Notice["kind"], words: string): void;
  /** Says in one line why something did not work. */
  sayFailure(error: unknown): void;
  /** Takes the message away: what opens next has keys of its own to show in its place. */
  clear(): void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);

/** What went wrong is longer to read, and missed by whoever looks away for a moment. */
const shownMs: Readonly<Record<Notice["kind"], number>> = {
  done: 4_000,
  note: 4_000,
  failed: 10_000,
};

export function NoticesProvider(props: { readonly children: ReactNode }) {
  const [message, setMessage] = useState<Notice | undefined>(undefined);
  const say = useCallback((kind: Notice["kind"], words: string) => setMessage({ kind, words }), []);
  const sayFailure = useCallback(
    (error: unknown) => {
      if (!isAbort(error)) say("failed", failureLine(error));
    },
    [say],
  );
  const clear = useCallback(() => setMessage(undefined), []);
  useEffect(() => {
    if (message === undefined) return undefined;
    const timer = setTimeout(() => setMessage(undefined), shownMs[message.kind]);
    return () => clearTimeout(timer);
  }, [message]);
  const notices = useMemo(
    () => ({ message, say, sayFailure, clear }),
    [message, say, sayFailure, clear],
  );
  return <NoticesContext value={notices}>{props.children}</NoticesContext>;
}

/** Telling the user what just happened. */
export function useNotices(): Notices {
  return useProvided(NoticesContext, "NoticesProvider");
}
