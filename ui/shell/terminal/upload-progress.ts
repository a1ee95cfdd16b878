import type { Followed } from "../../kit/state/store.ts";
import type { Upload } from "../use-uploads.ts";
import type { TerminalProgress } from "./progress.ts";

/** Reports the bytes of the running uploads; the returned function ends that. */
export function followUploads(
  list: Followed<readonly Upload[]>,
  progress: TerminalProgress,
): () => void {
  return list.subscribe(() => {
    const sending = list.get().filter(({ state }) => state === "sending");
    if (sending.length === 0) return progress.end("uploads");
    const total = sending.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
    const sent = sending.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
    progress.report("uploads", total === 0 ? undefined : sent / total);
  });
}
