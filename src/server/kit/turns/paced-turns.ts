import { Permits } from "./permits.ts";
import { hasOtherRequests } from "./tick-share.ts";

/** Bytes of large bodies that one workspace may move through a thread in a millisecond. */
const bytesPerMs = 48 * 1024;
/** The bytes next to requests of others, which wait for each collection of the garbage. */
const sharedBytesPerMs = 24 * 1024;
const turnsAtOnce = 4;

/**
 * Turns of work with large texts: one of a share at a time, in the order of arrival, and a turn
 * lasts in proportion to its bytes. Memory that a text has left is not free at once, and parsing
 * or sending it takes the processor from others.
 */
export class PacedTurns {
  readonly #permits = new Permits({
    count: turnsAtOnce,
    countPerShare: 1,
    queueLimit: 2_000,
    queueLimitPerShare: 500,
    waitLimitMs: 10_000,
  });

  /**
   * Waits for a turn, and resolves to what ends it, which must be called with the bytes. Rejects
   * as {@link Permits.take} does.
   */
  async take(...turn: Parameters<Permits["take"]>): Promise<(bytes: number) => void> {
    const [share = ""] = turn;
    const release = await this.#permits.take(...turn);
    const takenAt = performance.now();
    return (bytes) => {
      const perMs = hasOtherRequests(share) ? sharedBytesPerMs : bytesPerMs;
      const leftMs = takenAt + bytes / perMs - performance.now();
      if (leftMs > 0) setTimeout(release, leftMs);
      else release();
    };
  }
}
