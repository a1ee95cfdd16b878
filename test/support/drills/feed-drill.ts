import { endMarker, hop, listAll, Received, watchAll } from "./feed-readers.ts";
import { memberOf, type DrillAnswer, type DrillSession } from "./session.ts";

const batchSize = 5;
const keptRecords = 20;
const refusedPauseMs = 20;
const tries = 400;

export interface FeedDrillOptions {
  /** The caller at each platform of the database; a platform keeps its address. */
  readonly sessions: readonly DrillSession[];
  readonly writers: number;
  readonly kills: number;
  /** Kills something, and resolves when it runs again. */
  readonly kill: () => Promise<void>;
  /** The longest time between two kills. */
  readonly longestLifeMs: number;
  /** The longest pause of a writer after each write; it is half of that on average. */
  readonly pauseMs: number;
}

export interface FeedCounts {
  kills: number;
  acknowledged: number;
  /** Writes without an answer, which may have taken effect. */
  unanswered: number;
  /** The number of refused writes of each status. */
  readonly refused: Record<number, number>;
  readers: number;
  /** Changes that the readers received, without repetitions. */
  changes: number;
  repeated: number;
}

interface Own {
  readonly id: string;
  readonly version: number;
}

/**
 * Writers create, update and delete records, and readers follow the feed, while processes are
 * killed. At the end each reader must have each version of each record in order, with one id.
 */
export async function drillFeed(options: FeedDrillOptions): Promise<FeedCounts> {
  const drill = new FeedDrill(options);
  return drill.run();
}

class FeedDrill {
  readonly #acknowledged = new Map<string, number>();
  readonly #received: Received[] = [];
  readonly #reading: Promise<void>[] = [];
  readonly counts: FeedCounts = {
    kills: 0,
    acknowledged: 0,
    unanswered: 0,
    refused: {},
    readers: 0,
    changes: 0,
    repeated: 0,
  };
  readonly #aborting = new AbortController();
  #killing: Promise<void> | undefined;
  #isStopped = false;
  #serial = 0;

  constructor(private readonly options: FeedDrillOptions) {}

  async run(): Promise<FeedCounts> {
    const { sessions, writers } = this.options;
    const { signal } = this.#aborting;
    const { cursor } = await this.#patiently(() => listAll(this.#anySession()));
    for (const session of sessions) this.#watch("a watch", session, { cursor });
    this.#read("a reader that hops", undefined, (reader) =>
      hop(sessions, reader, { cursor, signal }),
    );
    const writing = Array.from({ length: writers }, () => this.#write());
    try {
      await Promise.race([this.#kill(), ...[...writing, ...this.#reading].map(failureOf)]);
      this.#isStopped = true;
      await Promise.all(writing);
      await this.#end();
      await Promise.all(this.#reading);
    } finally {
      this.#isStopped = true;
      this.#aborting.abort();
      await this.#killing;
      await Promise.allSettled([...writing, ...this.#reading]);
    }
    const { versions: listed } = await this.#patiently(() => listAll(this.#anySession()));
    for (const received of this.#received) {
      received.requireAll({ listed, acknowledged: this.#acknowledged });
      this.counts.changes += received.distinct;
      this.counts.repeated += received.repeated;
    }
    this.counts.readers = this.#received.length;
    return this.counts;
  }

  async #kill(): Promise<void> {
    const { kills, kill, longestLifeMs } = this.options;
    const listEvery = Math.max(1, Math.floor(kills / 3));
    while (this.counts.kills < kills) {
      await Bun.sleep(Math.random() * longestLifeMs);
      if (this.#isStopped) return;
      this.#killing = kill();
      await this.#killing;
      this.counts.kills += 1;
      // Some readers begin in the middle, with a list.
      if (this.counts.kills % listEvery === 0) await this.#listAndFollow();
    }
  }

  async #listAndFollow(): Promise<void> {
    const { cursor, versions } = await this.#patiently(() => listAll(this.#anySession()));
    this.#watch("a watch after a list", this.#anySession(), { cursor, since: versions });
  }

  #watch(
    name: string,
    session: DrillSession,
    { cursor, since }: { readonly cursor: string; readonly since?: ReadonlyMap<string, number> },
  ): void {
    const { signal } = this.#aborting;
    this.#read(name, since, (reader) => watchAll(session, reader, { cursor, signal }));
  }

  #read(
    name: string,
    since: ReadonlyMap<string, number> | undefined,
    follow: (received: Received) => Promise<void>,
  ): void {
    const received = new Received(`${name} (${this.#received.length})`, since);
    this.#received.push(received);
    const reading = follow(received);
    reading.catch(() => {});
    this.#reading.push(reading);
  }

  async #write(): Promise<void> {
    const own: Own[] = [];
    while (!this.#isStopped) {
      await this.#step(own);
      await Bun.sleep(Math.random() * this.options.pauseMs);
      if (own.length > keptRecords) own.shift();
    }
  }

  /** One write. A record whose write has no answer is left alone: its version is not known. */
  async #step(own: Own[]): Promise<void> {
    const kind = Math.random();
    const at = Math.floor(Math.random() * own.length);
    const [known] = kind < 0.4 ? [] : own.splice(at, 1);
    const session = this.#anySession();
    if (kind < 0.1) {
      const items = Array.from({ length: batchSize }, () => ({ marker: this.#next() }));
      const made = await this.#answer(
        session.call("POST", "/batch/create", { items, atomic: true }),
        200,
      );
      const results = memberOf(made?.json, "results");
      for (const item of Array.isArray(results) ? results : []) {
        this.#note(own, { id: String(memberOf(item, "id")), version: 1 });
      }
    } else if (known === undefined) {
      const made = await this.#answer(session.call("POST", "", { marker: this.#next() }), 201);
      if (made !== undefined)
        this.#note(own, { id: String(memberOf(made.json, "id")), version: 1 });
    } else if (kind < 0.85) {
      const { id, version } = known;
      const body = { version, data: { marker: this.#next() } };
      const changed = await this.#answer(session.call("PUT", `/${id}`, body), 200);
      if (changed !== undefined) this.#note(own, { id, version: version + 1 });
    } else {
      const { id, version } = known;
      const deleted = await this.#answer(session.call("DELETE", `/${id}`), 204);
      if (deleted !== undefined) this.#note([], { id, version: version + 1 });
    }
  }

  #note(own: Own[], known: Own): void {
    own.push(known);
    this.#acknowledged.set(known.id, known.version);
    this.counts.acknowledged += 1;
  }

  /** Undefined for a write without an answer, and for one that an unavailable database refused. */
  async #answer(calling: Promise<DrillAnswer>, wanted: number): Promise<DrillAnswer | undefined> {
    const answer = await calling.catch(() => undefined);
    if (answer?.status === wanted) return answer;
    if (answer === undefined) this.counts.unanswered += 1;
    else {
      const { status, json } = answer;
      if (status < 500 && status !== 429) {
        throw new Error(`${wanted} expected, ${status} ${JSON.stringify(json)}`);
      }
      this.counts.refused[status] = (this.counts.refused[status] ?? 0) + 1;
    }
    await Bun.sleep(refusedPauseMs);
    return undefined;
  }

  async #end(): Promise<void> {
    await this.#patiently(async () => {
      const { json } = await this.#anySession().expect(201, "POST", "", { marker: endMarker });
      this.#note([], { id: String(memberOf(json, "id")), version: 1 });
    });
  }

  /** Repeats what fails while a process is away. */
  async #patiently<Value>(call: () => Promise<Value>): Promise<Value> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call();
      } catch (error) {
        if (attempt === tries) throw error;
        await Bun.sleep(refusedPauseMs);
      }
    }
  }

  #anySession(): DrillSession {
    const { sessions } = this.options;
    const session = sessions[Math.floor(Math.random() * sessions.length)];
    if (session === undefined) throw new Error("a drill needs a platform");
    return session;
  }

  #next(): string {
    this.#serial += 1;
    return `m${this.#serial}`;
  }
}

/** Never resolves: it rejects as the promise does. */
function failureOf(promise: Promise<void>): Promise<never> {
  return new Promise((_resolve, reject) => {
    promise.catch(reject);
  });
}
