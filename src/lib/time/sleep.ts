import { deferred } from "./deferred.ts";

/** Waits; rejects with the signal's reason as soon as it aborts. */
export async function sleep(durationMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const woken = deferred<void>();
  const wake = () => woken.resolve();
  const timer = setTimeout(wake, durationMs);
  signal?.addEventListener("abort", wake, { once: true });
  try {
    await woken.promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", wake);
  }
  signal?.throwIfAborted();
}
