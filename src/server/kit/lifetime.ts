import { within } from "#lib/time/within.ts";
import type { Logger } from "./logger.ts";
import { inBackground, RepeatedFailures } from "./background.ts";

/** Informs services that the platform stops, and runs what they have to do then. */
export interface Lifetime {
  /** Aborted when the platform starts to drain: no new work, streams end. */
  readonly draining: AbortSignal;
  /** True if the platform stops soon: balancers get 503, and all other requests are served. */
  readonly isRetiring: boolean;
  /** The time over which the drain ends streams: their clients do not all return at once. */
  readonly streamSpreadMs: number;
  /** Registers work that ends running tasks, or makes them resumable, in time. */
  onDrain(work: (timeoutMs: number) => Promise<void>): void;
  /** Registers work that frees resources; the last registered runs first. */
  onClose(work: () => void | Promise<void>): void;
  /** Repeats work until the close, one run at a time. A failure is logged as this event. */
  every(intervalMs: number, event: string, work: () => Promise<void>): void;
}

export class LifetimeOwner implements Lifetime {
  readonly #controller = new AbortController();
  readonly #drainWork: ((timeoutMs: number) => Promise<void>)[] = [];
  readonly #closeWork: (() => void | Promise<void>)[] = [];
  #isClosing = false;
  #isRetiring = false;
  #streamSpreadMs = 0;

  constructor(private readonly logger: Logger) {}

  get draining(): AbortSignal {
    return this.#controller.signal;
  }

  get isRetiring(): boolean {
    return this.#isRetiring || this.draining.aborted;
  }

  get streamSpreadMs(): number {
    return this.#streamSpreadMs;
  }

  retire(streamSpreadMs: number): void {
    this.#isRetiring = true;
    this.#streamSpreadMs = streamSpreadMs;
  }

  onDrain(work: (timeoutMs: number) => Promise<void>): void {
    this.#drainWork.push(work);
  }

  onClose(work: () => void | Promise<void>): void {
    this.#closeWork.push(work);
  }

  every(intervalMs: number, event: string, work: () => Promise<void>): void {
    let isRunning = false;
    const failures = new RepeatedFailures(this.logger, event);
    const run = async (): Promise<void> => {
      if (isRunning) return;
      isRunning = true;
      try {
        await work();
        failures.succeeded();
      } catch (error) {
        // A close removes what the work needs.
        if (!this.#isClosing) failures.failed(error);
      } finally {
        isRunning = false;
      }
    };
    const timer = setInterval(() => inBackground(this.logger, event, run), intervalMs);
    timer.unref();
    this.onClose(() => clearInterval(timer));
  }

  /** Resolves when all work has ended or the time is over; a failure is logged, not thrown. */
  async drain(timeoutMs: number): Promise<void> {
    this.#controller.abort(new Error("the platform is shutting down"));
    const work = this.#drainWork.map(async (task) => {
      try {
        await task(timeoutMs);
      } catch (error) {
        this.logger.error({ event: "drain-failed", error: String(error) });
      }
    });
    await within(timeoutMs, Promise.all(work), undefined);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#controller.abort(new Error("the platform is closed"));
    for (const task of this.#closeWork.splice(0).toReversed()) {
      try {
        await task();
      } catch (error) {
        this.logger.error({ event: "close-failed", error: String(error) });
      }
    }
  }
}
