import type { Logger } from "./logger.ts";
import { ReadOnlyError } from "./storage-errors.ts";

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

/**
 * Logs the failures of repeated work as one event. The source of a move refuses each write until it
 * is reopened, so that only the first failure of that kind is logged.
 */
export class RepeatedFailures {
  #isReadOnly = false;

  constructor(
    private readonly logger: Pick<Logger, "error" | "warn">,
    private readonly event: string,
  ) {}

  failed(error: unknown): void {
    const isRepeated = this.#isReadOnly;
    this.#isReadOnly = error instanceof ReadOnlyError;
    const entry = { event: this.event, error: String(error) };
    if (!this.#isReadOnly) this.logger.error(entry);
    else if (!isRepeated) this.logger.warn(entry);
  }

  succeeded(): void {
    this.#isReadOnly = false;
  }
}
