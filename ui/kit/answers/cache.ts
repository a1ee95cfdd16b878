import { failureOf, isAbort, type Failure } from "./failure.ts";

/** What is known about one question to the platform. */
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
  readonly listeners: Set<() => void>;
}

const maximumSlots = 300;
const nothing: Answer<unknown> = {
  value: undefined,
  failure: undefined,
  answeredAtMs: undefined,
  asking: false,
};

/**
 * Answers by question. A screen that comes back draws the old answer at once and asks again behind
 * it. An answer that says the same as the one before changes nothing on the screen. Bounded; what
 * nobody looks at goes first.
 */
export class AnswerCache {
  readonly #slots = new Map<string, Slot>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  read<Value>(key: string): Answer<Value> {
    // Keys name one route and its parameters, so a key's values are of one type by construction.
    return (this.#slots.get(key)?.answer ?? nothing) as Answer<Value>;
  }

  subscribe(key: string, listener: () => void): () => void {
    const slot = this.#slot(key);
    slot.listeners.add(listener);
    return () => {
      slot.listeners.delete(listener);
      // Nobody waits for it any more; the old answer stays for whoever comes back.
      queueMicrotask(() => {
        if (slot.listeners.size === 0) slot.aborter?.abort();
      });
    };
  }

  /** Asks unless the same question is on its way. Never rejects: the failure is in the answer. */
  async ask<Value>(key: string, ask: Ask<Value>): Promise<void> {
    const slot = this.#slot(key);
    if (slot.aborter !== undefined && !slot.aborter.signal.aborted) return;
    const aborter = new AbortController();
    slot.aborter = aborter;
    // Asking again behind an answer that stands is not worth drawing a frame for.
    const { value, failure } = slot.answer;
    if (value === undefined || failure !== undefined) {
      this.#change(slot, { ...slot.answer, asking: true });
    }
    try {
      const answered = await ask(aborter.signal);
      if (slot.aborter === aborter) this.#keep(slot, answered);
    } catch (error) {
      if (slot.aborter !== aborter) return;
      slot.aborter = undefined;
      const failure =
        isAbort(error) || aborter.signal.aborted ? slot.answer.failure : failureOf(error);
      this.#change(slot, { ...slot.answer, failure, asking: false });
    }
  }

  /** Forgets everything, as after signing out. */
  clear(): void {
    for (const slot of this.#slots.values()) {
      slot.aborter?.abort();
      slot.aborter = undefined;
      slot.fingerprint = undefined;
      this.#change(slot, nothing);
    }
  }

  #keep(slot: Slot, value: unknown): void {
    slot.aborter = undefined;
    const fingerprint = JSON.stringify(value);
    const same = fingerprint === slot.fingerprint && slot.answer.failure === undefined;
    slot.fingerprint = fingerprint;
    if (same) slot.answer = { ...slot.answer, answeredAtMs: this.#now() };
    else {
      const answeredAtMs = this.#now();
      this.#change(slot, { value, failure: undefined, answeredAtMs, asking: false });
    }
  }

  #change(slot: Slot, answer: Answer<unknown>): void {
    slot.answer = answer;
    for (const listener of slot.listeners) listener();
  }

  #slot(key: string): Slot {
    const found = this.#slots.get(key);
    if (found !== undefined) {
      this.#slots.delete(key);
      this.#slots.set(key, found);
      return found;
    }
    const slot: Slot = {
      answer: nothing,
      fingerprint: undefined,
      aborter: undefined,
      listeners: new Set(),
    };
    this.#slots.set(key, slot);
    this.#evict();
    return slot;
  }

  #evict(): void {
    if (this.#slots.size <= maximumSlots) return;
    for (const [key, slot] of this.#slots) {
      if (slot.listeners.size > 0 || slot.aborter !== undefined) continue;
      this.#slots.delete(key);
      if (this.#slots.size <= maximumSlots) return;
    }
  }
}
