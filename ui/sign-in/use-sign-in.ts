import { useEffect, useRef, useState } from "react";
import { plainLine } from "#lib/text/terminal.ts";
import { failureOf, type Failure } from "../kit/answers/failure.ts";
import { usePlatformLink } from "../shell/platform/use-platform.ts";
import { useRouter } from "../shell/router.ts";
import type { DashboardSession, SignInRequest, SignInStep } from "../surface.ts";

export interface SignInRun {
  /** Shown until a step replaces it. */
  readonly words: string;
  readonly step: SignInStep | undefined;
}

export interface SignIn {
  readonly run: SignInRun | undefined;
  readonly failure: Failure | undefined;
  /** Starts a sign-in in place of the running one, and opens its session. */
  begin(words: string, work: (request: SignInRequest) => Promise<DashboardSession>): void;
  cancel(): void;
}

/** A step without control characters, which come from the provider. */
function harmless(step: SignInStep): SignInStep {
  switch (step.kind) {
    case "browser":
      return { ...step, url: plainLine(step.url) };
    case "device":
      return { ...step, url: plainLine(step.url), code: plainLine(step.code) };
    case "progress":
      return { ...step, words: plainLine(step.words) };
  }
}

/**
 * Signs in, one attempt at a time; leaving the screen cancels it. `starting` is the text of an
 * attempt that begins with the screen.
 */
export function useSignIn(starting?: string): SignIn {
  const { changeSession } = usePlatformLink();
  const { restart } = useRouter();
  const [run, setRun] = useState<SignInRun | undefined>(
    starting === undefined ? undefined : { words: starting, step: undefined },
  );
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const aborter = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);
  const enter = (session: DashboardSession) => {
    changeSession(session);
    if (!session.signedIn) return;
    restart(
      session.workspace === undefined
        ? { place: "workspaces" }
        : (session.kept?.route ?? { place: "home" }),
    );
  };
  return {
    run,
    failure,
    begin: (words, work) => {
      aborter.current?.abort();
      const current = new AbortController();
      aborter.current = current;
      const { signal } = current;
      setFailure(undefined);
      setRun({ words, step: undefined });
      const onStep = (step: SignInStep) => {
        if (!signal.aborted) setRun({ words, step: harmless(step) });
      };
      const end = (show: () => void) => {
        if (signal.aborted) return;
        setRun(undefined);
        show();
      };
      const started = Promise.try(() => work({ signal, onStep }));
      started.then(
        (session) => end(() => enter(session)),
        (error: unknown) => end(() => setFailure(failureOf(error))),
      );
    },
    cancel: () => {
      aborter.current?.abort();
      setRun(undefined);
    },
  };
}
