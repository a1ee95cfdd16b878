import type { CatalogError } from "#contract/errors.ts";
import { deferred } from "#lib/deferred.ts";
import { connectionFailure } from "./connection.ts";

/** What gives a body's chunks: a stream's reader. */
export interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

/** How long a body may be silent, who may give it up, and what is thrown where it ends too early. */
export interface ChunkWait {
  readonly silenceMs: number;
  readonly signal: AbortSignal | undefined;
  /** The error of a body that breaks off or falls silent; `reason` is the rest of a sentence. */
  readonly failed: (reason: string) => CatalogError;
}

/** The next chunk of a body; undefined at its end. Throws the signal's reason, or what `failed` makes. */
export async function nextChunk(
  reader: ChunkReader,
  { silenceMs, signal, failed }: ChunkWait,
): Promise<Uint8Array | undefined> {
  signal?.throwIfAborted();
  const stop = deferred<never>();
  const onSilence = () => stop.reject(failed(`nothing came for ${silenceMs / 1000} s`));
  const timer = setTimeout(onSilence, silenceMs);
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
    // The losing read fails later, when the reader is cancelled; nobody is left to hear it.
    next.catch(() => undefined);
  }
}
