import { Text } from "ink";
import { failureReason, needsSignIn, type Failure } from "../answers/failure.ts";
import type { Size } from "./layout.ts";
import { clipText, textWidth, wrapText } from "../text/text-layout.ts";
import { durationWords } from "../text/words.ts";
import { Area, Line, Lines, Paint } from "../theme/paint.tsx";
import { Waiting } from "../theme/waiting.tsx";
import { keyName } from "../keys/key-table.ts";

/** The four states beside "loaded" that every screen has, drawn on purpose. */

/** First load: the shape of what comes, and what is awaited. */
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

/** Nothing there: what it would show, and what to do next with which key. */
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

/** What to do about a failure: asking again mends no sign-in that has run out. */
function wayOn(failure: Failure): string {
  return needsSignIn(failure)
    ? `${keyName("palette")} leads to “sign in”`
    : `${keyName("refresh")} tries again`;
}

/** The same where nothing is known yet of the platform: it may be the wrong one. */
export function wayOnOrElsewhere(failure: Failure): string {
  const elsewhere = `${keyName("palette")} leads to “another platform”`;
  return needsSignIn(failure) ? wayOn(failure) : `${wayOn(failure)}, ${elsewhere}`;
}

/** The catalog error, what the platform adds to it, and the way on. */
export function Failed(props: Size & { readonly failure: Failure; readonly next?: string }) {
  const { width, height, failure, next = wayOn(failure) } = props;
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

/** One line above what is shown, of what must be known of it. */
export function CautionLine(props: { readonly words: string; readonly width: number }) {
  return <Line as="warn">{clipText(` ▲ ${props.words}`, props.width)}</Line>;
}

/** How old it is, to the second: `updated 40 s ago`. */
function updatedWords(answeredAtMs: number | undefined, nowMs: number): string {
  if (answeredAtMs === undefined) return "updated earlier";
  const passedMs = nowMs - answeredAtMs;
  return passedMs < 1_000 ? "updated just now" : `updated ${durationWords(passedMs)} ago`;
}

/** One line above what is still shown though the last question failed; the way on is never cut. */
export function Stale(props: {
  readonly failure: Failure;
  readonly answeredAtMs: number | undefined;
  readonly nowMs: number;
  readonly width: number;
}) {
  const { failure, answeredAtMs, nowMs, width } = props;
  const age = `▲ ${updatedWords(answeredAtMs, nowMs)}`;
  const way = wayOn(failure);
  const room = Math.max(0, width - textWidth(age) - textWidth(way) - 6);
  return (
    <Line as="warn">
      {age}: {clipText(failureReason(failure), room)} <Paint as="quiet">· {way}</Paint>
    </Line>
  );
}
