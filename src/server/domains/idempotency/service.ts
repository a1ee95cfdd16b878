import { AsyncLocalStorage } from "node:async_hooks";
import { Refusal } from "#contract/problems.ts";
import type { Database, MergeableUnit, Writer } from "../../database/database.ts";
import {
  answerKey,
  deleteExpiredKeys,
  insertKeys,
  KeyLookups,
  type IdempotencyKey,
  type KeyIdentity,
} from "./store.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type {
  ClaimedKey,
  IdempotencyPort,
  KeptResponse,
  KeyHolder,
  KeyRequest,
} from "../../http/ports.ts";

const keptMs = 24 * 60 * 60 * 1000;
const cleaningIntervalMs = 10 * 60 * 1000;
/** Keys that one unit removes. */
const cleaningLimit = 1000;

/**
 * `Idempotency-Key` (IETF httpapi draft 07): the same key with the same content gets the first
 * answer again for 24 hours, other content is 422, and while the first runs 409. Only successes are
 * kept: a refused request had no effect and may be sent again.
 *
 * The record is written in the same unit as the effect. While the request runs the key is held in
 * memory; two processes on one PostgreSQL meet at the record's primary key, where the later unit is
 * rolled back. A crash therefore leaves both effect and record, or none.
 */
export class IdempotencyService implements IdempotencyPort {
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #lookups: KeyLookups;
  readonly #running = new Map<string, KeyClaim>();
  readonly #current = new AsyncLocalStorage<KeyHolder>();

  constructor(options: { database: Database; now: () => Date; lifetime: Lifetime }) {
    this.#database = options.database;
    this.#lookups = new KeyLookups(options.database.read);
    this.#now = options.now;
    options.lifetime.every(cleaningIntervalMs, "idempotency-cleaning-failed", () => this.clean());
  }

  /** The database for all services: a unit of a keyed request takes the key's record with it. */
  keyedDatabase(): Database {
    const database = this.#database;
    const current = this.#current;
    return {
      dialect: database.dialect,
      ids: database.ids,
      read: database.read,
      scan: database.scan,
      close: () => database.close(),
      write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
        const claim = claimOf(current.getStore());
        return claim === undefined ? database.write(work) : claim.write(work);
      },
      merged<Item>(unit: MergeableUnit<Item>): (item: Item) => Promise<void> {
        const write = database.merged(withRecords(unit));
        return (item) => {
          const claim = claimOf(current.getStore());
          return claim === undefined
            ? write({ item, claim: undefined })
            : claim.writeMerged(item, write);
        };
      },
    };
  }

  /** Claims the key, or answers what its first request was answered. */
  async claim(request: KeyRequest): Promise<KeyClaim | KeptResponse> {
    const name = JSON.stringify([request.workspaceId, request.oid, request.key]);
    const running = this.#running.get(name);
    if (running !== undefined) {
      if (running.fingerprint !== request.fingerprint) throw keyReused();
      throw inProgress();
    }
    const claim = new KeyClaim(request, this.#database, this.#now, () =>
      this.#running.delete(name),
    );
    this.#running.set(name, claim);
    try {
      const record = await this.#lookups.find(claim.identity, this.#now().toISOString());
      if (record === undefined) return claim;
      claim.release();
      return keptAnswer(record, request.fingerprint);
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  /**
   * Runs a handler so that its writes take the record of `holder.claimed` with them. An upload sets
   * that only in its middle, when the form has been read.
   */
  run<T>(holder: KeyHolder, work: () => T): T {
    return this.#current.run(holder, work);
  }

  /** Takes out all keys whose time is over, some at a time: everybody's writes wait for a unit. */
  async clean(): Promise<void> {
    const now = this.#now().toISOString();
    let count = cleaningLimit;
    while (count === cleaningLimit) {
      count = await this.#database.write((writer) => deleteExpiredKeys(writer, now, cleaningLimit));
    }
  }
}

/** One running request's hold on its key. */
export class KeyClaim implements ClaimedKey {
  readonly identity: KeyIdentity;
  readonly fingerprint: string;
  readonly #database: Database;
  readonly #now: () => Date;
  readonly #onRelease: () => void;
  #answer: KeptResponse | undefined;
  /** What is durable: nothing, the effect's mark without its answer, or the answer. */
  #recorded: "nothing" | "mark" | "answer" = "nothing";
  /** What the unit that carries the record, and is under way, has put there. */
  #recording: "mark" | "answer" = "mark";
  /** A unit that carries the record is under way; another one beside it goes without. */
  #isRecording = false;
  #isOpen = true;

  constructor(request: KeyRequest, database: Database, now: () => Date, onRelease: () => void) {
    this.identity = {
      workspace_id: request.workspaceId,
      oid: request.oid,
      key: request.key,
    };
    this.fingerprint = request.fingerprint;
    this.#database = database;
    this.#now = now;
    this.#onRelease = onRelease;
  }

  /** The answer that is going to be given: said by the handler in its unit, or when it leaves. */
  remember(answer: KeptResponse): void {
    this.#answer = answer;
  }

  /** A unit of the request; the first that is committed carries the key's record. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    if (!this.#mayRecord()) return this.#database.write(work);
    return this.#whileRecording(() =>
      this.#database.write(async (writer) => {
        const value = await work(writer);
        await recordKeys(writer, [this]);
        return value;
      }),
    );
  }

  /** The same for a unit that is written together with others. */
  writeMerged<Item>(item: Item, write: (keyed: Keyed<Item>) => Promise<void>): Promise<void> {
    if (!this.#mayRecord()) return write({ item, claim: undefined });
    return this.#whileRecording(() => write({ item, claim: this }));
  }

  #mayRecord(): boolean {
    return this.#isOpen && !this.#isRecording && this.#recorded === "nothing";
  }

  async #whileRecording<T>(write: () => Promise<T>): Promise<T> {
    this.#isRecording = true;
    try {
      const result = await write();
      this.#recorded = this.#recording;
      return result;
    } finally {
      this.#isRecording = false;
    }
  }

  /** After the handler: an answer that is not on record yet is put there before it leaves. */
  async finish(isSuccess: boolean): Promise<void> {
    try {
      const answer = this.#answer;
      if (!isSuccess || answer === undefined || this.#recorded === "answer") return;
      await this.#database.write(async (writer) => {
        if (this.#recorded === "nothing") return recordKeys(writer, [this]);
        await answerKey(writer, this.identity, {
          status: answer.status,
          headers: JSON.stringify(answer.headers),
          body: answer.body,
        });
      });
    } finally {
      this.release();
    }
  }

  /** The key's record as it is to be written now. */
  record(): IdempotencyKey {
    const now = this.#now();
    const answer = this.#answer;
    this.#recording = answer === undefined ? "mark" : "answer";
    return {
      ...this.identity,
      fingerprint: this.fingerprint,
      status: answer?.status ?? null,
      headers: answer === undefined ? null : JSON.stringify(answer.headers),
      body: answer?.body ?? null,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + keptMs).toISOString(),
    };
  }

  /** Once: after it the key may be in another request's hands. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onRelease();
  }
}

function claimOf(holder: KeyHolder | undefined): KeyClaim | undefined {
  const claimed = holder?.claimed;
  return claimed instanceof KeyClaim ? claimed : undefined;
}

/** One of the units that are written together, and the key whose record it carries. */
interface Keyed<Item> {
  readonly item: Item;
  readonly claim: KeyClaim | undefined;
}

/** The same units, each with the record of its key. */
function withRecords<Item>(unit: MergeableUnit<Item>): MergeableUnit<Keyed<Item>> {
  const itemsOf = (all: readonly Keyed<Item>[]): Item[] => all.map(({ item }) => item);
  return {
    isMergeable: ({ item }) => unit.isMergeable(item),
    // An answer holds about what was sent.
    weight: ({ item, claim }) => unit.weight(item) * (claim === undefined ? 1 : 2),
    async one(writer, { item, claim }) {
      await unit.one(writer, item);
      if (claim !== undefined) await recordKeys(writer, [claim]);
    },
    async all(writer, all) {
      const done = await unit.all(writer, itemsOf(all));
      await recordKeys(
        writer,
        all.flatMap(({ claim }, at) => (claim !== undefined && done[at] === true ? [claim] : [])),
      );
      return done;
    },
    isOneStatement: (all) =>
      all.every(({ claim }) => claim === undefined) && unit.isOneStatement(itemsOf(all)),
  };
}

/** Another process's record of one of the keys rolls the unit back. */
async function recordKeys(writer: Writer, claims: readonly KeyClaim[]): Promise<void> {
  const rows = claims.map((claim) => claim.record());
  if (!(await insertKeys(writer, rows))) throw inProgress();
}

function keptAnswer(record: IdempotencyKey, fingerprint: string): KeptResponse {
  if (record.fingerprint !== fingerprint) throw keyReused();
  if (record.status === null) {
    throw new Refusal("conflict", {
      detail:
        "This request was carried out, but its answer was lost: look at what is stored, " +
        "and send a new Idempotency-Key only if the effect is not there",
    });
  }
  const headers: unknown = JSON.parse(record.headers ?? "{}");
  return {
    status: record.status,
    headers: headers as Readonly<Record<string, string>>,
    body: record.body,
  };
}

function inProgress(): Refusal {
  return new Refusal("request-in-progress", {
    detail: "A request with this Idempotency-Key is still running: ask again for its answer",
    headers: { "retry-after": "1" },
  });
}

function keyReused(): Refusal {
  return new Refusal("idempotency-key-reused", {
    detail: "This Idempotency-Key was used with another request: send a new key",
  });
}
