/** Waits between half of the time and all of it, so that clients do not return at once. */
export async function pause(longestMs: number, signal: AbortSignal | undefined): Promise<void> {
  const spread = new Uint32Array(1);
  crypto.getRandomValues(spread);
  const waitMs = longestMs * (0.5 + (spread[0] ?? 0) / 2 ** 33);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted === true) end();
  });
  signal?.throwIfAborted();
}
