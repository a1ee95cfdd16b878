import type { Attention } from "./attention.ts";

/** Refresh period of what is visible, while the user looks and otherwise. */
const lookingMs = 5_000;
const awayMs = 30_000;
/** A refresh may take this long before its old answer counts as old. */
const answerMs = 2_000;
/** How often old content is looked at again; nothing is drawn while it stays as old. */
const oldCheckMs = 1_000;

export function paceOf(isLooking: boolean): number {
  return isLooking ? lookingMs : awayMs;
}

/** The period of an answer that is to be refreshed more often while the user looks. */
export function shownPeriodMs(paceMs: number, ownMs = paceMs): number {
  return paceMs === awayMs ? paceMs : Math.min(paceMs, ownMs);
}

/** The time of a visible answer, in milliseconds since 1970; `undefined` before the first one. */
export type AnswerTime = () => number | undefined;
/** The age at which a visible answer is old; undefined for that of the refresh period. */
export type AgeLimit = () => number | undefined;

const usualLimit: AgeLimit = () => undefined;
const noLongest = () => Infinity;

/**
 * Whether everything visible is younger than its refresh period. Notifies listeners only of a
 * change that is shown.
 */
export class Freshness {
  readonly #limits = new Map<AnswerTime, AgeLimit>();
  readonly #listeners = new Set<() => void>();
  readonly #attention: Attention;
  readonly #longestMs: () => number;
  readonly #now: () => number;
  #oldAtMs: number | undefined;
  /** A newly shown answer is refreshed at once, which may take the time of an answer. */
  #graceFromMs = 0;
  #clock: ReturnType<typeof setTimeout> | undefined;

  /** No answer is live that is older than `longestMs`, whatever its own period. */
  constructor(
    attention: Attention,
    now: () => number = Date.now,
    longestMs: () => number = noLongest,
  ) {
    this.#attention = attention;
    this.#longestMs = longestMs;
    this.#now = now;
    attention.subscribe(() => {
      this.#graceFromMs = this.#now();
      this.check();
    });
  }

  /** The time of the oldest visible answer, once it is too old to be live. */
  oldAtMs = (): number | undefined => this.#oldAtMs;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  watch = (time: AnswerTime, limit: AgeLimit = usualLimit): (() => void) => {
    this.#limits.set(time, limit);
    this.#graceFromMs = this.#now();
    this.check();
    return () => {
      this.#limits.delete(time);
      this.check();
    };
  };

  check(): void {
    clearTimeout(this.#clock);
    const now = this.#now();
    const usualMs = paceOf(this.#attention.isLooking()) + answerMs;
    const longestMs = this.#longestMs();
    const ages = Array.from(this.#limits, ([time, limit]) => {
      const atMs = time() ?? now;
      return { atMs, leftMs: Math.min(limit() ?? usualMs, longestMs) - (now - atMs) };
    });
    const tooOld = ages.filter(({ leftMs }) => leftMs < 0).map(({ atMs }) => atMs);
    const graceMs = Math.max(0, this.#graceFromMs + answerMs - now);
    const isOld = tooOld.length > 0 && graceMs === 0;
    const oldAtMs = isOld ? Math.min(...tooOld) : undefined;
    if (this.#limits.size > 0) {
      const leftMs = Math.min(...ages.map((age) => age.leftMs));
      const waitMs = isOld ? oldCheckMs : leftMs;
      this.#clock = setTimeout(() => this.check(), Math.max(1, waitMs + 1, graceMs + 1));
      this.#clock.unref();
    }
    if (oldAtMs === this.#oldAtMs) return;
    this.#oldAtMs = oldAtMs;
    for (const listener of this.#listeners) listener();
  }
}
