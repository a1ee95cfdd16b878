import { useEffect, useRef, useState } from "react";
import { plainLine } from "#lib/terminal-text.ts";
import { failureOf, type Failure } from "../kit/answers/failure.ts";
import type { DashboardSession, SignInRequest, SignInStep } from "../surface.ts";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useRouter } from "../shell/use-router.tsx";

/** A sign-in on its way. */
export interface SignInRun {
  /** What is awaited until a step says more. */
  readonly words: string;
  readonly step: SignInStep | undefined;
}

export interface SignIn {
  readonly run: SignInRun | undefined;
  /** Why the last one did not work. */
  readonly failure: Failure | undefined;
  /** Starts one, in place of one that runs; the session that comes of it is entered. */
  begin(words: string, work: (request: SignInRequest) => Promise<DashboardSession>): void;
  giveUp(): void;
}

/** What a provider says is drawn like any text from outside. */
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

/** Signing in, one way at a time; leaving the screen gives it up. */
export function useSignIn(): SignIn {
  const { changeSession } = usePlatform();
  const { restart } = useRouter();
  const [run, setRun] = useState<SignInRun | undefined>(undefined);
  const [failure, setFailure] = useState<Failure | undefined>(undefined);
  const aborter = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => aborter.current?.abort(), []);

  const enter = (next: DashboardSession) => {
    changeSession(next);
    if (!next.signedIn) return;
    restart({ place: next.workspace === undefined ? "workspaces" : "resources" });
  };
  const giveUp = () => {
    aborter.current?.abort();
    setRun(undefined);
  };
  const begin: SignIn["begin"] = (words, work) => {
    aborter.current?.abort();
    const mine = new AbortController();
    aborter.current = mine;
    setFailure(undefined);
    setRun({ words, step: undefined });
    const onStep = (step: SignInStep) => {
      if (!mine.signal.aborted) setRun({ words, step: harmless(step) });
    };
    const follow = async () => {
      try {
        const next = await work({ signal: mine.signal, onStep });
        if (mine.signal.aborted) return;
        setRun(undefined);
        enter(next);
      } catch (error) {
        if (mine.signal.aborted) return;
        setRun(undefined);
        setFailure(failureOf(error));
      }
    };
    void follow();
  };
  return { run, failure, begin, giveUp };
}
