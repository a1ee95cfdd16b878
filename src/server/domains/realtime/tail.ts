import { inBackground, keptPromise } from "../../kit/background.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Work } from "../../work/work.ts";
import type { CompiledType } from "../object-types/service.ts";
import { UnsentEvents } from "./event-queue.ts";
import type { Feed, FeedFilter, FeedPosition, FeedReset, PlacedEvent } from "../feed/service.ts";

/** The transactions whose events one read has. */
const rowsAtOnce = 64;
/** Unsent events of all subscribers together; beyond them the slowest ones end. */
const maximumUnsentCharacters = 4 * 1024 * 1024;

/** Receives the events of a tail that may match its filter. */
export interface TailReader {
  readonly filter: FeedFilter;
  /** `type` is that of a record's event. */
  take(event: PlacedEvent, type: CompiledType | undefined): void;
  reset(reset: FeedReset): void;
  readonly unsentEvents: number;
  /** Ends a reader that is too slow, without its unsent events. */
  drop(): void;
}

/**
 * Reads the feed of one workspace once for all its subscribers. They are found by an equality term
 * of their filter, so that an event costs a look-up and not a test of each filter.
 */
export class Tail {
  readonly unsent = new UnsentEvents();
  /** Streams of the workspace, which join once they have caught up. */
  streams = 0;
  readonly #byValue = new Map<string, Set<TailReader>>();
  readonly #others = new Set<TailReader>();
  readonly #terms = new Map<string, number>();
  #position: FeedPosition | undefined;
  #beginning: Promise<FeedPosition> | undefined;
  #joining = 0;
  #isDirty = false;
  #running: Promise<void> | undefined;
  readonly #endWake: () => void;

  constructor(
    private readonly parts: {
      readonly feed: Feed;
      readonly work: Work;
      readonly logger: Pick<Logger, "error">;
      readonly workspaceId: string;
    },
  ) {
    this.#endWake = parts.feed.wake(parts.workspaceId, () => this.#wake());
  }

  /** Everything before it was delivered; undefined before the first subscriber. */
  get position(): FeedPosition | undefined {
    return this.#position;
  }

  get isEmpty(): boolean {
    return this.#byValue.size === 0 && this.#others.size === 0 && this.#joining === 0;
  }

  /** Events that are committed after the call are delivered, until the returned removal. */
  async add(reader: TailReader): Promise<() => void> {
    const { feed, work, workspaceId } = this.parts;
    this.#joining += 1;
    try {
      if (this.#position === undefined) {
        // Readers that join at once begin at one position: a later one would skip events of others.
        this.#beginning ??= keptPromise(Promise.resolve(feed.position(work, workspaceId)));
        const position = await this.#beginning;
        this.#position ??= position;
      }
    } finally {
      this.#beginning = undefined;
      this.#joining -= 1;
    }
    const { term } = reader.filter;
    if (term === undefined) {
      this.#others.add(reader);
      return () => {
        this.#others.delete(reader);
      };
    }
    const keys = new Set(term.values.map((value) => keyOf(term.name, value)));
    for (const key of keys) {
      const same = this.#byValue.get(key) ?? new Set();
      this.#byValue.set(key, same.add(reader));
    }
    this.#terms.set(term.name, (this.#terms.get(term.name) ?? 0) + 1);
    return () => {
      for (const key of keys) this.#removeBy(key, reader);
      const left = (this.#terms.get(term.name) ?? 1) - 1;
      if (left === 0) this.#terms.delete(term.name);
      else this.#terms.set(term.name, left);
    };
  }

  /** Looks again after one that failed: the next change of the workspace may be far off. */
  retry(): void {
    if (this.#isDirty) this.#wake();
  }

  end(): Promise<void> | undefined {
    this.#endWake();
    return this.#running;
  }

  #removeBy(key: string, reader: TailReader): void {
    const same = this.#byValue.get(key);
    same?.delete(reader);
    if (same?.size === 0) this.#byValue.delete(key);
  }

  #wake(): void {
    this.#isDirty = true;
    if (this.#running !== undefined || this.#position === undefined) return;
    inBackground(this.parts.logger, "realtime-not-read", async () => {
      try {
        this.#running = keptPromise(this.#look());
        await this.#running;
      } catch (error) {
        this.#isDirty = true;
        throw error;
      } finally {
        this.#running = undefined;
      }
      if (this.#isDirty) this.#wake();
    });
  }

  async #look(): Promise<void> {
    const { feed, work, workspaceId } = this.parts;
    this.#isDirty = false;
    for (let isWhole = false; !isWhole && !this.isEmpty;) {
      const page = await feed.read(work, workspaceId, this.#position ?? "", rowsAtOnce);
      if (page.reset !== undefined) {
        this.#position = page.next;
        for (const reader of this.#all()) reader.reset(page);
        return;
      }
      for (const event of page.events) {
        const type = await feed.typeOf(event);
        for (const reader of this.#readersOf(event)) reader.take(event, type);
      }
      this.#dropSlowest();
      this.#position = page.next;
      ({ isWhole } = page);
    }
  }

  #dropSlowest(): void {
    if (this.unsent.characters <= maximumUnsentCharacters) return;
    const readers = [...this.#all()].toSorted(
      (one, other) => other.unsentEvents - one.unsentEvents,
    );
    for (const reader of readers) {
      reader.drop();
      if (this.unsent.characters <= maximumUnsentCharacters) return;
    }
  }

  #all(): Set<TailReader> {
    return new Set([...this.#others, ...[...this.#byValue.values()].flatMap((each) => [...each])]);
  }

  #readersOf({ before, after, subject }: PlacedEvent): ReadonlySet<TailReader> {
    if (this.#terms.size === 0) return this.#others;
    const found = new Set(this.#others);
    for (const name of this.#terms.keys()) {
      const values = name === "id" ? [subject] : [before?.[name], after?.[name]];
      for (const value of values) {
        // A list matches by its items; a record without the values may have had any.
        for (const item of Array.isArray(value) ? value : [value]) {
          for (const reader of this.#byValue.get(keyOf(name, item)) ?? []) found.add(reader);
        }
      }
    }
    return found;
  }
}

function keyOf(name: string, value: unknown): string {
  return JSON.stringify([name, value ?? null]);
}
