/** A committed batch whose units are answered once it is durable. */
export interface CommittedBatch {
  /** False where it only read: what it saw must be durable all the same. */
  readonly hasWritten: boolean;
  /** With an error when nothing can be made durable any more. */
  answer(error: unknown): void;
}

/**
 * Makes commits durable in their order: one sync at a time, which serves all that was committed
 * before it began. One at a time, since the system reports a failed write to one sync only.
 */
export class CommitSyncs {
  readonly #sync: () => Promise<void>;
  readonly #onRoom: () => void;
  #waiting: CommittedBatch[] = [];
  #running: Promise<void> | undefined;
  #failure: unknown;

  /** `onRoom` is called when `isFull` has ended. */
  constructor(sync: () => Promise<void>, onRoom: () => void) {
    this.#sync = sync;
    this.#onRoom = onRoom;
  }

  /** Why nothing can be made durable any more. */
  get failure(): unknown {
    return this.#failure;
  }

  /**
   * Whether a batch already waits for the next sync. Another one beside it would be no sooner
   * durable, and the units that come until then are cheaper in one commit.
   */
  get isFull(): boolean {
    return this.#waiting.length > 0;
  }

  add(batch: CommittedBatch): void {
    this.#waiting.push(batch);
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
  }

  /** Nothing more can be made durable. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Resolves when everything has its answer. */
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
      // Before the answers are given, which takes its time: the disk shall not wait for them.
      synced = this.#begin(batches);
      for (const batch of done) batch.answer(this.#failure);
      this.#onRoom();
    }
  }

  /** Never rejects: a failure is for good, and for all that come. */
  async #begin(batches: readonly CommittedBatch[]): Promise<void> {
    if (this.#failure !== undefined || !batches.some(({ hasWritten }) => hasWritten)) return;
    try {
      await this.#sync();
    } catch (error) {
      this.fail(error);
    }
  }
}
