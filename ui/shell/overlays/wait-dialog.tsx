import type { Pending } from "../../kit/dialogs/questions.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { useKeys } from "../../kit/keys/use-keys.tsx";
import { useNotices } from "../use-notices.tsx";
import { keyName } from "../../kit/keys/key-table.ts";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import { Area, Line, Paint } from "../../kit/theme/paint.tsx";
import { Waiting } from "../../kit/theme/waiting.tsx";

/** An answer that comes at once is not worth a window of its own. */
const patienceMs = 150;
const width = 52;
const height = 4;

/** Holds the keys until an answer is there, so that it can't turn up over something else. */
export function WaitDialog(props: DialogProps & { readonly pending: Pending }) {
  const { pending, columns, rows, onClose } = props;
  const { sayFailure } = useNotices();
  const [isSlow, setIsSlow] = useState(false);
  const begin = useEffectEvent((signal: AbortSignal) => {
    const end = (then: () => void) => {
      if (signal.aborted) return;
      onClose();
      then();
    };
    pending.ask(signal).then(end, (error: unknown) => end(() => sayFailure(error)));
  });
  useEffect(() => {
    const aborter = new AbortController();
    begin(aborter.signal);
    const timer = setTimeout(() => setIsSlow(true), patienceMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, []);
  useKeys("dialog", { cancel: onClose });
  if (!isSlow) return null;
  return (
    <Overlay title={pending.title} columns={columns} rows={rows} width={width} height={height}>
      <Area height={height - 2}>
        <Line>
          {" "}
          <Waiting words={pending.words} />
        </Line>
        <Line as="quiet">
          {" "}
          <Paint as="key">{keyName("cancel")}</Paint> gives up
        </Line>
      </Area>
    </Overlay>
  );
}
