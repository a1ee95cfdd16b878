import { commonKeys } from "../../kit/keys/base-keys.ts";
import { useEffect, useEffectEvent, useState } from "react";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import type { Pending } from "../../kit/dialogs/questions.ts";
import { keyName } from "../../kit/keys/keys.ts";
import { useKeys } from "../../kit/keys/use-keys.ts";
import { Line, Paint } from "../../kit/theme/paint.tsx";
import { Waiting } from "../../kit/panes/waiting.tsx";
import { useNotices } from "../notices.ts";

/** Data that loads faster is not worth a window. */
const patienceMs = 150;

/** Blocks the keys until data has loaded, so that the next step opens over nothing else. */
export function WaitDialog(props: DialogProps & { readonly pending: Pending }) {
  const { pending, onClose, ...area } = props;
  const { sayFailure } = useNotices();
  const [isSlow, setIsSlow] = useState(false);
  const begin = useEffectEvent((signal: AbortSignal) => {
    const end = (next: () => void) => {
      if (signal.aborted) return;
      onClose();
      next();
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
    <Overlay {...area} title={pending.title} width={52} height={4}>
      <Line>
        {" "}
        <Waiting words={pending.words} />
      </Line>
      <Line as="quiet">
        {" "}
        <Paint as="key">{keyName(commonKeys.cancel)}</Paint> cancels
      </Line>
    </Overlay>
  );
}
