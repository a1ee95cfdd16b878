import { Area, Line, Lines, Paint, StatusBadge } from "../kit/theme/paint.tsx";
import { Pane, paneBorder } from "../kit/panes/pane.tsx";
import { Waiting } from "../kit/theme/waiting.tsx";
import { failureTexts, needsSignIn, type Failure } from "../kit/answers/failure.ts";
import { useHostActions } from "../shell/platform/use-host-actions.tsx";
import { useCopy } from "../shell/use-copy.ts";
import { useHealth } from "../shell/platform/use-health.ts";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { useLayout } from "../kit/panes/use-layout.tsx";
import { useOverlays } from "../shell/overlays/use-overlays.tsx";
import { usePanes } from "../kit/panes/use-panes.tsx";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useSignIn, type SignInRun } from "./use-sign-in.ts";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { keyName, type Intent } from "../kit/keys/key-table.ts";
import { clipText, wrapText } from "../kit/text/text-layout.ts";

const panes = ["signIn"];

/** No sign-in, or no platform: says which, and leads to one. */
export function SignInScreen() {
  const layout = useLayout();
  const { session } = usePlatform();
  const actions = useHostActions();
  const overlays = useOverlays();
  const copy = useCopy();
  const { focused } = usePanes(panes);
  const health = useHealth();
  const { run, failure, begin, giveUp } = useSignIn();
  const choosePlatform = () =>
    overlays.show({
      kind: "ask",
      question: {
        title: "Another platform",
        words: "Its address, as a browser would open it.",
        initial: session.baseUrl,
        placeholder: "https://platform.example",
        problemOf: (text) =>
          /^https?:\/\/[^\s/]+/.test(text) ? undefined : "begins with http:// or https://",
        onAnswer: (text) => begin("changing the platform", () => actions.choosePlatform(text)),
      },
    });
  // Why a user who was signed in stands here.
  const { failure: refusal } = useWorkspaces();
  const isRefused = session.signedIn && refusal !== undefined && needsSignIn(refusal);
  const shownFailure = failure ?? (isRefused && run === undefined ? refusal : undefined);
  const { startLocal } = actions;
  const idle = run === undefined;
  const reachable = health.value !== undefined && health.failure === undefined;
  const shownStep = run?.step;
  useKeys("place", {
    signInBrowser: idle
      ? () => begin("waiting for the browser", (request) => actions.signIn("browser", request))
      : undefined,
    signInDevice: idle
      ? () => begin("waiting for the code", (request) => actions.signIn("device", request))
      : undefined,
    startLocal:
      idle && startLocal !== undefined
        ? () => begin("starting a platform on this machine", startLocal)
        : undefined,
    choosePlatform: idle ? choosePlatform : undefined,
    copyText:
      shownStep !== undefined && shownStep.kind !== "progress"
        ? () => copy(shownStep.url)
        : undefined,
    goBack: idle ? undefined : giveUp,
  });
  const width = layout.columns;
  const inner = width - paneBorder - 4;
  return (
    <Pane title="Sign in" width={width} height={layout.height} focused={focused === "signIn"}>
      <Area height={layout.height - paneBorder}>
        <Line> </Line>
        <Line>
          {"  "}
          <Paint as="quiet">Platform </Paint>
          <Paint as="title">{clipText(session.baseUrl, inner - 30)}</Paint>{" "}
          {reachable ? (
            <StatusBadge status="live" words="answers" />
          ) : health.failure === undefined ? (
            <StatusBadge status="connecting" words="looking for it" />
          ) : (
            <StatusBadge status="offline" words="does not answer" />
          )}
        </Line>
        <Line> </Line>
        {run === undefined ? (
          <Ways reachable={reachable} canStart={startLocal !== undefined} />
        ) : (
          <RunLines run={run} width={inner} />
        )}
        {shownFailure === undefined ? null : <FailureLines failure={shownFailure} width={inner} />}
      </Area>
    </Pane>
  );
}

const ways: readonly { readonly intent: Intent; readonly words: string }[] = [
  { intent: "startLocal", words: "start or use a platform on this machine, and sign in to it" },
  { intent: "signInBrowser", words: "sign in with the browser on this machine" },
  { intent: "signInDevice", words: "sign in with a code, in a browser anywhere" },
  { intent: "choosePlatform", words: "another platform address" },
];

/** The ways on, the likeliest first: with no platform there, starting one. */
function Ways(props: { readonly reachable: boolean; readonly canStart: boolean }) {
  const { reachable, canStart } = props;
  const rank = (intent: Intent) => (intent === "startLocal" && reachable ? 1 : 0);
  const offered = ways
    .filter(({ intent }) => canStart || intent !== "startLocal")
    .toSorted((a, b) => rank(a.intent) - rank(b.intent));
  return (
    <>
      {offered.map(({ intent, words }) => (
        <Line key={intent}>
          {"  "}
          <Paint as="key">{keyName(intent)}</Paint>
          {"  "}
          {words}
        </Line>
      ))}
      <Line> </Line>
      <Line as="quiet">
        {"  "}The same in a script: svc login, svc login --device, svc serve, SVC_TOKEN
      </Line>
    </>
  );
}

function RunLines(props: { readonly run: SignInRun; readonly width: number }) {
  const { run, width } = props;
  const { step } = run;
  const indent = "  ";
  const url = step === undefined || step.kind === "progress" ? [] : wrapText(step.url, width);
  return (
    <>
      <Line>
        {indent}
        <Waiting words={step?.kind === "progress" ? step.words : run.words} />
      </Line>
      <Line> </Line>
      {step?.kind === "browser" ? (
        <Line as="quiet">
          {indent}If no browser opened, open this address ({keyName("copyText")} copies it):
        </Line>
      ) : null}
      {step?.kind === "device" ? (
        <Line as="quiet">
          {indent}Open this address ({keyName("copyText")} copies it) and type the code:
        </Line>
      ) : null}
      <Lines lines={url} as="link" margin={indent.length} />
      {step?.kind === "device" ? (
        <Line as="title">
          {indent}
          {step.code}
        </Line>
      ) : null}
      <Line> </Line>
      <Line as="quiet">
        {indent}
        {keyName("goBack")} gives up
      </Line>
    </>
  );
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
