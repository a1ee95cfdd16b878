import type { CloudEvent } from "#contract/platform/realtime.ts";
import { JsonText } from "../../kit/lists/json-text.ts";
import type { FeedEvent } from "../feed/service.ts";

/** A slow reader's stream ends beyond these. */
const maximumEvents = 1_000;
const maximumCharacters = 1024 * 1024;

/** An event for the streams of one view, as it is sent. */
export interface QueuedEvent {
  readonly id: string;
  /** The CloudEvent as JSON text. */
  readonly text: string;
  readonly data: JsonText<CloudEvent>;
  readonly isShared: true;
  /** The change, for a stream that adds its record; undefined for an event of the stream itself. */
  readonly event: FeedEvent | undefined;
}

/** The id is the cursor that continues after the event. */
export function queuedEvent(
  id: string,
  cloud: CloudEvent,
  event: FeedEvent | undefined,
): QueuedEvent {
  const text = JSON.stringify(cloud);
  return { id, text, data: new JsonText(text), isShared: true, event };
}

/** The unsent events of all streams of a workspace. Streams of the same role share a text. */
export class UnsentEvents {
  readonly #holders = new Map<QueuedEvent, number>();
  #characters = 0;

  /** The characters of all texts, each counted once. */
  get characters(): number {
    return this.#characters;
  }

  hold(event: QueuedEvent): void {
    const holders = this.#holders.get(event) ?? 0;
    this.#holders.set(event, holders + 1);
    if (holders === 0) this.#characters += event.text.length;
  }

  release(event: QueuedEvent): void {
    const holders = (this.#holders.get(event) ?? 1) - 1;
    if (holders > 0) {
      this.#holders.set(event, holders);
      return;
    }
    this.#holders.delete(event);
    this.#characters -= event.text.length;
  }
}

/** Events that a stream has not sent. It ends after the last one that fits, whose id continues. */
export class EventQueue {
  #events: QueuedEvent[] = [];
  /** The number of events that were taken from the beginning of the array. */
  #taken = 0;
  #characters = 0;
  #isEnded = false;
  #isFull = false;
  #isCleared = false;
  #arrived = Promise.withResolvers<void>();

  constructor(private readonly unsent = new UnsentEvents()) {}

  /** False once the queue has ended: later events come after its cursor. */
  add(event: QueuedEvent): boolean {
    if (this.#isEnded) return false;
    const isFull =
      this.size >= maximumEvents || this.#characters + event.text.length > maximumCharacters;
    if (isFull && !this.isEmpty) {
      this.#isFull = true;
      this.end();
      return false;
    }
    this.#hold(event);
    this.#arrived.resolve();
    return true;
  }

  end(): void {
    this.#isEnded = true;
    this.#arrived.resolve();
  }

  /** Ends a slow reader without the events that were not sent: its last cursor is before them. */
  drop(): void {
    this.#isFull = true;
    this.#releaseAll();
    this.end();
  }

  /** Ends without the events that were not sent: the reader may no longer have them. */
  clear(): void {
    this.#isCleared = true;
    this.#releaseAll();
    this.end();
  }

  /** Ends with this event, which stands for those that were not sent. */
  endWith(event: QueuedEvent): void {
    if (this.#isCleared) return;
    this.#releaseAll();
    this.#hold(event);
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
    return this.size === 0;
  }

  get size(): number {
    return this.#events.length - this.#taken;
  }

  /** The next event in order; undefined after the last one. */
  async take(): Promise<QueuedEvent | undefined> {
    while (this.isEmpty) {
      if (this.#isEnded) return undefined;
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
    }
    const event = this.#events[this.#taken];
    this.#taken += 1;
    if (this.isEmpty || this.#taken >= maximumEvents) {
      this.#events = this.#events.slice(this.#taken);
      this.#taken = 0;
    }
    if (event !== undefined) this.#release(event);
    return event;
  }

  #hold(event: QueuedEvent): void {
    this.#events.push(event);
    this.#characters += event.text.length;
    this.unsent.hold(event);
  }

  #release(event: QueuedEvent): void {
    this.#characters -= event.text.length;
    this.unsent.release(event);
  }

  #releaseAll(): void {
    for (const event of this.#events.slice(this.#taken)) this.#release(event);
    this.#events = [];
    this.#taken = 0;
  }
}
