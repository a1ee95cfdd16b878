import { failureOf, isAbort, type Failure } from "./failure.ts";

export interface Answer<Value> {
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  /** Milliseconds since 1970 of the last good answer. */
  readonly answeredAtMs: number | undefined;
  readonly asking: boolean;
}

export type Ask<Value> = (signal: AbortSignal) => Promise<Value>;

interface Slot {
  answer: Answer<unknown>;
  fingerprint: string | undefined;
  aborter: AbortController | undefined;
  /** The request that follows the one in flight, whose answer may be older than a change. */
  next: Ask<unknown> | undefined;
  /** The request that waits for the end of a rest, and the newest one to send then. */
  rest: ReturnType<typeof setTimeout> | undefined;
  /** The time that the last answer took, and when it came. */
  tookMs: number;
  endedAtMs: number;
  readonly listeners: Set<() => void>;
}

const maximumSlots = 300;
/** Answers that take longer are not asked for after each change. */
const heavyMs = 250;
/** The rest after a heavy answer, by the time that it took, and the longest one. */
const restFactor = 4;
const maximumRestMs = 15_000;
const nothing: Answer<unknown> = {
  value: undefined,
  failure: undefined,
  answeredAtMs: undefined,
  asking: false,
};

/**
 * Answers by question, so that a screen first draws the old answer. An equal answer draws no new
 * frame. It keeps 300 answers; those without listeners go first.
 */
export class AnswerCache {
  readonly #slots = new Map<string, Slot>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  read<Value>(key: string): Answer<Value> {
    // A key names one route and its parameters, so its values have one type.
    return (this.#slots.get(key)?.answer ?? nothing) as Answer<Value>;
  }

  subscribe(key: string, listener: () => void): () => void {
    const slot = this.#slot(key);
    slot.listeners.add(listener);
    return () => {
      slot.listeners.delete(listener);
      // The request stops when its last listener has gone; the old answer stays in the cache.
      queueMicrotask(() => {
        if (slot.listeners.size === 0) slot.aborter?.abort();
      });
    };
  }

  /**
   * Asks, unless the same request is in flight; with `isChanged` it is then sent again afterwards,
   * and a question whose answer takes long rests in between: changes that follow each other must
   * not keep the platform busy. Never rejects: the failure is in the answer.
   */
  async ask<Value>(key: string, ask: Ask<Value>, isChanged = false): Promise<void> {
    const slot = this.#slot(key);
    if (slot.aborter !== undefined && !slot.aborter.signal.aborted) {
      if (isChanged) slot.next = ask;
      return;
    }
    const restMs = isChanged ? this.#restMs(slot) : 0;
    if (restMs > 0) {
      slot.next = ask;
      slot.rest ??= setTimeout(() => this.#endRest(key, slot), restMs).unref();
      return;
    }
    const beganAtMs = this.#now();
    const aborter = new AbortController();
    slot.aborter = aborter;
    // A refresh of a good answer draws no frame.
    const { value, failure } = slot.answer;
    if (value === undefined || failure !== undefined) {
      this.#change(slot, { ...slot.answer, asking: true });
    }
    try {
      const answered = await ask(aborter.signal);
      if (slot.aborter !== aborter) return;
      slot.endedAtMs = this.#now();
      slot.tookMs = slot.endedAtMs - beganAtMs;
      this.#keep(slot, answered);
    } catch (error) {
      if (slot.aborter !== aborter) return;
      slot.aborter = undefined;
      const failure =
        isAbort(error) || aborter.signal.aborted ? slot.answer.failure : failureOf(error);
      this.#change(slot, { ...slot.answer, failure, asking: false });
    }
    const { next } = slot;
    slot.next = undefined;
    if (next !== undefined && slot.listeners.size > 0) await this.ask(key, next, true);
  }

  #restMs({ tookMs, endedAtMs }: Slot): number {
    if (tookMs < heavyMs) return 0;
    return Math.min(maximumRestMs, restFactor * tookMs) - (this.#now() - endedAtMs);
  }

  #endRest(key: string, slot: Slot): void {
    slot.rest = undefined;
    const { next } = slot;
    slot.next = undefined;
    if (next !== undefined && slot.listeners.size > 0) void this.ask(key, next, true);
  }

  clear(): void {
    for (const slot of this.#slots.values()) {
      slot.aborter?.abort();
      slot.aborter = undefined;
      slot.next = undefined;
      clearTimeout(slot.rest);
      slot.rest = undefined;
      slot.tookMs = 0;
      slot.fingerprint = undefined;
      this.#change(slot, nothing);
    }
  }

  #keep(slot: Slot, value: unknown): void {
    slot.aborter = undefined;
    // The client returns the same object for an answer that the platform reports as unchanged.
    const isKnown = value !== undefined && value === slot.answer.value;
    const fingerprint = isKnown ? slot.fingerprint : JSON.stringify(value);
    const same = fingerprint === slot.fingerprint && slot.answer.failure === undefined;
    slot.fingerprint = fingerprint;
    const answeredAtMs = this.#now();
    if (same) slot.answer = { ...slot.answer, answeredAtMs };
    else this.#change(slot, { value, failure: undefined, answeredAtMs, asking: false });
  }

  #change(slot: Slot, answer: Answer<unknown>): void {
    slot.answer = answer;
    for (const listener of slot.listeners) listener();
  }

  #slot(key: string): Slot {
    const slot: Slot = this.#slots.get(key) ?? {
      answer: nothing,
      fingerprint: undefined,
      aborter: undefined,
      next: undefined,
      rest: undefined,
      tookMs: 0,
      endedAtMs: 0,
      listeners: new Set(),
    };
    // The most recently used key is the last one.
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    this.#evict();
    return slot;
  }

  #evict(): void {
    for (const [key, slot] of this.#slots) {
      if (this.#slots.size <= maximumSlots) return;
      if (slot.listeners.size === 0 && slot.aborter === undefined) this.#slots.delete(key);
    }
  }
}
