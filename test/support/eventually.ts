import { vi } from "vitest";

/**
 * Repeats `check` until it no longer throws, and gives its result. The limit is far above what
 * a check takes, so that a busy machine fails no test.
 */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 45_000, interval: 10 });
}
