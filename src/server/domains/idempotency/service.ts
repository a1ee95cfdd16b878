import { AsyncLocalStorage } from "node:async_hooks";
import { Refusal } from "#contract/problems.ts";
import type { Database, MergeableUnit, Writer } from "../../database/database.ts";
import {
  addResponse,
  deleteExpiredKeys,
  insertKeys,
  KeyLookups,
  type IdempotencyKey,
  type KeyIdentity,
} from "./store.ts";
import type { Recorded, Remembered } from "../../work/work.ts";
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
/** Keys that one transaction deletes. */
const cleaningLimit = 1000;

/**
 * `Idempotency-Key` (IETF httpapi draft 07): for 24 hours the same key and content returns the
 * first response; other content is 422, a running request 409. Only successes are kept.
 *
 * The key's record and the effect share a transaction, so a crash leaves both or none. A running
 * request claims its key in memory; between processes on one PostgreSQL the primary key decides.
 */
export class IdempotencyService implements IdempotencyPort {
  readonly #lookups: KeyLookups;
  readonly #running = new Map<string, KeyClaim>();
  readonly #current = new AsyncLocalStorage<KeyHolder>();

  constructor(
    private readonly options: { database: Database; now: () => Date; lifetime: Lifetime },
  ) {
    this.#lookups = new KeyLookups(options.database.read);
    options.lifetime.every(cleaningIntervalMs, "idempotency-cleaning-failed", () => this.clean());
  }

  /** The database for all services: a keyed request's transaction also stores the key's record. */
  keyedDatabase(): Database {
    const database = this.options.database;
    const current = this.#current;
    return {
      ...database,
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

  async claim(request: KeyRequest): Promise<KeyClaim | KeptResponse> {
    const name = JSON.stringify([request.workspaceId, request.oid, request.key]);
    const running = this.#running.get(name);
    if (running !== undefined) {
      if (running.fingerprint !== request.fingerprint) throw keyReused();
      throw inProgress();
    }
    const claim = new KeyClaim(request, this.options.database, this.options.now, () =>
      this.#running.delete(name),
    );
    this.#running.set(name, claim);
    try {
      const record = await this.#lookups.find(claim.identity, this.options.now().toISOString());
      if (record === undefined) return claim;
      claim.release();
      return keptResponse(record, request.fingerprint);
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  run<T>(holder: KeyHolder, work: () => T): T {
    return this.#current.run(holder, work);
  }

  /** Deletes expired keys in small transactions, because other writes wait for each. */
  async clean(): Promise<void> {
    const now = this.options.now().toISOString();
    let count = cleaningLimit;
    while (count === cleaningLimit) {
      count = await this.options.database.write((writer) =>
        deleteExpiredKeys(writer, now, cleaningLimit),
      );
    }
  }
}

export class KeyClaim implements ClaimedKey {
  readonly identity: KeyIdentity;
  readonly fingerprint: string;
  readonly store = storeKeys;
  readonly #responseOf: KeyRequest["responseOf"];
  #response: KeptResponse | undefined;
  /** The durable state: nothing, a mark of the effect without its response, or the response. */
  #recorded: "nothing" | "mark" | "response" = "nothing";
  /** The state that the running transaction writes. */
  #recording: "mark" | "response" = "mark";
  /** A running transaction stores the record; a concurrent one must not. */
  #isRecording = false;
  #isOpen = true;

  constructor(
    request: KeyRequest,
    private readonly database: Database,
    private readonly now: () => Date,
    private readonly onRelease: () => void,
  ) {
    this.identity = {
      workspace_id: request.workspaceId,
      oid: request.oid,
      key: request.key,
    };
    this.fingerprint = request.fingerprint;
    this.#responseOf = request.responseOf;
  }

  begin(): boolean {
    if (!this.#mayRecord()) return false;
    this.#isRecording = true;
    return true;
  }

  end(isCommitted: boolean): void {
    if (isCommitted) this.#recorded = this.#recording;
    this.#isRecording = false;
  }

  /** The record of the key, with the answer that its transaction has remembered. */
  recordWith(answer: Remembered | undefined): IdempotencyKey {
    if (answer !== undefined) this.#response = this.#responseOf(answer);
    return this.record();
  }

  remember(response: KeptResponse): void {
    this.#response = response;
  }

  /** A transaction of the request; the first committed one stores the key's record. */
  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    if (!this.#mayRecord()) return this.database.write(work);
    return this.#whileRecording(() =>
      this.database.write(async (writer) => {
        const value = await work(writer);
        await recordKeys(writer, [this]);
        return value;
      }),
    );
  }

  /** The same for a transaction that is merged with others. */
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

  async finish(isSuccess: boolean): Promise<void> {
    try {
      const response = this.#response;
      if (!isSuccess || response === undefined || this.#recorded === "response") return;
      await this.database.write(async (writer) => {
        if (this.#recorded === "nothing") return recordKeys(writer, [this]);
        await addResponse(writer, this.identity, {
          status: response.status,
          headers: JSON.stringify(response.headers),
          body: response.body,
        });
      });
    } finally {
      this.release();
    }
  }

  record(): IdempotencyKey {
    const now = this.now();
    const response = this.#response;
    this.#recording = response === undefined ? "mark" : "response";
    return {
      ...this.identity,
      fingerprint: this.fingerprint,
      status: response?.status ?? null,
      headers: response === undefined ? null : JSON.stringify(response.headers),
      body: response?.body ?? null,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + keptMs).toISOString(),
    };
  }

  /** Acts once, because another request may claim the key afterwards. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.onRelease();
  }
}

function claimOf(holder: KeyHolder | undefined): KeyClaim | undefined {
  const claimed = holder?.claimed;
  return claimed instanceof KeyClaim ? claimed : undefined;
}

/** An item of a merged transaction, with the claim whose record it stores. */
interface Keyed<Item> {
  readonly item: Item;
  readonly claim: KeyClaim | undefined;
}

/** The same merged transaction, which also stores the records of keys. */
function withRecords<Item>(unit: MergeableUnit<Item>): MergeableUnit<Keyed<Item>> {
  const itemsOf = (all: readonly Keyed<Item>[]): Item[] => all.map(({ item }) => item);
  return {
    isMergeable: ({ item }) => unit.isMergeable(item),
    // A response is about as large as its request.
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

async function storeKeys(writer: Writer, all: readonly Recorded[]): Promise<void> {
  const rows = all.flatMap(({ recording, remembered }) =>
    recording instanceof KeyClaim ? [recording.recordWith(remembered)] : [],
  );
  if (!(await insertKeys(writer, rows))) throw inProgress();
}

/** Rolls the transaction back if another process has stored one of the keys. */
async function recordKeys(writer: Writer, claims: readonly KeyClaim[]): Promise<void> {
  const rows = claims.map((claim) => claim.record());
  if (!(await insertKeys(writer, rows))) throw inProgress();
}

function keptResponse(record: IdempotencyKey, fingerprint: string): KeptResponse {
  if (record.fingerprint !== fingerprint) throw keyReused();
  if (record.status === null) {
    throw new Refusal("conflict", {
      detail:
        "This request had its effect, but its response was lost: read what is stored, " +
        "and send a new Idempotency-Key only if the effect is missing",
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
    detail: "A request with this Idempotency-Key is still running: retry for its response",
    headers: { "retry-after": "1" },
  });
}

function keyReused(): Refusal {
  return new Refusal("idempotency-key-reused", {
    detail: "This Idempotency-Key was used for another request: send a new key",
  });
}
