import { commonKeys } from "../../kit/keys/base-keys.ts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { failureOf, failureTexts, isAbort } from "../../kit/answers/failure.ts";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import { keyName } from "../../kit/keys/keys.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import {
  doneMark,
  trackWork,
  type Work,
  type WorkOutcome,
  type WorkProgress,
} from "../../kit/state/work.ts";
import { wrapText } from "../../kit/text/text-layout.ts";
import { countWords, progressBar } from "../../kit/text/words.ts";
import { Line, Paint } from "../../kit/theme/paint.tsx";
import { useNotices } from "../notices.ts";
import { usePart } from "../../kit/state/part.ts";
import { progressPart } from "../terminal/progress.ts";

const drawMs = 100;
const nothingDone: WorkProgress = { done: 0, total: undefined };

function failedOutcome(error: unknown): WorkOutcome {
  if (isAbort(error)) return { good: true, lines: ["stopped"] };
  return { good: false, lines: failureTexts(failureOf(error)) };
}

/** Runs work once, and gives its progress, its outcome and a function that stops it. */
function useWork(work: Work, onMessage: (message: string) => void) {
  const [progress, setProgress] = useState(nothingDone);
  const [outcome, setOutcome] = useState<WorkOutcome | undefined>(undefined);
  const terminalProgress = usePart(progressPart);
  const aborter = useRef<AbortController | undefined>(undefined);
  const start = useEffectEvent((signal: AbortSignal, isClosed: () => boolean) => {
    let drawnAt = 0;
    const report = (now: WorkProgress) => {
      const isEarly = performance.now() - drawnAt < drawMs && now.done !== now.total;
      if (isClosed() || isEarly) return;
      drawnAt = performance.now();
      setProgress(now);
      terminalProgress.report(work.title, now.total ? now.done / now.total : undefined);
    };
    const end = (result: WorkOutcome) => {
      terminalProgress.end(work.title);
      if (isClosed()) return;
      const [only, ...others] = result.lines;
      if (result.good && only !== undefined && others.length === 0) onMessage(only);
      else setOutcome(result);
    };
    trackWork(work.run(report, signal)).then(end, (error: unknown) => end(failedOutcome(error)));
  });
  useEffect(() => {
    let closed = false;
    const current = new AbortController();
    aborter.current = current;
    start(current.signal, () => closed);
    return () => {
      closed = true;
      current.abort();
    };
  }, []);
  return { progress, outcome, stop: () => aborter.current?.abort() };
}

/** The outcome of work, line by line; a longer one is scrolled. */
function Outcome(
  props: DialogProps & {
    readonly outcome: WorkOutcome;
    readonly title: string;
    readonly width: number;
  },
) {
  const { outcome, onClose, title, width, ...area } = props;
  const [top, setTop] = useState(0);
  const lines = outcome.lines.flatMap((line) => {
    const as = outcome.good || line.startsWith(doneMark) ? "text" : "bad";
    return wrapText(line, width - 4).map((text) => ({ text, as }) as const);
  });
  const room = Math.max(1, area.rows - 5);
  const last = Math.max(0, lines.length - room);
  const scroll = (by: number) => setTop((now) => Math.max(0, Math.min(now + by, last)));
  useKeys("dialog", {
    submit: onClose,
    cancel: onClose,
    up: (count) => scroll(-count),
    down: (count) => scroll(count),
  });
  const shown = lines.slice(top, top + room);
  return (
    <Overlay {...area} title={title} width={width} height={shown.length + 4}>
      {shown.map(({ text, as }, index) => (
        <Line key={index} as={as}>
          {` ${text}`}
        </Line>
      ))}
      <Line> </Line>
      <Line>
        {" "}
        <Paint as="key">{keyName(commonKeys.submit)}</Paint> closes this
        {last === 0 ? "" : `  ↑ ↓ ${top + 1} to ${top + shown.length} of ${lines.length} lines`}
      </Line>
    </Overlay>
  );
}

/** Runs work on many records or bytes and shows its progress; Esc stops it. */
export function WorkDialog(props: DialogProps & { readonly work: Work }) {
  const { work, onClose, ...area } = props;
  const { say } = useNotices();
  const [stopping, setStopping] = useState(false);
  const { progress, outcome, stop } = useWork(work, (message) => {
    onClose();
    say("done", message);
  });
  const cancel = () => {
    setStopping(true);
    stop();
  };
  useKeys("dialog", { cancel }, { active: outcome === undefined });
  const width = Math.min(72, area.columns);
  const inner = width - 4;
  if (outcome !== undefined) {
    return (
      <Outcome {...area} outcome={outcome} title={work.title} width={width} onClose={onClose} />
    );
  }
  const { done, total, part = work } = progress;
  const { counted, wordsOf = countWords } = part;
  const amount = total === undefined ? wordsOf(done) : `${wordsOf(done)} of ${wordsOf(total)}`;
  const bar = total === undefined || total === 0 ? "" : progressBar(done / total, inner);
  return (
    <Overlay {...area} title={work.title} width={width} height={5}>
      <Line>
        {" "}
        {amount} {counted}
      </Line>
      <Line as="busy"> {bar}</Line>
      {stopping ? (
        <Line as="quiet"> stopping …</Line>
      ) : (
        <Line as="quiet">
          {" "}
          <Paint as="key">{keyName(commonKeys.cancel)}</Paint> {work.stop}
        </Line>
      )}
    </Overlay>
  );
}
