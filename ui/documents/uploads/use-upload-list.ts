import { useEffect, useRef, useState } from "react";
import type { ProcessingMode } from "#client/index.ts";
import type { Upload } from "../../shell/use-uploads.ts";
import type { UploadContext } from "./upload-context.ts";

export interface UploadOrder {
  readonly path: string;
  readonly context: UploadContext;
  readonly mode: ProcessingMode;
  readonly tenantId: string;
}

export interface SentUpload extends Upload {
  readonly order: UploadOrder;
}

const maximumUploads = 20;
const endedShownMs = 6_000;

export function isSending(upload: SentUpload): boolean {
  return upload.state === "sending";
}

/** The uploads of this session, newest first. Leaving the dashboard aborts running ones. */
export function useUploadList() {
  const [uploads, setUploads] = useState<readonly SentUpload[]>([]);
  const nextId = useRef(0);
  const aborters = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const sending = aborters.current;
    return () => {
      for (const aborter of sending.values()) aborter.abort();
    };
  }, []);

  const remove = (id: number) => setUploads((now) => now.filter((upload) => upload.id !== id));
  return {
    uploads,
    remove,
    /** Adds an upload that starts. `keepEnded` keeps the failed uploads in the list. */
    add: (upload: Pick<SentUpload, "filename" | "totalBytes" | "order">, keepEnded: boolean) => {
      const id = (nextId.current += 1);
      const aborter = new AbortController();
      aborters.current.set(id, aborter);
      const added: SentUpload = {
        ...upload,
        id,
        sentBytes: 0,
        state: "sending",
        jobId: undefined,
        failure: undefined,
      };
      setUploads((now) => {
        const others = keepEnded ? now : now.filter(isSending);
        return [added, ...others].slice(0, maximumUploads);
      });
      return { id, signal: aborter.signal };
    },
    change: (id: number, part: Partial<SentUpload>) =>
      setUploads((now) =>
        now.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)),
      ),
    /** Takes an ended upload out of the list after a while. Does not delay the exit. */
    removeLater: (id: number) => void setTimeout(() => remove(id), endedShownMs).unref(),
    ended: (id: number) => void aborters.current.delete(id),
    stop: (id: number) => aborters.current.get(id)?.abort(),
  };
}
