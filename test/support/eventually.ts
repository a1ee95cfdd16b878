const limitMs = 45_000;
const firstWaitMs = 5;
const longestWaitMs = 40;

/**
 * Repeats `check` until it no longer throws, and gives its result. The limit is far above what
 * a check takes, so that a busy machine fails no test; a long wait repeats it less often.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const endsAt = performance.now() + limitMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 1.5, longestWaitMs)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > endsAt) throw error;
    }
    await Bun.sleep(waitMs);
  }
}
