import { basename } from "node:path";
import { useEffect, useRef, useState } from "react";
import type { ProcessingMode } from "#client/index.ts";
import { failureLine, failureOf, isAbort } from "../../kit/answers/failure.ts";
import { fileSize } from "../../kit/files/files.ts";
import type { UploadContext } from "./upload-context.ts";
import { useNotices } from "../../shell/use-notices.tsx";
import { usePlatform } from "../../shell/platform/use-platform.tsx";
import { useRouter } from "../../shell/use-router.tsx";
import type { Upload, Uploads } from "../../shell/use-uploads.ts";
import { useUploadQuestions } from "./use-upload-questions.ts";

/** An upload, with what was sent where, to send it again. */
interface SentUpload extends Upload {
  readonly order: UploadOrder;
}

interface UploadOrder {
  readonly path: string;
  readonly context: UploadContext;
  readonly mode: ProcessingMode;
  readonly tenantId: string;
}

const maximumUploads = 20;
/** Progress of one upload is drawn at most this often. */
const progressMs = 200;
const endedShownMs = 6_000;

function isSending(upload: SentUpload): boolean {
  return upload.state === "sending";
}

/** Sends files, asks about them, and tells how far they are. */
export function useSentUploads(): Uploads {
  const { client, tenantId } = usePlatform();
  const { say } = useNotices();
  const { go, route } = useRouter();
  const here = useRef(route);
  useEffect(() => {
    here.current = route;
  });
  const [uploads, setUploads] = useState<readonly SentUpload[]>([]);
  const nextId = useRef(0);
  const aborters = useRef(new Map<number, AbortController>());

  useEffect(() => {
    const sending = aborters.current;
    return () => {
      for (const aborter of sending.values()) aborter.abort();
    };
  }, []);

  const change = (id: number, part: Partial<SentUpload>) =>
    setUploads((now) => now.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));

  const send = async (order: UploadOrder, isAgain = false) => {
    if (client === undefined) return;
    const { path, context, mode } = order;
    const totalBytes = await fileSize(path);
    if (totalBytes === undefined) {
      say("failed", `There is no file ${path}`);
      return;
    }
    const file = Bun.file(path);
    const filename = basename(path);
    const id = (nextId.current += 1);
    const upload: SentUpload = {
      id,
      filename,
      sentBytes: 0,
      totalBytes,
      state: "sending",
      jobId: undefined,
      failure: undefined,
      order,
    };
    // Who sends one file again has not given up those that failed beside it.
    const stays = (one: SentUpload) => isAgain || isSending(one);
    setUploads((now) => [upload, ...now.filter(stays)].slice(0, maximumUploads));
    go({ place: "jobs" });
    let drawnAt = 0;
    const aborter = new AbortController();
    aborters.current.set(id, aborter);
    // Shown for a while: its job, if it has one, is in the list.
    const forgetLater = () => {
      const forget = () => setUploads((now) => now.filter((one) => one.id !== id));
      // Whoever leaves does not wait for it.
      setTimeout(forget, endedShownMs).unref();
    };
    try {
      const outcome = await client.useDocuments(order.tenantId).upload(
        {
          filename,
          contentType: file.type,
          content: { size: totalBytes, stream: () => file.stream() },
        },
        { ...context.metadata, processingMode: mode },
        {
          signal: aborter.signal,
          onProgress: (sentBytes) => {
            if (performance.now() - drawnAt < progressMs) return;
            drawnAt = performance.now();
            change(id, { sentBytes });
          },
        },
      );
      const accepted = await outcome.accepted();
      change(id, { state: "accepted", sentBytes: totalBytes, jobId: accepted.jobId });
      forgetLater();
      const name = accepted.documentNumber ?? accepted.documentId ?? filename;
      if (accepted.duplicateOf === undefined)
        say("done", `accepted as ${name}; its job is in the list`);
      else say("note", `these bytes are here already, as ${name}; nothing was run again`);
      // It may have taken long, and its sender may be somewhere else by now.
      if (here.current.place === "jobs") go({ place: "jobs", jobId: accepted.jobId });
    } catch (error) {
      if (isAbort(error)) {
        change(id, { state: "stopped" });
        forgetLater();
        say("note", `${filename} was stopped; had all of it been sent, its job is in the list`);
        return;
      }
      change(id, { state: "failed", failure: failureOf(error) });
      say("failed", `${filename} was not uploaded: ${failureLine(error)}`);
    } finally {
      aborters.current.delete(id);
    }
  };

  const ask = useUploadQuestions((path, context, mode) => {
    if (tenantId !== undefined) void send({ path, context, mode, tenantId });
  });
  const newest = uploads.find(isSending);
  const sendAgain = ({ id, order }: SentUpload) => {
    // At once, so that a key pressed twice sends it once.
    setUploads((now) => now.filter((one) => one.id !== id));
    void send(order, true);
  };
  const failed = uploads.find((one) => one.state === "failed" && one.order.tenantId === tenantId);
  return {
    uploads,
    ...ask,
    stop: newest === undefined ? undefined : () => aborters.current.get(newest.id)?.abort(),
    sendAgain: failed === undefined ? undefined : () => sendAgain(failed),
  };
}
