import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { RunningPlatform } from "../platform-process.ts";
import { memberOf, type DrillAnswer, type DrillSession } from "./session.ts";

const workers = 8;
const batchSize = 20;
const refusalPauseMs = 10;
/** Records that a worker changes again; older ones are looked at once more at the end. */
const keptRecords = 20;

interface Known {
  readonly version: number;
  readonly marker: string;
}

interface Attempt extends Known {
  readonly id: string;
}

interface Creation {
  readonly key: string;
  readonly data: { readonly marker: string; readonly note: string };
}

/** The requests and answers of the callers before the platform died. */
class Ledger {
  /** Acknowledged records as they were last acknowledged, by id. */
  readonly records = new Map<string, Known>();
  /** Atomic batches that were acknowledged. */
  readonly batches = new Set<string>();
  readonly openUpdates = new Map<string, Attempt>();
  readonly openBatches = new Set<string>();
  readonly openCreations = new Map<string, Creation>();
  /** The text of each acknowledged document, by id. */
  readonly documents = new Map<string, string>();
  /** Ids that this round wrote to. */
  readonly touched = new Set<string>();
  readonly touchedDocuments = new Set<string>();
}

export interface CrashCounts {
  rounds: number;
  creates: number;
  updates: number;
  batches: number;
  /** Reads that had the acknowledged version. */
  reads: number;
  uploads: number;
  /** Requests that a failing disk refused, by status. */
  refusals: Record<number, number>;
  /** Requests whose answer never came, or was a refusal. */
  unanswered: number;
  /** The number of unanswered requests that took effect. */
  doneUnanswered: number;
}

export interface CrashDrillOptions {
  /** Starts the platform on its directory, again and again. */
  readonly start: () => Promise<RunningPlatform>;
  readonly session: DrillSession;
  readonly random?: () => number;
  /** The record that uploaded documents belong to; without it there are none. */
  readonly application?: string;
  /** The disk fails: a refusal with a status from 500 on is an answer like none. */
  readonly mayRefuse?: boolean;
}

/**
 * Writers work, the platform is killed (-9) at any moment and started again, and every word that it
 * gave is held against what is there: an acknowledged write stands; one without an answer is there
 * wholly or not at all; a batch that is atomic is whole; a retry under the same key has one effect.
 */
export class CrashDrill {
  readonly #options: CrashDrillOptions;
  readonly #random: () => number;
  readonly #ledger = new Ledger();
  #session: DrillSession;
  #serial = 0;
  readonly counts: CrashCounts = {
    rounds: 0,
    creates: 0,
    updates: 0,
    batches: 0,
    reads: 0,
    uploads: 0,
    refusals: {},
    unanswered: 0,
    doneUnanswered: 0,
  };

  constructor(options: CrashDrillOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#random = options.random ?? Math.random;
  }

  /** All requests that were answered with a success. */
  get acknowledged(): number {
    const { creates, updates, batches, uploads } = this.counts;
    return creates + updates + batches + uploads;
  }

  /** The refusals since this was asked last. */
  takeRefusals(): Readonly<Record<number, number>> {
    const { refusals } = this.counts;
    this.counts.refusals = {};
    return refusals;
  }

  /** One life of the platform: verify what the last one left, write, die. Throws what was lost. */
  async round(longestMs: number): Promise<void> {
    await this.#live(this.#options.start, this.#random() * longestMs, true);
  }

  /** A life whose disk fails, after another one that verifies what the last one left. */
  async failingRound(start: CrashDrillOptions["start"], lifeMs: number): Promise<void> {
    await this.verify();
    await this.#live(start, lifeMs, false);
  }

  /** Starts the platform and verifies what the last round wrote. */
  async verify(): Promise<void> {
    const platform = await this.#options.start();
    try {
      this.#session = this.#session.at(platform);
      await this.#verify(this.#ledger.touched);
    } finally {
      await platform.stop();
    }
  }

  async #live(
    start: CrashDrillOptions["start"],
    lifeMs: number,
    isVerifying: boolean,
  ): Promise<void> {
    const platform = await start();
    try {
      this.#session = this.#session.at(platform);
      if (isVerifying) await this.#verify(this.#ledger.touched);
      const work = Array.from({ length: workers }, (_, worker) => this.#work(worker));
      await Bun.sleep(lifeMs);
      await platform.kill();
      await Promise.all(work);
      this.counts.rounds += 1;
    } finally {
      await platform.kill();
    }
  }

  /** Everything that was ever acknowledged, and the database's own integrity check. */
  async finish(): Promise<void> {
    const platform = await this.#options.start();
    try {
      this.#session = this.#session.at(platform);
      await this.#verify(this.#ledger.records.keys());
      for (const batch of this.#ledger.batches) await this.#expectBatch(batch, [batchSize]);
      for (const [id, text] of this.#ledger.documents) await this.#expectDocument(id, text);
      const kept = await this.#session.expect(200, "GET", "?count=true&limit=1");
      const counted = await this.#session.count({ marker: { $exists: true } });
      if (memberOf(kept.json, "total") !== counted) {
        throw new Error(`${counted} records are counted as ${JSON.stringify(kept.json)}`);
      }
    } finally {
      await platform.stop();
    }
  }

  async #work(worker: number): Promise<void> {
    const own: string[] = [];
    while (await this.#step(worker, own)) if (own.length > keptRecords) own.shift();
  }

  /** One request. False once the platform is dead, which comes as a broken connection. */
  async #step(worker: number, own: string[]): Promise<boolean> {
    const at = Math.floor(this.#random() * own.length);
    const id = own[at];
    const kind = this.#random();
    try {
      if (kind < 0.1) await this.#batch();
      else if (kind < 0.15 && this.#options.application !== undefined) await this.#upload();
      else if (kind < 0.5 || id === undefined) own.push(await this.#create(worker));
      else if (kind < 0.6) await this.#read(id);
      else await this.#update(id);
      return true;
    } catch (error) {
      if (isBroken(error)) return false;
      if (!(error instanceof RefusedRequest)) throw error;
      if (this.#options.mayRefuse !== true || error.status < 500) throw error;
      const { refusals } = this.counts;
      refusals[error.status] = (refusals[error.status] ?? 0) + 1;
      // Its version is not known until it is verified.
      if (id !== undefined && this.#ledger.openUpdates.has(id)) own.splice(at, 1);
      await Bun.sleep(refusalPauseMs);
      return true;
    }
  }

  async #read(id: string): Promise<void> {
    const known = this.#ledger.records.get(id);
    const { status, json } = await this.#session.call("GET", `/${id}`);
    if (status !== 200) throw new RefusedRequest("a read", { status, json });
    const found = versionOf(json);
    if (known === undefined || !isSame(found, known)) {
      throw new Error(`the record ${id} reads ${JSON.stringify([found, known])}`);
    }
    this.counts.reads += 1;
  }

  async #upload(): Promise<void> {
    const text = `${this.#next("d")} ${"a line of a document\n".repeat(500)}`;
    const answer = await this.#session.upload(this.#options.application ?? "", text);
    if (answer.status !== 202) throw new RefusedRequest("an upload", answer);
    const id = String(memberOf(answer.json, "documentId"));
    this.#ledger.documents.set(id, text);
    this.#ledger.touchedDocuments.add(id);
    this.counts.uploads += 1;
  }

  async #create(worker: number): Promise<string> {
    const marker = this.#next(`w${worker}`);
    const data = { marker, note: "x".repeat(Math.floor(this.#random() * 4_000)) };
    const key = `key-${marker}`;
    this.#ledger.openCreations.set(marker, { key, data });
    const id = await this.#sendCreation({ key, data });
    this.#ledger.openCreations.delete(marker);
    this.counts.creates += 1;
    return id;
  }

  async #sendCreation({ key, data }: Creation): Promise<string> {
    const answer = await this.#session.call("POST", "", data, { "idempotency-key": key });
    if (answer.status !== 201) throw new RefusedRequest("a create", answer);
    const id = String(memberOf(answer.json, "id"));
    this.#ledger.records.set(id, { version: 1, marker: data.marker });
    this.#ledger.touched.add(id);
    return id;
  }

  async #update(id: string): Promise<void> {
    const known = this.#ledger.records.get(id);
    if (known === undefined) return;
    const marker = this.#next("u");
    const next = { version: known.version + 1, marker };
    this.#ledger.openUpdates.set(id, { id, ...next });
    this.#ledger.touched.add(id);
    const body = { version: known.version, data: { marker } };
    const answer = await this.#session.call("PUT", `/${id}`, body);
    if (answer.status !== 200) throw new RefusedRequest("an update", answer);
    this.#ledger.openUpdates.delete(id);
    this.#ledger.records.set(id, next);
    this.counts.updates += 1;
  }

  async #batch(): Promise<void> {
    const batch = this.#next("b");
    const items = Array.from({ length: batchSize }, (_, at) => ({
      marker: `${batch}-${at}`,
      batch,
    }));
    this.#ledger.openBatches.add(batch);
    const answer = await this.#session.call("POST", "/batch/create", { items, atomic: true });
    if (answer.status !== 200) throw new RefusedRequest("a batch", answer);
    this.#ledger.openBatches.delete(batch);
    this.#ledger.batches.add(batch);
    this.counts.batches += 1;
  }

  async #verify(ids: Iterable<string>): Promise<void> {
    const ledger = this.#ledger;
    const waiting = [...ids];
    const check = async (): Promise<void> => {
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) await this.#verifyOne(id);
    };
    await Promise.all(Array.from({ length: workers }, check));
    for (const id of ledger.touchedDocuments) {
      await this.#expectDocument(id, ledger.documents.get(id) ?? "");
    }
    for (const batch of ledger.openBatches) {
      this.counts.unanswered += 1;
      const found = await this.#expectBatch(batch, [0, batchSize]);
      if (found > 0) this.counts.doneUnanswered += 1;
    }
    for (const [marker, creation] of ledger.openCreations) {
      this.counts.unanswered += 1;
      const before = await this.#session.count({ marker });
      this.counts.doneUnanswered += before;
      // The key makes one of both, whichever it was.
      await this.#sendCreation(creation);
      const after = await this.#session.count({ marker });
      if (after !== 1) throw new Error(`${after} records were made of ${marker}, before ${before}`);
    }
    ledger.openBatches.clear();
    ledger.openCreations.clear();
    ledger.openUpdates.clear();
    ledger.touched.clear();
    ledger.touchedDocuments.clear();
  }

  async #verifyOne(id: string): Promise<void> {
    const known = this.#ledger.records.get(id);
    const attempt = this.#ledger.openUpdates.get(id);
    const { json } = await this.#session.expect(200, "GET", `/${id}`);
    const found = versionOf(json);
    if (attempt !== undefined) this.counts.unanswered += 1;
    if (isSame(found, known)) return;
    if (!isSame(found, attempt)) {
      const wanted = JSON.stringify([known, attempt]);
      throw new Error(
        `the record ${id} is ${JSON.stringify(found)}, and should be one of ${wanted}`,
      );
    }
    this.counts.doneUnanswered += 1;
    this.#ledger.records.set(id, found);
  }

  async #expectBatch(batch: string, allowed: readonly number[]): Promise<number> {
    const found = await this.#session.count({ batch });
    if (allowed.includes(found)) return found;
    throw new Error(`${found} records of the atomic batch ${batch} are there`);
  }

  async #expectDocument(id: string, text: string): Promise<void> {
    const found = await this.#session.content(id);
    if (found === text) return;
    throw new Error(`the document ${id} has ${found.length} of ${text.length} characters`);
  }

  #next(prefix: string): string {
    this.#serial += 1;
    return `${prefix}-${this.#serial}`;
  }
}

/** SQLite's integrity check of a database that no platform serves: `ok`, or its complaints. */
export function integrityOf(dataDir: string): string {
  using database = new Database(join(dataDir, "svc.db"));
  const rows = database.query<{ integrity_check: string }, []>("pragma integrity_check").all();
  return rows.map((row) => row.integrity_check).join("\n");
}

function isSame(one: Known, other: Known | undefined): boolean {
  return one.version === other?.version && one.marker === other.marker;
}

function isBroken(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^ECONN|^Connection/.test(String(error.code));
}

/** A request that was answered without success. */
class RefusedRequest extends Error {
  readonly status: number;

  constructor(what: string, { status, json }: DrillAnswer) {
    super(`${what} was answered ${status} ${JSON.stringify(json)}`);
    this.status = status;
  }
}

function versionOf(json: unknown): Known {
  const marker = String(memberOf(memberOf(json, "data"), "marker"));
  return { version: Number(memberOf(json, "version")), marker };
}
