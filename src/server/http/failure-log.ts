import type { Logger } from "../kit/logger.ts";
import type { Exchange } from "./exchange.ts";

export interface FailureLogOptions {
  readonly logger: Logger;
  /** Lines in one window; what fails beyond that is counted. */
  readonly linesAtMost?: number;
  readonly windowMs?: number;
}

/**
 * Says which requests have failed, and why. While a database or a disk is away all of them fail for one
 * reason, thousands a second: so many lines are written in a window, and then how many there were
 * besides, so that the log is no second thing that runs full.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #linesAtMost: number;
  readonly #windowMs: number;
  #lines = 0;
  #leftOut = 0;
  #isInWindow = false;

  constructor({ logger, linesAtMost = 100, windowMs = 10_000 }: FailureLogOptions) {
    this.#logger = logger;
    this.#linesAtMost = linesAtMost;
    this.#windowMs = windowMs;
  }

  note(exchange: Exchange, error: unknown): void {
    this.#openWindow();
    if (this.#lines >= this.#linesAtMost) {
      this.#leftOut += 1;
      return;
    }
    this.#lines += 1;
    const cause = error instanceof Error ? error.cause : undefined;
    this.#logger.error({
      event: "request-failed",
      requestId: exchange.requestId,
      method: exchange.method,
      path: exchange.path,
      route: exchange.endpoint?.id,
      traceparent: exchange.headers.get("traceparent") ?? undefined,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : undefined,
    });
  }

  #openWindow(): void {
    if (this.#isInWindow) return;
    this.#isInWindow = true;
    const timer = setTimeout(() => this.#closeWindow(), this.#windowMs);
    timer.unref();
  }

  #closeWindow(): void {
    const count = this.#leftOut;
    this.#isInWindow = false;
    this.#lines = 0;
    this.#leftOut = 0;
    if (count > 0) this.#logger.error({ event: "requests-failed-besides", count });
  }
}
