import type { AuditEntry, AuditHead, AuditQuery } from "#contract/workspaces/audit.ts";
import type { ListBody } from "#contract/lists.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import type { Writer } from "../../database/database.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Caller } from "../../work/caller.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import type { Secrets } from "../secrets/service.ts";
import { AuditSeals } from "./seals.ts";
import { entryOfOperator, entryOfSignIn, type NewEntry } from "./entry.ts";
import { entryOfErasure, withoutValues, type Erasure } from "./erased-entries.ts";
import {
  appendEntries,
  countEntries,
  entries,
  entriesWithValues,
  workspacesWithLog,
  headOf,
  logsBefore,
  removeBefore,
  replaceEntries,
  type AuditRow,
} from "./store.ts";
import { keptPromise, RepeatedFailures } from "../../kit/background.ts";

/** The workspace of the log that belongs to the platform. */
export const platformLog = "";

/** Entries wait at most for this time, so that those of one moment share a transaction. */
const flushAfterMs = 100;
const retryAfterMs = 1_000;
const entriesAtOnce = 1_000;
const waitingAtMost = 20_000;
/** Refused tries of one caller in a minute; the rest are counted in one entry. */
const refusalsPerCaller = 300;
const callersAtMost = 10_000;
const refusalWindowMs = 60_000;
const cleaningIntervalMs = 60 * 60 * 1000;
const sealIntervalMs = 5_000;
const dayMs = 24 * 60 * 60 * 1000;
const removedAtOnce = 1_000;
const erasedAtOnce = 200;
const logsAtOnce = 100;

/**
 * The audit log. A change of members, roles, keys, types or workspaces has its entry in its own
 * transaction. Entries of records, documents and chat, and those of refused tries, follow within
 * milliseconds in shared transactions; the history of a record is in its transaction.
 */
export class AuditLog {
  readonly #work: Work;
  readonly #seals: AuditSeals;
  #waiting: NewEntry[] = [];
  #omitted = 0;
  #flushing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refusals = new Map<string, number>();
  #refusalsOmitted = 0;
  readonly #failures: RepeatedFailures;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly cursors: ListCursors;
      readonly now: () => Date;
      readonly logger: Logger;
      readonly lifetime: Lifetime;
      readonly secrets: Secrets;
      /** How long entries are kept. */
      readonly keptMs: number;
    },
  ) {
    this.#work = parts.platformWork("entries of all workspaces");
    this.#seals = new AuditSeals(parts);
    this.#failures = new RepeatedFailures(parts.logger, "audit-write-failed");
    const { lifetime } = parts;
    lifetime.every(refusalWindowMs, "audit-refusals-failed", () => this.#endRefusals());
    lifetime.every(cleaningIntervalMs, "audit-cleaning-failed", () => this.clean());
    lifetime.every(sealIntervalMs, "audit-sealing-failed", () => this.#seals.sealAll());
    lifetime.onDrain(() => this.flush());
    lifetime.onClose(() => this.flush());
  }

  /** Seals the logs of a database that has no seals yet. Call it once, at the start. */
  async begin(): Promise<void> {
    await this.#seals.begin();
  }

  /** Queues an entry; beyond the queue's bound entries are counted. */
  note(entry: NewEntry): void {
    if (entry.outcome !== "done" && !this.#admitsRefusal(entry)) return;
    if (this.#waiting.length >= waitingAtMost) {
      this.#omitted += 1;
      return;
    }
    this.#waiting.push(entry);
    this.#schedule(flushAfterMs);
  }

  /** Writes what waits; a failure leaves it waiting. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#waiting.length === 0) return;
    this.#flushing = keptPromise(this.#write());
    try {
      await this.#flushing;
      this.#failures.succeeded();
    } finally {
      this.#flushing = undefined;
    }
  }

  async list(
    work: Work,
    workspaceId: string,
    query: AuditQuery,
    { signal }: Caller,
  ): Promise<ListBody<AuditEntry>> {
    await this.#flushed();
    const { actor, action, outcome, requestId, order = "desc" } = query;
    const [since, until] = [query.since, query.until].map((time) =>
      time === undefined ? undefined : new Date(time).toISOString(),
    );
    const filter = { workspaceId, actor, action, outcome, requestId, since, until };
    const isFiltered = [actor, action, outcome, requestId, since, until].some(
      (each) => each !== undefined,
    );
    // A filter may pass over the whole log.
    const scan = work.scan.with({ signal, share: workspaceId });
    const reader = isFiltered ? scan : work.read;
    const pages = new ListPages(this.parts.cursors, ["audit", filter, order]);
    const start = pages.start(query);
    const [after] = start.after ?? [];
    return pages.body(start, {
      rows: await entries(reader, filter, {
        isAscending: order === "asc",
        after: after === undefined ? undefined : Number(after),
        limit: start.rows,
        offset: start.offset,
      }),
      itemOf: (row) => this.#seals.listed(row),
      positionOf: (row) => [row.sequence],
      total: query.count === true ? await countEntries(scan, filter) : undefined,
    });
  }

  /**
   * Removes the values of what was erased from entries that name it, whose digests stay, and adds
   * an entry that names them. `isQuoted`: whether a path names an erased value.
   */
  async erase(erasure: Erasure): Promise<number> {
    await this.flush();
    let count = 0;
    for (let after: number | undefined = 0; after !== undefined;) {
      const { workspaceId } = erasure;
      const page: AuditRow[] = await entriesWithValues(
        this.#work.scan,
        workspaceId,
        after,
        erasedAtOnce,
      );
      const erased = page.flatMap((row) => withoutValues(row, erasure) ?? []);
      after = page.length < erasedAtOnce ? undefined : page.at(-1)?.sequence;
      const isLast = after === undefined;
      count += erased.length;
      const isNoted = erased.length > 0 || (isLast && count === 0 && erasure.isFirst);
      if (!isNoted) continue;
      const entry = entryOfErasure(erasure, this.#seals.signed(workspaceId, erased));
      await this.#work.write(async (tx) => {
        await replaceEntries(tx, erased);
        await appendEntries(tx, [entry]);
      });
    }
    return count;
  }

  async head({ read }: Work, workspaceId: string): Promise<AuditHead> {
    await this.#flushed();
    // On a full disk the log stays readable.
    await this.#seals.sealNow(workspaceId).catch(() => {});
    const head = await headOf(read, workspaceId);
    const { state, removedAt, removedBefore } = await this.#seals.check(read, head);
    return {
      sequence: head.sequence,
      digest: head.digest,
      removedSequence: head.removed_sequence,
      removedDigest: head.removed_digest,
      removedAt,
      removedBefore,
      keptDays: this.parts.keptMs / dayMs,
      seal: state,
      signedSince: await this.#seals.since(read),
    };
  }

  /** Removes entries that are older than the retention. */
  async clean(): Promise<void> {
    const before = new Date(this.parts.now().getTime() - this.parts.keptMs).toISOString();
    for (;;) {
      const logs = await logsBefore(this.#work.read, before, logsAtOnce);
      for (const log of logs) {
        await this.#work.write(async (tx) => {
          const maySeal = await this.#seals.maySeal(tx, log);
          const removed = await removeBefore(tx, log, before, removedAtOnce);
          if (maySeal && removed !== undefined) await this.#seals.seal(tx, log, removed);
        });
      }
      if (logs.length === 0) return;
    }
  }

  /** Writes what waits; on a full disk the log stays readable, and a later try writes it. */
  async #flushed(): Promise<void> {
    await this.flush().catch(() => this.#schedule(retryAfterMs));
  }

  #schedule(delayMs: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.flush().catch((error: unknown) => {
        this.#failures.failed(error);
        this.#schedule(retryAfterMs);
      });
    }, delayMs);
    this.#timer.unref();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = this.#waiting.slice(0, entriesAtOnce);
      const omitted = this.#omitted;
      await this.#work.write(async (tx) => {
        const named = [...new Set(some.map((entry) => entry.workspaceId))];
        const known = await workspacesWithLog(tx, named);
        const kept = some.flatMap((entry) => placed(entry, known));
        if (omitted > 0) kept.push(this.#countOf("audit.omitted", omitted));
        await appendEntries(tx, kept);
      });
      this.#waiting = this.#waiting.slice(some.length);
      this.#omitted -= omitted;
    }
  }

  #admitsRefusal({ actor, address }: NewEntry): boolean {
    const caller = actor === "" ? address : actor;
    const count = (this.#refusals.get(caller) ?? 0) + 1;
    const isKnown = count > 1 || this.#refusals.size < callersAtMost;
    if (isKnown && count <= refusalsPerCaller) {
      this.#refusals.set(caller, count);
      return true;
    }
    this.#refusalsOmitted += 1;
    return false;
  }

  async #endRefusals(): Promise<void> {
    this.#refusals = new Map();
    const count = this.#refusalsOmitted;
    if (count === 0) return;
    this.#refusalsOmitted = 0;
    this.#waiting.push(this.#countOf("audit.refusals-omitted", count));
    await this.flush();
  }

  #countOf(action: string, count: number): NewEntry {
    return {
      workspaceId: platformLog,
      at: this.parts.now().toISOString(),
      requestId: "",
      actor: "",
      actorName: null,
      action,
      outcome: "refused",
      status: 0,
      code: null,
      method: "",
      path: "",
      address: "",
      changes: { target: { count } },
    };
  }
}

/**
 * The entry in a log that exists. The removal of a workspace that is gone belongs to the platform;
 * anything else of such a workspace to no log, because its purge leaves no trace.
 */
function placed(entry: NewEntry, known: ReadonlySet<string>): NewEntry[] {
  if (entry.workspaceId === platformLog || known.has(entry.workspaceId)) return [entry];
  return entry.outcome === "done" && entry.action.startsWith("workspaceRemoval.")
    ? [{ ...entry, workspaceId: platformLog }]
    : [];
}

/** Adds the entry of a change by the operator, in the transaction of the change. */
export function addOperatorEntry(
  writer: Writer,
  ...change: Parameters<typeof entryOfOperator>
): Promise<void> {
  return appendEntries(writer, [entryOfOperator(...change)]);
}

/** Adds the entry of a change by the groups of a sign-in, in the transaction of the change. */
export function addSignInEntry(
  writer: Writer,
  ...change: Parameters<typeof entryOfSignIn>
): Promise<void> {
  return appendEntries(writer, [entryOfSignIn(...change)]);
}
