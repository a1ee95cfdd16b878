import { Text } from "../theme/text.tsx";
import { spokenPart } from "../spoken/spoken.ts";
import { usePart } from "../state/part.ts";
import Spinner from "ink-spinner";
import { useEffect, useState } from "react";
import { useStyle } from "../theme/use-look.tsx";
import { durationWords } from "../text/words.ts";
import { Paint } from "../theme/paint.tsx";

const countedMs = 1_000;
/** Waits from this length on show their length. */
const longMs = 3_000;

function useWaitedMs(): number {
  const [waitedMs, setWaitedMs] = useState(0);
  useEffect(() => {
    const startedAtMs = performance.now();
    const timer = setInterval(() => setWaitedMs(performance.now() - startedAtMs), countedMs);
    return () => clearInterval(timer);
  }, []);
  return waitedMs;
}

export function Waiting(props: { readonly words: string }) {
  const waitedMs = useWaitedMs();
  const isSpoken = usePart(spokenPart).isSpoken;
  const busy = useStyle("busy");
  if (isSpoken) return <Paint as="quiet">{`${props.words} …`}</Paint>;
  const waited = waitedMs < longMs ? "" : `, ${durationWords(waitedMs)}`;
  return (
    <Text wrap="truncate-end" {...busy}>
      {/* Two frames at 250 ms; faster ones cost a tenth of a core. */}
      <Spinner type="toggle" /> <Paint as="quiet">{props.words + waited}</Paint>
    </Text>
  );
}
