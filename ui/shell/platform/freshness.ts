import type { Attention } from "./attention.ts";

/** Refresh period of what is visible, while the user looks and otherwise. */
const lookingMs = 5_000;
const awayMs = 30_000;
/** A refresh may take this long before its old answer counts as old. */
const answerMs = 2_000;
/** Steps of a shown age. */
const ageStepMs = 5_000;

export function paceOf(isLooking: boolean): number {
  return isLooking ? lookingMs : awayMs;
}

/** The period of an answer that is to be refreshed more often while the user looks. */
export function shownPeriodMs(paceMs: number, ownMs = paceMs): number {
  return paceMs === lookingMs ? Math.min(paceMs, ownMs) : paceMs;
}

/** The time of a visible answer, in milliseconds since 1970; `undefined` before the first one. */
export type AnswerTime = () => number | undefined;

/**
 * Whether everything visible is younger than its refresh period. Notifies listeners only of a
 * change that is shown.
 */
export class Freshness {
  readonly #times = new Set<AnswerTime>();
  readonly #listeners = new Set<() => void>();
  readonly #attention: Attention;
  readonly #now: () => number;
  #oldMs: number | undefined;
  /** A newly shown answer is refreshed at once, which may take the time of an answer. */
  #graceFromMs = 0;
  #clock: ReturnType<typeof setTimeout> | undefined;

  constructor(attention: Attention, now: () => number = Date.now) {
    this.#attention = attention;
    this.#now = now;
    attention.subscribe(() => {
      this.#graceFromMs = this.#now();
      this.check();
    });
  }

  /** The age of the oldest visible answer in steps, once it is too old to be live. */
  oldMs = (): number | undefined => this.#oldMs;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  watch = (time: AnswerTime): (() => void) => {
    this.#times.add(time);
    this.#graceFromMs = this.#now();
    this.check();
    return () => {
      this.#times.delete(time);
      this.check();
    };
  };

  check(): void {
    clearTimeout(this.#clock);
    const times = Array.from(this.#times, (time) => time()).filter((time) => time !== undefined);
    const now = this.#now();
    const ageMs = times.length === 0 ? undefined : now - Math.min(...times);
    const limitMs = paceOf(this.#attention.isLooking()) + answerMs;
    const graceMs = Math.max(0, this.#graceFromMs + answerMs - now);
    const isOld = ageMs !== undefined && ageMs > limitMs && graceMs === 0;
    const oldMs = isOld ? ageMs - (ageMs % ageStepMs) : undefined;
    if (this.#times.size > 0) {
      const waitMs = isOld ? ageStepMs - (ageMs % ageStepMs) : limitMs - (ageMs ?? 0);
      this.#clock = setTimeout(() => this.check(), Math.max(1, waitMs + 1, graceMs + 1));
      this.#clock.unref();
    }
    if (oldMs === this.#oldMs) return;
    this.#oldMs = oldMs;
    for (const listener of this.#listeners) listener();
  }
}
