import { given } from "#lib/given.ts";
import { commonKeys } from "../keys/base-keys.ts";
import { Text } from "../theme/text.tsx";
import { failureReason, needsSignIn, type Failure } from "../answers/failure.ts";
import { keyName } from "../keys/keys.ts";
import { useNow } from "../state/use-now.ts";
import { clipText, textWidth, wrapText } from "../text/text-layout.ts";
import { durationWords } from "../text/words.ts";
import { Area, Line, Lines, Paint } from "../theme/paint.tsx";
import { Waiting } from "./waiting.tsx";
import type { Size } from "./layout.ts";

/** The states of a screen other than "loaded": first load, empty, failed and stale. */

/** First load: the shape of the content, and the name of what is loaded. */
export function Skeleton(props: Size & { readonly words: string }) {
  const { width, height, words } = props;
  const bars = Array.from({ length: Math.max(0, Math.min(height - 2, 8)) }, (_, index) =>
    "▁".repeat(Math.max(4, Math.round(width * (0.8 - 0.07 * ((index * 3) % 5))))),
  );
  return (
    <Area width={width} height={height}>
      <Waiting words={words} />
      <Lines lines={bars} as="border" margin={2} />
    </Area>
  );
}

/** Nothing to show: what the screen would show, and the key for the next step. */
export function Empty(props: Size & { readonly words: string; readonly next?: string }) {
  const { width, height, words, next } = props;
  return (
    <Area width={width} height={height}>
      <Text> </Text>
      <Lines lines={wrapText(words, width - 4)} margin={2} />
      <Lines lines={wrapText(next ?? "", width - 4)} as="quiet" margin={2} />
    </Area>
  );
}

/** The key that helps: a refresh does not renew an expired sign-in. */
function nextStep(failure: Failure): string {
  return needsSignIn(failure)
    ? `${keyName(commonKeys.palette)} leads to “sign in”`
    : `${keyName(commonKeys.refresh)} tries again`;
}

/** The next step where nothing was loaded yet: the platform may be the wrong one. */
export function nextStepOrElsewhere(failure: Failure): string {
  const elsewhere = `${keyName(commonKeys.palette)} leads to “another platform”`;
  return needsSignIn(failure) ? nextStep(failure) : `${nextStep(failure)}, ${elsewhere}`;
}

/** The catalog error, the platform's details, and the next step. */
export function Failed(props: Size & { readonly failure: Failure; readonly next?: string }) {
  const { width, height, failure, next = nextStep(failure) } = props;
  const room = Math.max(1, width - 4);
  const head = `${failure.code === undefined ? "" : `${failure.code}  `}${failure.message}`;
  const body = [...failure.details, failure.suggestion ?? "", next].flatMap((text) =>
    text === "" ? [] : wrapText(text, room),
  );
  return (
    <Area width={width} height={height}>
      <Text> </Text>
      <Lines lines={wrapText(`✗ ${head}`, room)} as="bad" margin={2} />
      <Text> </Text>
      <Lines lines={body} as="quiet" margin={2} />
    </Area>
  );
}

/** The screen before its first answer: a skeleton, or the failure. */
export function Unanswered(
  props: Size & {
    readonly failure: Failure | undefined;
    readonly loading: string;
    readonly next?: string | undefined;
  },
) {
  const { failure, loading, next, ...area } = props;
  if (failure === undefined) return <Skeleton {...area} words={loading} />;
  return <Failed {...area} failure={failure} {...given({ next })} />;
}

/** One line of warning above the content. */
export function CautionLine(props: { readonly words: string; readonly width: number }) {
  return <Line as="warn">{clipText(` ▲ ${props.words}`, props.width)}</Line>;
}

function updatedWords(answeredAtMs: number | undefined, nowMs: number): string {
  if (answeredAtMs === undefined) return "updated earlier";
  const passedMs = nowMs - answeredAtMs;
  return passedMs < 1_000 ? "updated just now" : `updated ${durationWords(passedMs)} ago`;
}

/** How often the age of stale content is redrawn. */
const ageMs = 5_000;

/** One line above content whose refresh failed, else nothing; the next step is never cut. */
export function Stale(props: {
  readonly failure: Failure | undefined;
  readonly answeredAtMs: number | undefined;
  readonly width: number;
}) {
  const { failure, answeredAtMs, width } = props;
  const nowMs = useNow(failure === undefined ? undefined : ageMs);
  if (failure === undefined) return null;
  const age = `▲ ${updatedWords(answeredAtMs, nowMs)}`;
  const next = nextStep(failure);
  const room = Math.max(0, width - textWidth(age) - textWidth(next) - 6);
  return (
    <Line as="warn">
      {age}: {clipText(failureReason(failure), room)} <Paint as="quiet">· {next}</Paint>
    </Line>
  );
}
