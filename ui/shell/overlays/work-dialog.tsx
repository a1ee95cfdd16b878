import { useEffect, useEffectEvent, useRef, useState } from "react";
import { failureOf, failureTexts, isAbort } from "../../kit/answers/failure.ts";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { useNotices } from "../use-notices.tsx";
import { keyName } from "../../kit/keys/key-table.ts";
import { wrapText } from "../../kit/text/text-layout.ts";
import { trackWork, type Work, type WorkOutcome, type WorkProgress } from "../../kit/state/work.ts";
import { countWords, progressBar } from "../../kit/text/words.ts";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import { Area, Line, Lines, Paint } from "../../kit/theme/paint.tsx";

/** Progress is drawn at most this often. */
const drawnMs = 100;
const nothingDone: WorkProgress = { done: 0, total: undefined };

function failedOutcome(error: unknown): WorkOutcome {
  if (isAbort(error)) return { good: true, lines: ["stopped"] };
  return { good: false, lines: failureTexts(failureOf(error)) };
}

function barOf({ done, total }: WorkProgress, width: number): string {
  return total === undefined || total === 0 ? "" : progressBar(done / total, width);
}

/** Does work on many records or bytes: how far it is, Esc to stop it, and what came of it. */
export function WorkDialog(props: DialogProps & { readonly work: Work }) {
  const { work, columns, rows, onClose } = props;
  const { say } = useNotices();
  const [progress, setProgress] = useState(nothingDone);
  const [outcome, setOutcome] = useState<WorkOutcome | undefined>(undefined);
  const [stopping, setStopping] = useState(false);
  const aborter = useRef<AbortController | undefined>(undefined);
  const start = useEffectEvent((signal: AbortSignal, isGone: () => boolean) => {
    let drawnAt = 0;
    const report = (now: WorkProgress) => {
      if (isGone() || (performance.now() - drawnAt < drawnMs && now.done !== now.total)) return;
      drawnAt = performance.now();
      setProgress(now);
    };
    const end = (came: WorkOutcome) => {
      if (isGone()) return;
      const [only] = came.lines;
      if (came.good && came.lines.length === 1 && only !== undefined) {
        onClose();
        say("done", only);
      } else setOutcome(came);
    };
    trackWork(work.run(report, signal)).then(end, (error: unknown) => end(failedOutcome(error)));
  });
  useEffect(() => {
    let gone = false;
    const ours = new AbortController();
    aborter.current = ours;
    start(ours.signal, () => gone);
    return () => {
      gone = true;
      ours.abort();
    };
  }, []);
  const stop = () => {
    setStopping(true);
    aborter.current?.abort();
  };
  useKeys(
    "dialog",
    outcome === undefined ? { cancel: stop } : { submit: onClose, cancel: onClose },
  );
  const width = Math.min(72, columns);
  const inner = width - 4;
  const { done, total } = progress;
  const { wordsOf = countWords } = work;
  const of = total === undefined ? "" : ` of ${wordsOf(total)}`;
  const report = (outcome?.lines ?? []).flatMap((line) => wrapText(line, inner));
  const shown = report.slice(0, Math.max(1, rows - 5));
  const height = 2 + (outcome === undefined ? 3 : shown.length + 2);
  return (
    <Overlay title={work.title} columns={columns} rows={rows} width={width} height={height}>
      <Area height={height - 2}>
        {outcome === undefined ? (
          <>
            <Line>
              {" "}
              {wordsOf(done)}
              {of} {work.counted}
            </Line>
            <Line as="busy"> {barOf(progress, inner)}</Line>
            <Line as="quiet">
              {" "}
              {stopping ? "stopping …" : ""}
              {stopping ? null : <Paint as="key">{keyName("cancel")}</Paint>}
              {stopping ? "" : ` ${work.stop}`}
            </Line>
          </>
        ) : (
          <>
            <Lines lines={shown} as={outcome.good ? "text" : "bad"} margin={1} />
            <Line> </Line>
            <Line>
              {" "}
              <Paint as="key">{keyName("submit")}</Paint> closes this
            </Line>
          </>
        )}
      </Area>
    </Overlay>
  );
}
