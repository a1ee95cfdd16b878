import { Refusal } from "#contract/problems.ts";
import type { Writer } from "../../database/database.ts";
import type { ClaimedKey, IdempotencyPort, KeptResponse, KeyRequest } from "../../work/ports.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Recorded, Remembered, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import {
  addResponse,
  deleteExpiredKeys,
  deleteKey,
  insertKeys,
  keysQuoting,
  replacePart,
  keyRecord,
  KeyLookups,
  type IdempotencyKey,
  type KeyIdentity,
} from "./store.ts";

const keptMs = 24 * 60 * 60 * 1000;
const cleaningIntervalMs = 10 * 60 * 1000;
/** Number of keys that one transaction deletes. */
const cleaningLimit = 1000;

/**
 * `Idempotency-Key` (IETF httpapi draft 07): for 24 hours the same key and content returns the
 * first response; other content is 422, a running request 409. Failures are not kept.
 *
 * The key's record and the effect share a transaction, so a crash leaves both or none. A running
 * request claims its key in memory; between processes on one PostgreSQL the primary key decides.
 */
export class IdempotencyService implements IdempotencyPort {
  readonly #lookups: KeyLookups;
  readonly #running = new Map<string, KeyClaim>();

  constructor(
    private readonly options: {
      readonly platformWork: PlatformWork;
      readonly now: () => Date;
      readonly lifetime: Lifetime;
    },
  ) {
    this.#lookups = new KeyLookups((workspaceId) => this.#workIn(workspaceId).read);
    options.lifetime.every(cleaningIntervalMs, "idempotency-cleaning-failed", () => this.clean());
  }

  async claim(request: KeyRequest): Promise<KeyClaim | KeptResponse> {
    const name = JSON.stringify([request.workspaceId, request.oid, request.key]);
    const running = this.#running.get(name);
    if (running !== undefined) {
      if (running.fingerprint !== request.fingerprint) throw keyReused();
      throw inProgress();
    }
    const work = this.#workIn(request.workspaceId);
    const release = (): void => {
      this.#running.delete(name);
    };
    const claim = new KeyClaim(request, { work, now: this.options.now, onRelease: release });
    this.#running.set(name, claim);
    try {
      const record = await this.#lookups.find(claim.identity, this.options.now().toISOString());
      if (record === undefined || claim.continues(record)) return claim;
      claim.release();
      return keptResponse(record, request.fingerprint);
    } catch (error) {
      claim.release();
      throw error;
    }
  }

  /** Deletes expired keys in small transactions, because other writes wait for each. */
  async clean(): Promise<void> {
    const now = this.options.now().toISOString();
    const work = this.options.platformWork("expired idempotency keys");
    let count = cleaningLimit;
    while (count === cleaningLimit) {
      count = await work.write((tx) => deleteExpiredKeys(tx, now, cleaningLimit));
    }
  }

  /** Deletes the kept answers of a workspace that quote one of these texts; returns how many. */
  async eraseQuoting(workspaceId: string, texts: readonly string[]): Promise<number> {
    const work = this.options.platformWork("kept answers that quote what was erased");
    for (let erased = 0; ;) {
      const found = await keysQuoting(work.scan, workspaceId, texts, cleaningLimit);
      await work.write(async (tx) => {
        for (const key of found) await deleteKey(tx, key);
      });
      erased += found.length;
      if (found.length < cleaningLimit) return erased;
    }
  }

  #workIn(workspaceId: string): Work {
    return this.options.platformWork("the record of an idempotency key").within(workspaceId);
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
  /** Each transaction keeps the outcomes so far, as JSON text in the place of the response. */
  #isInParts = false;
  #storedPart: string | undefined;
  #storingPart: string | undefined;
  #isOpen = true;

  constructor(
    request: KeyRequest,
    private readonly parts: {
      readonly work: Work;
      readonly now: () => Date;
      readonly onRelease: () => void;
    },
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
    if (!this.#isOpen || this.#isRecording) return false;
    if (this.#recorded !== "nothing" && !this.#isInParts) return false;
    this.#isRecording = true;
    return true;
  }

  end(isCommitted: boolean): void {
    if (isCommitted) this.#recorded = this.#recording;
    if (isCommitted) this.#storedPart = this.#storingPart;
    this.#isRecording = false;
  }

  /** True if the record has a part of this request's outcomes: the request then continues. */
  continues({ fingerprint, status, body }: IdempotencyKey): boolean {
    if (status !== null || body === null || fingerprint !== this.fingerprint) return false;
    this.#recorded = "mark";
    this.#storedPart = body;
    return true;
  }

  continued(): readonly unknown[] {
    this.#isInParts = true;
    const kept: unknown = JSON.parse(this.#storedPart ?? "[]");
    return Array.isArray(kept) ? kept : [];
  }

  /** Keeps the outcomes so far; refuses when another process has continued the request. */
  async storePart(writer: Writer, outcomes: readonly unknown[]): Promise<void> {
    const before = this.#storedPart;
    const body = JSON.stringify(outcomes);
    this.#recording = "mark";
    this.#storingPart = body;
    const isStored =
      before === undefined
        ? await insertKeys(writer, [{ ...this.record(), body }])
        : await replacePart(writer, this.identity, { before, body });
    if (!isStored) throw inProgress();
  }

  /** The record of the key, with the answer that its transaction has remembered. */
  record(answer?: Remembered): IdempotencyKey {
    if (answer !== undefined) this.#response = this.#responseOf(answer);
    const now = this.parts.now();
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

  remember(response: KeptResponse): void {
    this.#response = response;
  }

  async finish(): Promise<void> {
    try {
      const response = this.#response;
      if (response === undefined || this.#recorded === "response") return;
      await this.parts.work.write(async (tx) => {
        if (this.#recorded === "nothing") return insertAll(tx, [this.record()]);
        await addResponse(tx, this.identity, {
          status: response.status,
          headers: JSON.stringify(response.headers),
          body: response.body,
        });
      });
    } finally {
      this.release();
    }
  }

  async fail(error: unknown): Promise<unknown> {
    const { read } = this.parts.work;
    try {
      // One SQLite database has one platform, which claims its keys in memory.
      if (read.dialect === "sqlite" || this.#recorded !== "nothing") return error;
      const now = this.parts.now().toISOString();
      const record = await keyRecord(read, this.identity, now);
      if (record === undefined) return error;
      return record.fingerprint === this.fingerprint ? inProgress() : keyReused();
    } catch {
      // The look-up fails with the storage, of which the first error is the better reason.
      return error;
    } finally {
      this.release();
    }
  }

  /** Acts once, because another request may claim the key afterwards. */
  release(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.parts.onRelease();
  }
}

async function storeKeys(writer: Writer, all: readonly Recorded[]): Promise<void> {
  const rows: IdempotencyKey[] = [];
  for (const { recording, remembered, part } of all) {
    if (!(recording instanceof KeyClaim)) continue;
    if (part === undefined) rows.push(recording.record(remembered));
    else await recording.storePart(writer, part);
  }
  await insertAll(writer, rows);
}

/** Rolls the transaction back if another process has stored one of the keys. */
async function insertAll(writer: Writer, rows: readonly IdempotencyKey[]): Promise<void> {
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
