import { raw, statement } from "../../database/statement.ts";
import { keptPromise } from "../../kit/background.ts";
import { allSizes } from "../../work/feed-sizes.ts";
import type { Work } from "../../work/work.ts";

/** The changes of all workspaces that are kept. */
export interface RetainedChanges {
  readonly bytes: number;
  /** The time of the oldest change; undefined without one. */
  readonly oldestAt: string | undefined;
}

/** A transaction whose changes no reader has yet. */
export interface OpenTransaction {
  readonly id: string;
  /** The time of the first look that has seen it. */
  readonly seenAt: string;
  readonly seconds: number;
}

/** The sum reads a row for each transaction that is kept, so frequent scrapes share it. */
const retainedForMs = 60_000;
const warningSeconds = 10;

/** The state of the feed of changes, for the operator. */
export class FeedState {
  #retained: { readonly asked: Promise<RetainedChanges>; readonly endsAtMs: number } | undefined;

  #open: { readonly id: string; readonly seenMs: number; readonly seenAt: string } | undefined;

  constructor(
    private readonly work: Pick<Work, "read">,
    private readonly now: () => Date,
  ) {}

  /** Reads the bytes and the floor of the feed, at most once a minute. */
  retained(): Promise<RetainedChanges> {
    const nowMs = this.now().getTime();
    if (this.#retained === undefined || this.#retained.endsAtMs <= nowMs) {
      const asked = keptPromise(this.#readRetained());
      this.#retained = { asked, endsAtMs: nowMs + retainedForMs };
    }
    return this.#retained.asked;
  }

  /**
   * Looks for the oldest open transaction of the server that has written. The role of requests may
   * not read when it began, so its age counts from the first look that has seen it. Undefined
   * without one, and on SQLite, where writes have an order.
   */
  async openTransaction(): Promise<OpenTransaction | undefined> {
    const { read } = this.work;
    if (read.dialect === "sqlite") return undefined;
    const row = await read.first<{ oldest: string; next: string }>(
      raw(`select pg_snapshot_xmin(snapshot)::text as oldest,
        pg_snapshot_xmax(snapshot)::text as next
        from (select pg_current_snapshot() as snapshot) as now`),
    );
    if (row === undefined || row.oldest === row.next) {
      this.#open = undefined;
      return undefined;
    }
    if (this.#open?.id !== row.oldest) {
      this.#open = {
        id: row.oldest,
        seenMs: this.now().getTime(),
        seenAt: this.now().toISOString(),
      };
    }
    const { id, seenMs, seenAt } = this.#open;
    return { id, seenAt, seconds: (this.now().getTime() - seenMs) / 1000 };
  }

  /** Returns the transaction that has held back its changes for 10 s or longer. */
  async heldBack(): Promise<OpenTransaction | undefined> {
    const open = await this.openTransaction();
    return open === undefined || open.seconds < warningSeconds ? undefined : open;
  }

  /** {@link heldBack} as a sentence. */
  async warning(): Promise<string | undefined> {
    const open = await this.heldBack();
    if (open === undefined) return undefined;
    const seconds = Math.round(open.seconds);
    return (
      `the feed of changes is held back ${seconds} s by a transaction that is open since ` +
      `${open.seenAt} or earlier: end its session in the database`
    );
  }

  async #readRetained(): Promise<RetainedChanges> {
    const row = await this.work.read.first<{ bytes: string | number; oldest_at: string | null }>(
      statement`select (select coalesce(sum(bytes), 0) from (${allSizes}) as sizes) as bytes,
        (select at from change_batches order by number limit 1) as oldest_at`,
    );
    return { bytes: Number(row?.bytes ?? 0), oldestAt: row?.oldest_at ?? undefined };
  }
}
