import { ReadingThread, type ReadingThreadOptions } from "./reading-thread.ts";
import { inBackground } from "../../kit/background.ts";

/** Delay before a lost thread is replaced, so that one that cannot run does not loop. */
const replaceAfterMs = 1_000;

/** A constant number of reading threads: a lost one is replaced. */
export class ReadingThreads {
  readonly #threads = new Set<ReadingThread>();
  readonly #replacing = new Set<ReturnType<typeof setTimeout>>();
  #isStopping = false;

  constructor(
    private readonly options: Omit<ReadingThreadOptions, "onLost"> & { readonly count: number },
  ) {}

  /** Resolves when each thread listens or has failed to. */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: this.options.count }, () => this.#start()));
  }

  drain(): void {
    this.#isStopping = true;
    for (const timer of this.#replacing) clearTimeout(timer);
    for (const thread of this.#threads) thread.drain();
  }

  /** Waits for running responses within the time, then closes. */
  async stop(timeoutMs: number): Promise<void> {
    this.drain();
    await Promise.all([...this.#threads].map((thread) => thread.stop(timeoutMs)));
  }

  async #start(): Promise<void> {
    const { logger } = this.options;
    let thread: ReadingThread | undefined;
    const lost = (reason: string): void => {
      if (thread !== undefined) this.#threads.delete(thread);
      if (this.#isStopping) return;
      logger.error({ event: "reading-thread-lost", error: reason });
      const timer = setTimeout(() => {
        this.#replacing.delete(timer);
        inBackground(logger, "reading-thread-lost", () => this.#start());
      }, replaceAfterMs);
      this.#replacing.add(timer);
    };
    try {
      thread = await ReadingThread.start({ ...this.options, onLost: lost });
      if (this.#isStopping) await thread.stop(0);
      else this.#threads.add(thread);
    } catch (error) {
      lost(error instanceof Error ? error.message : String(error));
    }
  }
}
