import type { Logger } from "./logger.ts";

/**
 * Starts work that no caller awaits. A failure is logged as this event and goes no further, so that
 * it never ends the process.
 */
export function inBackground(
  logger: Pick<Logger, "error">,
  event: string,
  work: () => unknown,
): void {
  Promise.try(work).catch((error: unknown) => logger.error({ event, error: String(error) }));
}

/**
 * Marks a promise that a field or a variable keeps as handled. Each caller that awaits it still
 * gets its error; without a caller the error goes no further.
 */
export function keptPromise<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
