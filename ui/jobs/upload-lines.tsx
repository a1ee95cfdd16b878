import { Text } from "ink";
import type { Upload } from "../shell/use-uploads.ts";
import { failureReason } from "../kit/answers/failure.ts";
import { clipMiddle } from "../kit/text/text-layout.ts";
import { progressBar, sizeWords } from "../kit/text/words.ts";
import { Paint } from "../kit/theme/paint.tsx";

const barColumns = 20;

/** The uploads, one line each: state, name, progress. */
export function UploadLines(props: {
  readonly uploads: readonly Upload[];
  readonly width: number;
}) {
  const nameWidth = Math.max(8, Math.min(40, props.width - 52));
  return props.uploads.map((upload) => (
    <Text key={upload.id} wrap="truncate-end">
      {" "}
      {upload.state === "sending" ? <Paint as="busy">▶ sending </Paint> : null}
      {upload.state === "accepted" ? <Paint as="good">✓ accepted </Paint> : null}
      {upload.state === "stopped" ? <Paint as="quiet">⊘ stopped </Paint> : null}
      {upload.state === "failed" ? <Paint as="bad">✗ not sent </Paint> : null}
      {clipMiddle(upload.filename, nameWidth)}{" "}
      {upload.state === "sending" ? (
        <Paint as="busy">
          {progressBar(upload.sentBytes / Math.max(1, upload.totalBytes), barColumns)}{" "}
        </Paint>
      ) : null}
      <Paint as="quiet">
        {upload.state === "sending" ? `${sizeWords(upload.sentBytes)} of ` : ""}
        {sizeWords(upload.totalBytes)}{" "}
      </Paint>
      {upload.failure === undefined ? null : (
        <Paint as="bad">{failureReason(upload.failure)}</Paint>
      )}
    </Text>
  ));
}
