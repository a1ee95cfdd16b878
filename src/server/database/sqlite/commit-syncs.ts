import { keptPromise } from "../../kit/background.ts";
/** A committed batch whose units are answered when it is durable. */
export interface CommittedBatch {
  /** False where it only read; what it saw must be durable too. */
  readonly hasWritten: boolean;
  /** Answers the units; with an error if commits can no longer be made durable. */
  answer(error: unknown): void;
}

/**
 * Makes commits durable in their order. One sync runs at a time, since the system reports a failed
 * write to one sync only; it serves everything that was committed before it began.
 */
export class CommitSyncs {
  #waiting: CommittedBatch[] = [];
  #running: Promise<void> | undefined;
  #failure: unknown;

  /** `onRoom` is called when `isFull` has ended. */
  constructor(
    private readonly sync: () => Promise<void>,
    private readonly onRoom: () => void,
  ) {}

  /** The reason why commits can no longer be made durable. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * True if a batch already waits for the next sync. Another batch would not be durable earlier,
   * and its units cost less in a later, larger one.
   */
  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  /** True if a sync runs, for which another batch would wait. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  add(batch: CommittedBatch): void {
    this.#waiting.push(batch);
    this.#running ??= keptPromise(
      this.#run().finally(() => {
        this.#running = undefined;
      }),
    );
  }

  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Resolves when every batch has its answer. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    let batches = this.#waiting.splice(0);
    let synced = this.#begin(batches);
    while (batches.length > 0) {
      await synced;
      const done = batches;
      batches = this.#waiting.splice(0);
      // Before the answers, which take time: the disk does not wait for them.
      synced = this.#begin(batches);
      for (const batch of done) batch.answer(this.#failure);
      this.onRoom();
    }
  }

  /** Never rejects: a failure is final, for all later batches too. */
  async #begin(batches: readonly CommittedBatch[]): Promise<void> {
    if (this.#failure !== undefined || !batches.some(({ hasWritten }) => hasWritten)) return;
    try {
      await this.sync();
    } catch (error) {
      this.fail(error);
    }
  }
}
