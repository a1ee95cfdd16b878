import { Refusal } from "#contract/problems.ts";
import { within } from "#lib/time/within.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Transaction, Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { PurgeRun, PurgeTakenError, type PurgeParts } from "./purge-run.ts";
import {
  claimPurge,
  duePurge,
  forgetPurges,
  insertPurge,
  isUnpurged,
  markPurged,
  purgeById,
  purgeOf,
  releasePurges,
  type PurgeOwner,
  type PurgeRow,
} from "./store.ts";
import { keptPromise } from "../../kit/background.ts";

export { compact } from "./purge-run.ts";

/** The end of a purge, as its caller gets it. */
export interface PurgeReceipt {
  readonly purgeId: string;
  readonly status: "hard_purged";
  readonly removed: Record<string, number>;
  readonly startedAt: string;
  readonly finishedAt: string;
}

export interface PurgeOrder {
  readonly rootId: string;
  readonly parentId: string | null;
  readonly requestedBy: string;
}

/** A claim is longer than any of its transactions, so that an expired one has no running work. */
const claimMs = 2 * 60_000;
const lookIntervalMs = 30_000;
const waitLimitMs = 10 * 60_000;
const pollMs = 25;
const closingMs = 2_000;
const forgottenRows = 500;
/** How long a receipt is kept. */
const receiptMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Removes workspaces for good, one purge after the other. A purge is a row that its beginning
 * writes, so that a crash or a full disk only delays it.
 */
export class WorkspacePurges {
  readonly #work: Work;
  readonly #failures = new Map<string, unknown>();
  #running: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(
    private readonly options: Omit<PurgeParts, "claim" | "work"> & {
      readonly platformWork: PlatformWork;
      readonly logger: Logger;
      readonly lifetime: Lifetime;
      readonly worker: { readonly id: string; readonly earlierId: string | undefined };
    },
  ) {
    this.#work = options.platformWork("purges, which remove rows of many workspaces");
  }

  /** Continues after a crash, and starts the timer. */
  async recover(): Promise<void> {
    const { lifetime } = this.options;
    // On PostgreSQL another platform may be running: its claims expire.
    const { earlierId } = this.options.worker;
    const isAlone = this.#work.read.dialect === "sqlite";
    if (isAlone || earlierId !== undefined) {
      await this.#work.write((tx) => releasePurges(tx, isAlone ? undefined : earlierId));
    }
    this.wake();
    lifetime.every(lookIntervalMs, "purges-not-forgotten", () => {
      this.wake();
      return this.#forgetOld();
    });
    lifetime.onClose(async () => {
      this.#isStopped = true;
      await within(closingMs, Promise.resolve(this.#running), undefined);
    });
  }

  /**
   * Begins a purge in the transaction that has checked it: from then on requests to the workspaces
   * are 404. Call {@link wake} once it has committed. Returns the purge's id.
   */
  async begin(tx: Transaction, { rootId, parentId, requestedBy }: PurgeOrder): Promise<string> {
    const id = Bun.randomUUIDv7();
    const at = this.options.now().toISOString();
    await insertPurge(tx, {
      id,
      root_id: rootId,
      parent_id: parentId,
      state: "running",
      counts: "{}",
      pending_files: "null",
      requested_by: requestedBy,
      claimed_by: null,
      claimed_until: null,
      created_at: at,
      finished_at: null,
      settle_at: null,
    });
    await markPurged(tx, { id, rootId, at });
    return id;
  }

  /** Begins the purge of a workspace that a restored database still has. */
  async beginAgain(tx: Transaction, workspaceId: string): Promise<void> {
    if (!(await isUnpurged(tx, workspaceId))) return;
    await this.begin(tx, { rootId: workspaceId, parentId: null, requestedBy: "" });
  }

  /** Runs the purges that are due, in the background. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#running ??= keptPromise(
      this.#run().finally(() => {
        this.#running = undefined;
      }),
    );
  }

  /** Resolves when no purge is running. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** The purge of a workspace; with `parentId` only one that this parent began. */
  async find(rootId: string, parentId?: string): Promise<string | undefined> {
    return (await purgeOf(this.#work.read, rootId, parentId))?.id;
  }

  /** Waits for the end of a purge. 503 when that takes too long: the purge goes on. */
  async receipt(id: string, signal: AbortSignal): Promise<PurgeReceipt> {
    this.#failures.delete(id);
    this.wake();
    for (let waitedMs = 0; waitedMs < waitLimitMs; waitedMs += pollMs) {
      const row = await purgeById(this.#work.read, id);
      if (row === undefined) throw new Refusal("not-found");
      if (row.state !== "running") return receiptOf(row);
      if (this.#failures.has(id)) throw this.#failures.get(id);
      signal.throwIfAborted();
      await Bun.sleep(pollMs);
    }
    throw new Refusal("storage-unavailable", {
      detail: "The purge takes long and goes on: repeat the request to get its receipt",
      headers: { "retry-after": "30" },
    });
  }

  async #run(): Promise<void> {
    const { logger } = this.options;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      let due: PurgeRow | undefined;
      try {
        due = await this.#claimNext();
        if (due === undefined) continue;
        const parts = { ...this.options, work: this.#work, claim: () => this.#claim() };
        await new PurgeRun(due, parts, () => this.#isStopped).finish();
        this.#isWanted = true;
      } catch (error) {
        if (this.#isStopped || error instanceof PurgeTakenError) return;
        if (due !== undefined) this.#failures.set(due.id, error);
        logger.error({ event: "purge-failed", purgeId: due?.id, error: String(error) });
      }
    }
  }

  async #claimNext(): Promise<PurgeRow | undefined> {
    const { read } = this.#work;
    const due = await duePurge(read, this.#claim());
    if (due === undefined) return undefined;
    const isClaimed = await this.#work.write((tx) => claimPurge(tx, due.id, this.#claim()));
    // The row again: another platform may have worked on it in between.
    return isClaimed ? purgeById(read, due.id) : undefined;
  }

  #claim(): PurgeOwner {
    const now = this.options.now();
    const until = new Date(now.getTime() + claimMs).toISOString();
    return { owner: this.options.worker.id, now: now.toISOString(), until };
  }

  async #forgetOld(): Promise<void> {
    const before = new Date(this.options.now().getTime() - receiptMs).toISOString();
    for (let forgotten = forgottenRows; forgotten === forgottenRows;) {
      forgotten = await this.#work.write((tx) => forgetPurges(tx, before, forgottenRows));
    }
  }
}

function receiptOf(row: PurgeRow): PurgeReceipt {
  return {
    purgeId: row.id,
    status: "hard_purged",
    // Only the purge writes the column.
    removed: JSON.parse(row.counts) as Record<string, number>,
    startedAt: row.created_at,
    finishedAt: row.finished_at ?? row.created_at,
  };
}
