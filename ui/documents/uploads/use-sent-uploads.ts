import { basename } from "node:path";
import { useEffect, useRef } from "react";
import type { Client } from "#client/index.ts";
import { failureLine, failureOf, isAbort } from "../../kit/answers/failure.ts";
import { fileSize } from "../../kit/files/files.ts";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useNotices } from "../../shell/use-notices.tsx";
import { useRouter } from "../../shell/use-router.tsx";
import type { Uploads } from "../../shell/use-uploads.ts";
import { isSending, useUploadList, type SentUpload, type UploadOrder } from "./use-upload-list.ts";
import { useUploadQuestions } from "./use-upload-questions.ts";

const progressMs = 200;

async function sendFile(
  client: Client,
  { path, context, mode, tenantId }: UploadOrder,
  options: {
    readonly totalBytes: number;
    readonly signal: AbortSignal;
    readonly onProgress: (sentBytes: number) => void;
  },
) {
  const file = Bun.file(path);
  let drawnAt = 0;
  const outcome = await client.useDocuments(tenantId).upload(
    {
      filename: basename(path),
      contentType: file.type,
      content: { size: options.totalBytes, stream: () => file.stream() },
    },
    { ...context.metadata, processingMode: mode },
    {
      signal: options.signal,
      onProgress: (sentBytes) => {
        if (performance.now() - drawnAt < progressMs) return;
        drawnAt = performance.now();
        options.onProgress(sentBytes);
      },
    },
  );
  return outcome.accepted();
}

export function useSentUploads(): Uploads {
  const { client, tenantId } = usePlatform();
  const { say } = useNotices();
  const { go, route } = useRouter();
  const currentRoute = useRef(route);
  useEffect(() => {
    currentRoute.current = route;
  });
  const list = useUploadList();

  const send = async (order: UploadOrder, isRetry = false) => {
    if (client === undefined) return;
    const { path } = order;
    const filename = basename(path);
    const totalBytes = await fileSize(path);
    if (totalBytes === undefined) return say("failed", `There is no file ${path}`);
    const { id, signal } = list.add({ filename, totalBytes, order }, isRetry);
    go({ place: "jobs" });
    try {
      const { jobId, documentNumber, documentId, duplicateOf } = await sendFile(client, order, {
        totalBytes,
        signal,
        onProgress: (sentBytes) => list.change(id, { sentBytes }),
      });
      list.change(id, { state: "accepted", sentBytes: totalBytes, jobId });
      list.removeLater(id);
      const name = documentNumber ?? documentId ?? filename;
      if (duplicateOf === undefined) say("done", `accepted as ${name}; its job is in the list`);
      else say("note", `these bytes are already stored as ${name}; nothing was run again`);
      // The upload may have taken long: the user may have left the jobs.
      if (currentRoute.current.place === "jobs") go({ place: "jobs", jobId });
    } catch (error) {
      if (isAbort(error)) {
        list.change(id, { state: "stopped" });
        list.removeLater(id);
        say("note", `stopped ${filename}; if all of it was sent, its job is in the list`);
        return;
      }
      list.change(id, { state: "failed", failure: failureOf(error) });
      say("failed", `${filename} was not uploaded: ${failureLine(error)}`);
    } finally {
      list.ended(id);
    }
  };

  const questions = useUploadQuestions((path, context, mode) => {
    if (tenantId !== undefined) void send({ path, context, mode, tenantId });
  });
  const { uploads } = list;
  const newest = uploads.find(isSending);
  const failed = uploads.find(
    ({ state, order }) => state === "failed" && order.tenantId === tenantId,
  );
  const sendAgain = ({ id, order }: SentUpload) => {
    // Removed at once, so that a key pressed twice sends the file once.
    list.remove(id);
    void send(order, true);
  };
  return {
    uploads,
    ...questions,
    stop: newest === undefined ? undefined : () => list.stop(newest.id),
    sendAgain: failed === undefined ? undefined : () => sendAgain(failed),
  };
}
