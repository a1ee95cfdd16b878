import type { FeedEvent } from "../feed/service.ts";

/** A slow reader's stream ends beyond these. */
const maximumEvents = 1_000;
const maximumCharacters = 1024 * 1024;

/** An event for one stream, as it is sent. */
export interface QueuedEvent {
  readonly id: string;
  /** The CloudEvent as JSON text. */
  readonly text: string;
  /** The change, for a stream that adds its record; undefined for an event of the stream itself. */
  readonly event: FeedEvent | undefined;
}

/** Events that a stream has not sent. It ends after the last one that fits, whose id continues. */
export class EventQueue {
  #events: QueuedEvent[] = [];
  #characters = 0;
  #isEnded = false;
  #isFull = false;
  #isCleared = false;
  #arrived = Promise.withResolvers<void>();

  /** False once the queue has ended: later events come after its cursor. */
  add(event: QueuedEvent): boolean {
    if (this.#isEnded) return false;
    const isFull =
      this.#events.length >= maximumEvents ||
      this.#characters + event.text.length > maximumCharacters;
    if (isFull && this.#events.length > 0) {
      this.#isFull = true;
      this.end();
      return false;
    }
    this.#events.push(event);
    this.#characters += event.text.length;
    this.#arrived.resolve();
    return true;
  }

  end(): void {
    this.#isEnded = true;
    this.#arrived.resolve();
  }

  /** Ends without the events that were not sent: the reader may no longer have them. */
  clear(): void {
    this.#events = [];
    this.#isCleared = true;
    this.end();
  }

  /** Ends with this event, which stands for those that were not sent. */
  endWith(event: QueuedEvent): void {
    if (this.#isCleared) return;
    this.#events = [event];
    this.end();
  }

  /** True once no event may be sent, taken from the queue or not. */
  get isCleared(): boolean {
    return this.#isCleared;
  }

  /** The reader was too slow: the queue is without the events after its last one. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isEmpty(): boolean {
    return this.#events.length === 0;
  }

  /** All events in order; undefined after the last one. */
  async take(): Promise<readonly QueuedEvent[] | undefined> {
    while (this.#events.length === 0) {
      if (this.#isEnded) return undefined;
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
    const events = this.#events;
    this.#events = [];
    this.#characters = 0;
    return events;
  }
}
