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

/** The bytes of a list's rows, by those that it has had. */
class RowSizes {
  /** The largest row, so that its bytes count before it is read; 0 until one has been seen. */
  #largest = 0;
  #usual = unknownRowBytes;

  get areKnown(): boolean {
    return this.#largest > 0;
  }

  get largest(): number {
    return this.#largest === 0 ? usualBytes : this.#largest;
  }

  /** The mean row of the last page. */
  get usual(): number {
    return this.#usual;
  }

  noteRow(bytes: number): void {
    if (bytes > this.#largest) this.#largest = bytes;
  }

  notePage(rows: number, bytes: number): void {
    if (rows > 0) this.#usual = bytes / rows;
  }
}

/**
 * The bytes of all answers under way: those that are being built, and those whose client has not
 * taken them yet. Those of one workspace take a quarter of them at most. One answer alone may
 * always be built, however large it is.
 */
export class AnswerBudget {
  #bytes = 0;
  readonly #ofShare = new Map<string, number>();
  readonly #sizes = new RecentMap<string, RowSizes>(keptSizes);
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

  /** The sizes of the rows that a list has had lately. */
  sizesOf(list: string): RowSizes {
    let sizes = this.#sizes.get(list);
    if (sizes === undefined) this.#sizes.set(list, (sizes = new RowSizes()));
    return sizes;
  }

  /**
   * Waits for the turn of a page that is likely to be large; a small one has none. Rejects with
   * `OverloadedError`.
   */
  turn(
    share: string,
    { usual }: RowSizes,
    rows: number,
    mostBytes: number,
    caller?: { readonly signal: AbortSignal },
  ): Promise<void> | undefined {
    const bytes = Math.min(rows * usual, mostBytes);
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

  #count(share: string, bytes: number): void {
    this.#bytes += bytes;
    const left = (this.#ofShare.get(share) ?? 0) + bytes;
    if (left > 0) this.#ofShare.set(share, left);
    else this.#ofShare.delete(share);
  }
}
