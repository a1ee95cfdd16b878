import type { Logger } from "../kit/logger.ts";
import type { Exchange } from "./exchange.ts";

export interface FailureLogOptions {
  readonly logger: Logger;
  /** Lines in one window; more failures are only counted. */
  readonly linesAtMost?: number;
  readonly windowMs?: number;
}

/**
 * Logs failed requests, at most so many lines in a window and then the number of the rest. Without
 * its database the platform fails thousands of requests per second, which could fill the disk.
 */
export class FailureLog {
  readonly #logger: Logger;
  readonly #linesAtMost: number;
  readonly #windowMs: number;
  #lines = 0;
  #omitted = 0;
  #isInWindow = false;

  constructor({ logger, linesAtMost = 100, windowMs = 10_000 }: FailureLogOptions) {
    this.#logger = logger;
    this.#linesAtMost = linesAtMost;
    this.#windowMs = windowMs;
  }

  note(exchange: Exchange, error: unknown): void {
    this.#openWindow();
    if (this.#lines >= this.#linesAtMost) {
      this.#omitted += 1;
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
    const count = this.#omitted;
    this.#isInWindow = false;
    this.#lines = 0;
    this.#omitted = 0;
    if (count > 0) this.#logger.error({ event: "request-failures-omitted", count });
  }
}
