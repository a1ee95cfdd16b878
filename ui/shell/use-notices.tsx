import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { failureLine, isAbort } from "../kit/answers/failure.ts";
import { requiredContext } from "../kit/state/required-context.ts";

export interface Notice {
  readonly kind: "done" | "note" | "failed";
  readonly words: string;
}

interface Notices {
  readonly message: Notice | undefined;
  say(kind: Notice["kind"], words: string): void;
  /** Shows a failure in one line; aborts are not shown. */
  sayFailure(error: unknown): void;
  /** Removes the message. */
  clear(): void;
}

/** Messages above the footer. */
const [NoticesContext, useNotices] = requiredContext<Notices>("NoticesProvider");
export { useNotices };

/** Failures are longer to read and must not be missed. */
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
