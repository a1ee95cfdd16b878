import { useEffect, useRef } from "react";
import { signInKeys, type SignInKeys } from "./keys.ts";
import { commonKeys } from "../kit/keys/base-keys.ts";
import { shellKeys } from "../shell/keys.ts";
import { failureTexts, needsSignIn, type Failure } from "../kit/answers/failure.ts";
import { keyName } from "../kit/keys/keys.ts";
import { useKeys } from "../kit/keys/use-keys.ts";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { clipText, wrapText } from "../kit/text/text-layout.ts";
import { Area, Line, Lines, Paint, StatusBadge } from "../kit/theme/paint.tsx";
import { Waiting } from "../kit/panes/waiting.tsx";
import { useNow } from "../kit/state/use-now.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useHealth } from "../shell/platform/use-health.ts";
import { useHost } from "../shell/host.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { CodePicture } from "./code-picture.tsx";
import { useSignIn, type SignIn, type SignInRun } from "./use-sign-in.ts";

const panes = ["signIn"];
/** Columns of the longest state next to the address. */
const badgeRoom = 19;
/** A narrower screen has the address without a word before it. */
const wordRoom = 60;

export function SignInScreen() {
  const layout = useLayout();
  const { session } = usePlatform();
  const { focused } = usePanes(panes);
  const { value: health, failure: healthFailure } = useHealth();
  const host = useHost();
  const canStart = host.actions.startLocal !== undefined;
  // A foreign platform may answer at the usual address of the one on this machine.
  const isLocal = canStart && host.start?.startsLocal === true && session === host.session;
  const signIn = useSignIn(isLocal ? localWords : undefined);
  const { run } = signIn;
  // A signed-in user is here because the platform refused the session.
  const { failure: refusal } = useWorkspaces();
  const isRefused = session.signedIn && refusal !== undefined && needsSignIn(refusal);
  const failure = signIn.failure ?? (isRefused && run === undefined ? refusal : undefined);
  const reachable = health !== undefined && healthFailure === undefined;
  const offered = offeredWays(reachable && !isLocal, canStart);
  useSignInKeys(signIn, offered[0]?.intent);
  useLocalStart(signIn, isLocal);
  const width = layout.columns;
  const inner = width - paneBorder - 4;
  return (
    <Pane title="Sign in" width={width} height={layout.height} focused={focused === "signIn"}>
      <Area height={layout.height - paneBorder}>
        <Line> </Line>
        <Line>
          {"  "}
          {inner < wordRoom ? null : <Paint as="quiet">Platform </Paint>}
          {isLocal ? (
            <Paint as="title">on this machine</Paint>
          ) : (
            <>
              <Paint as="title">{clipText(session.baseUrl, inner - badgeRoom)}</Paint>{" "}
              <Reached isReachable={reachable} hasFailed={healthFailure !== undefined} />
            </>
          )}
        </Line>
        <Line> </Line>
        {run === undefined ? (
          <Ways offered={offered} width={width - paneBorder} />
        ) : (
          <RunLines run={run} width={inner} height={layout.height - paneBorder - headRows} />
        )}
        {failure === undefined ? null : <FailureLines failure={failure} width={inner} />}
      </Area>
    </Pane>
  );
}

function Reached(props: { readonly isReachable: boolean; readonly hasFailed: boolean }) {
  if (props.isReachable) return <StatusBadge status="live" words="answers" />;
  return props.hasFailed ? (
    <StatusBadge status="offline" words="does not answer" />
  ) : (
    <StatusBadge status="connecting" words="connecting" />
  );
}

const localWords = "starting a platform on this machine";

/** Goes on at the platform on this machine, where the last start has ended. */
function useLocalStart({ begin }: SignIn, isLocal: boolean): void {
  const { startLocal } = useHost().actions;
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isLocal || startLocal === undefined || isBegun.current) return;
    isBegun.current = true;
    begin(localWords, startLocal);
  });
}

/** Handles the keys; Enter takes the first of the ways that the screen offers. */
function useSignInKeys({ run, begin, cancel }: SignIn, first: Way | undefined): void {
  const { session } = usePlatform();
  const { signIn, startLocal, choosePlatform } = useHost().actions;
  const overlays = useOverlays();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const askPlatform = () =>
    overlays.ask({
      title: "Another platform",
      words: "The address of the platform, as a browser opens it.",
      initial: session.baseUrl,
      placeholder: "https://platform.example",
      problemOf: (text) =>
        /^https?:\/\/[^\s/]+/.test(text) ? undefined : "must begin with http:// or https://",
      onAnswer: (text) => begin("changing the platform", () => choosePlatform(text)),
    });
  const whenIdle = (start: () => void) => (run === undefined ? start : undefined);
  const step = run?.step;
  const takeWay = {
    signInBrowser: whenIdle(() =>
      begin("waiting for the browser", (request) => signIn("browser", request)),
    ),
    signInDevice: whenIdle(() =>
      begin("waiting for the code", (request) => signIn("device", request)),
    ),
    startLocal: startLocal && whenIdle(() => begin(localWords, startLocal)),
    choosePlatform: whenIdle(askPlatform),
  };
  useKeys<SignInKeys>("place", {
    ...takeWay,
    takeFirstWay: first && takeWay[first],
    copyCommand: whenIdle(() => copyCommand.onPlatform(["login"])),
    copyText: step === undefined || step.kind === "progress" ? undefined : () => copy(step.url),
    goBack: run === undefined ? undefined : cancel,
  });
}

type Way = Exclude<keyof typeof signInKeys, "takeFirstWay">;

interface OfferedWay {
  readonly intent: Way;
  readonly words: string;
  /** The words of a narrow screen. */
  readonly short: string;
}

const ways: readonly OfferedWay[] = [
  {
    intent: "startLocal",
    words: "start or use a platform on this machine, and sign in to it",
    short: "a platform on this machine",
  },
  {
    intent: "signInBrowser",
    words: "sign in with the browser on this machine",
    short: "sign in with the browser",
  },
  {
    intent: "signInDevice",
    words: "sign in with a code, in a browser anywhere",
    short: "sign in with a code",
  },
  {
    intent: "choosePlatform",
    words: "another platform address",
    short: "another platform address",
  },
];

/** The ways to sign in; without a reachable platform the first one starts it. */
function offeredWays(reachable: boolean, canStart: boolean): readonly OfferedWay[] {
  const rank = (intent: Way) => (intent === "startLocal" && reachable ? 1 : 0);
  return ways
    .filter(({ intent }) => canStart || intent !== "startLocal")
    .toSorted((a, b) => rank(a.intent) - rank(b.intent));
}

const waysMargin = 7;

function Ways(props: { readonly offered: readonly OfferedWay[]; readonly width: number }) {
  const { offered, width } = props;
  return (
    <>
      {offered.map(({ intent, words, short }, at) => (
        <Line key={intent}>
          {"  "}
          <Paint as="key">{keyName(signInKeys[intent])}</Paint>
          <Paint as="key">{at === 0 ? ` ${keyName(signInKeys.takeFirstWay)}` : "  "}</Paint>
          {"  "}
          {words.length > width - waysMargin ? short : words}
        </Line>
      ))}
      <Line> </Line>
      <Line as="quiet">
        {"  "}
        {keyName(commonKeys.copyCommand)} copies the command that signs in
      </Line>
    </>
  );
}

/** Rows of the platform, and the blank ones around it. */
const headRows = 3;
/** Rows of a running sign-in without the address and the picture of it. */
const runRows = 7;

function RunLines(props: {
  readonly run: SignInRun;
  readonly width: number;
  readonly height: number;
}) {
  const { run, width, height } = props;
  const { step } = run;
  const indent = "  ";
  const copyHint = `(${keyName(shellKeys.copyText)} copies it)`;
  const hint = {
    browser: `If no browser opened, open this address ${copyHint}:`,
    device: `Open this address ${copyHint} and type the code:`,
    progress: undefined,
  }[step?.kind ?? "progress"];
  const url = step === undefined || step.kind === "progress" ? [] : wrapText(step.url, width);
  return (
    <>
      <Line>
        {indent}
        <Waiting words={step?.kind === "progress" ? step.words : run.words} />
      </Line>
      <Line> </Line>
      {hint === undefined ? null : <Line as="quiet">{indent + hint}</Line>}
      <Lines lines={url} as="link" margin={indent.length} />
      {step?.kind === "device" ? <Line as="title">{indent + step.code}</Line> : null}
      {step?.kind === "device" && step.endsAtMs !== undefined ? (
        <Countdown endsAtMs={step.endsAtMs} />
      ) : null}
      <Line> </Line>
      <Line as="quiet">
        {indent}
        {keyName(commonKeys.goBack)} cancels
      </Line>
      {step?.kind === "device" ? (
        <CodePicture url={step.url} rows={height - runRows - url.length} />
      ) : null}
    </>
  );
}

const countedMs = 1_000;

/** The time that is left to type a code, once a second. */
function Countdown({ endsAtMs }: { readonly endsAtMs: number }) {
  const leftMs = Math.max(0, endsAtMs - useNow(countedMs));
  return <Line as="quiet">{`  the code ends in ${leftWords(leftMs)}`}</Line>;
}

/** Minutes and seconds, e.g. `9:05`. */
function leftWords(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function FailureLines(props: { readonly failure: Failure; readonly width: number }) {
  const { failure, width } = props;
  const [head, ...body] = failureTexts(failure);
  return (
    <>
      <Line> </Line>
      <Lines lines={wrapText(`✗ ${head}`, width)} as="bad" margin={2} />
      <Lines lines={body.flatMap((text) => wrapText(text, width))} as="quiet" margin={2} />
    </>
  );
}
