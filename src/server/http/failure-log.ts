import type { Logger } from "../kit/logger.ts";
import type { Exchange } from "./exchange.ts";

/**
 * Logs failed requests, at most so many lines in a window and then the number of the rest. Without
 * its database the platform fails thousands of requests per second, which could fill the disk.
 */
export class FailureLog {
  #lines = 0;
  #omitted = 0;
  #isInWindow = false;

  constructor(
    private readonly logger: Logger,
    private readonly linesAtMost = 100,
    private readonly windowMs = 10_000,
  ) {}

  note(exchange: Exchange, error: unknown): void {
    this.#openWindow();
    if (this.#lines >= this.linesAtMost) {
      this.#omitted += 1;
      return;
    }
    this.#lines += 1;
    const cause = error instanceof Error ? error.cause : undefined;
    this.logger.error({
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
    setTimeout(() => this.#closeWindow(), this.windowMs).unref();
  }

  #closeWindow(): void {
    const count = this.#omitted;
    this.#isInWindow = false;
    this.#lines = 0;
    this.#omitted = 0;
    if (count > 0) this.logger.error({ event: "request-failures-omitted", count });
  }
}
