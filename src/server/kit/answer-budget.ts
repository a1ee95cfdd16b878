import { OverloadedError } from "./storage-errors.ts";
import { RecentMap } from "./recent-map.ts";
import { PacedTurns } from "./turns/paced-turns.ts";
import { TickShare } from "./turns/tick-share.ts";

/** Bytes of a row that is not known yet. */
const usualBytes = 1024;
const keptSizes = 10_000;
/** One workspace leaves others this share of the budget. */
const shareOfAll = 1 / 4;

/** Assumed bytes of an unknown row where turns are given: a page of 100 such rows takes none. */
const unknownRowBytes = 10 * 1024;
/** Building a larger page takes a part of a tick. */
const ownTickBytes = 32 * 1024;
/** Answers of this size are built in turn. */
const largeBytes = 1024 * 1024;

/** The bytes in memory for one answer while it is built. */
export interface AnswerHold {
  /** Sets the number; refuses with `OverloadedError` if all answers together have too many. */
  need(bytes: number): void;
}

/**
 * The bytes of all answers under way: those that are being built, and those whose client has not
 * taken them yet. Those of one workspace take a quarter of them at most. One answer alone may
 * always be built, however large it is.
 */
export class AnswerBudget {
  #bytes = 0;
  readonly #ofShare = new Map<string, number>();
  /** The largest row that a list has had lately, so that its bytes count before it is read. */
  readonly #sizes = new RecentMap<string, number>(keptSizes);
  /** The mean row of a list's last page. */
  readonly #usualSizes = new RecentMap<string, number>(keptSizes);
  readonly #largeTurns = new PacedTurns();

  constructor(readonly limitBytes: number) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the bytes that `work` needs until it ends, for a workspace's share; "" has none. */
  async during<T>(share: string, work: (hold: AnswerHold) => Promise<T>): Promise<T> {
    let held = 0;
    const need = (bytes: number): void => {
      const more = bytes - held;
      const own = this.#ofShare.get(share) ?? 0;
      const isOver = (all: number, limit: number): boolean => all > held && all + more > limit;
      const ownLimit = share === "" ? this.limitBytes : this.limitBytes * shareOfAll;
      if (more > 0 && (isOver(this.#bytes, this.limitBytes) || isOver(own, ownLimit))) {
        throw new OverloadedError(`Cannot build an answer: others have ${this.#bytes} bytes`);
      }
      this.#count(share, more);
      held = bytes;
    };
    try {
      return await work({ need });
    } finally {
      this.#count(share, -held);
    }
  }

  /** Counts an answer that is finished, without refusing; returns what ends it, once. */
  add(share: string, bytes: number): () => void {
    this.#count(share, bytes);
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#count(share, -bytes);
    };
  }

  /**
   * Waits for the turn of a page that is likely to be large; a small one has none. Rejects with
   * `OverloadedError`.
   */
  turn(
    share: string,
    list: string,
    rows: number,
    mostBytes: number,
    caller?: { readonly signal: AbortSignal },
  ): Promise<void> | undefined {
    const bytes = Math.min(rows * this.usualOf(list), mostBytes);
    return bytes > ownTickBytes ? this.#turnOf(share, bytes, caller) : undefined;
  }

  async #turnOf(
    share: string,
    bytes: number,
    caller: { readonly signal: AbortSignal } | undefined,
  ): Promise<void> {
    await new TickShare(share).begin();
    if (bytes < largeBytes) return;
    const end = await this.#largeTurns.take(share, caller?.signal);
    end(bytes);
  }

  /** Bytes of a usual row of the list. */
  usualOf(list: string): number {
    return this.#usualSizes.get(list) ?? unknownRowBytes;
  }

  /** Notes a page that was read, for the next turn. */
  notePage(list: string, rows: number, bytes: number): void {
    if (rows > 0) this.#usualSizes.set(list, bytes / rows);
  }

  #count(share: string, bytes: number): void {
    this.#bytes += bytes;
    const left = (this.#ofShare.get(share) ?? 0) + bytes;
    if (left > 0) this.#ofShare.set(share, left);
    else this.#ofShare.delete(share);
  }

  /** True if a row of the list has been seen lately. */
  knows(list: string): boolean {
    return this.#sizes.get(list) !== undefined;
  }

  largestOf(list: string): number {
    return this.#sizes.get(list) ?? usualBytes;
  }

  noteSize(list: string, bytes: number): void {
    if (bytes > (this.#sizes.get(list) ?? 0)) this.#sizes.set(list, bytes);
  }
}
