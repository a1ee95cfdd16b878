import type { CatalogError } from "#contract/errors.ts";
import { deferred } from "#lib/deferred.ts";
import { connectionFailure } from "./connection.ts";

export interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

export interface ChunkWait {
  /** Longest wait for one chunk. */
  readonly idleTimeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** The error of a body that breaks off or stays silent; `reason` completes a sentence. */
  readonly failed: (reason: string) => CatalogError;
}

/** The next chunk of a body; undefined at its end. Throws the signal's reason or `failed(…)`. */
export async function nextChunk(
  reader: ChunkReader,
  { idleTimeoutMs, signal, failed }: ChunkWait,
): Promise<Uint8Array | undefined> {
  signal?.throwIfAborted();
  const stop = deferred<never>();
  const onSilence = () => stop.reject(failed(`nothing came for ${idleTimeoutMs / 1000} s`));
  const timer = setTimeout(onSilence, idleTimeoutMs);
  const onAbort = () => stop.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const next = reader.read().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw failed(connectionFailure(error).reason);
  });
  try {
    const { done, value } = await Promise.race([next, stop.promise]);
    return done ? undefined : value;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // A read that lost the race fails when the reader is cancelled.
    next.catch(() => undefined);
  }
}
