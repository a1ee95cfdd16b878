import type { CatalogError } from "#contract/errors.ts";
import { deferred } from "#lib/time/deferred.ts";
import type { BodyBudget } from "./body-budget.ts";
import { connectionFailure } from "../transport/connection.ts";

export interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

export interface ChunkWait {
  /** Longest wait for one chunk. */
  readonly idleTimeoutMs: number;
  /** The limit of the whole body. */
  readonly budget: BodyBudget;
  readonly signal: AbortSignal | undefined;
  /** The error of a body that breaks off or stays silent; `reason` completes a sentence. */
  readonly failed: (reason: string) => CatalogError;
}

/**
 * The next chunk of a body; undefined at its end. Throws the signal's reason, and `failed(…)` for a
 * body that breaks off, stays silent or exceeds its budget.
 */
export async function nextChunk(
  reader: ChunkReader,
  { idleTimeoutMs, budget, signal, failed }: ChunkWait,
): Promise<Uint8Array | undefined> {
  signal?.throwIfAborted();
  const stop = deferred<never>();
  const startedAtMs = performance.now();
  const { remainingMs } = budget;
  const reason =
    remainingMs < idleTimeoutMs
      ? "it came too slowly"
      : `nothing came for ${idleTimeoutMs / 1000} s`;
  const giveUp = () => stop.reject(failed(reason));
  const timer = setTimeout(giveUp, Math.min(idleTimeoutMs, remainingMs));
  const onAbort = () => stop.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  const next = reader.read().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw failed(connectionFailure(error).reason);
  });
  try {
    const { done, value } = await Promise.race([next, stop.promise]);
    if (done || value === undefined) return undefined;
    const excess = budget.spend(value.byteLength, performance.now() - startedAtMs);
    if (excess !== undefined) throw failed(excess);
    return value;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    // A read that lost the race fails when the reader is cancelled.
    next.catch(() => undefined);
  }
}
