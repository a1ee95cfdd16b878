import { Text } from "ink";
import type { Upload } from "../shell/use-uploads.ts";
import { failureReason } from "../kit/answers/failure.ts";
import { clipMiddle } from "../kit/text/text-layout.ts";
import { progressBar, sizeWords } from "../kit/text/words.ts";
import { Paint } from "../kit/theme/paint.tsx";

const barWidth = 20;

const stateWords = {
  sending: <Paint as="busy">▶ sending </Paint>,
  accepted: <Paint as="good">✓ accepted </Paint>,
  stopped: <Paint as="quiet">⊘ stopped </Paint>,
  failed: <Paint as="bad">✗ not sent </Paint>,
} as const;

export function UploadLines(props: {
  readonly uploads: readonly Upload[];
  readonly width: number;
}) {
  const nameWidth = Math.max(8, Math.min(40, props.width - 52));
  return props.uploads.map(({ id, state, filename, sentBytes, totalBytes, failure }) => {
    const isSending = state === "sending";
    const bar = `${progressBar(sentBytes / Math.max(1, totalBytes), barWidth)} `;
    const sizes = `${isSending ? `${sizeWords(sentBytes)} of ` : ""}${sizeWords(totalBytes)} `;
    return (
      <Text key={id} wrap="truncate-end">
        {" "}
        {stateWords[state]}
        {clipMiddle(filename, nameWidth)} {isSending ? <Paint as="busy">{bar}</Paint> : null}
        <Paint as="quiet">{sizes}</Paint>
        {failure === undefined ? null : <Paint as="bad">{failureReason(failure)}</Paint>}
      </Text>
    );
  });
}
