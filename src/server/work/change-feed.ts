import { inBackground, keptPromise } from "../kit/background.ts";
import type { Lifetime } from "../kit/lifetime.ts";
import type { Logger } from "../kit/logger.ts";
import { isForCaches, type ChangeEvent } from "./change-event.ts";
import { readChanges, type ChangeLook } from "./change-batches.ts";
import { confirmSizes, storeSizes } from "./feed-sizes.ts";
import { sweepFeed, type FeedLimits } from "./feed-sweep.ts";
import type { Work } from "./work.ts";
import { statSync } from "node:fs";
import type { Reader, Writer } from "../database/database.ts";
import { byDialect, raw, statement } from "../database/statement.ts";

const name = "current";

/**
 * Begins another epoch of the feed in a database that was restored or copied: readers have seen
 * changes that it may lack, and on PostgreSQL its rows are of transactions of another cluster. The
 * restore of a backup on SQLite removes the epoch.
 */
export async function confirmEpoch(writer: Writer): Promise<void> {
  const system = await systemOf(writer);
  await writer.run(statement`insert into feed_epochs (name, epoch, system, began_at)
    values (${name}, ${newEpoch()}, ${system}, ${new Date().toISOString()})
    on conflict (name) do nothing`);
  const known = await writer.first<{ system: string; foreign_rows: number }>(knownEpoch);
  if (known?.system === system && Number(known.foreign_rows) === 0) return;
  if (known?.system === "") {
    // An earlier build did not note the file of the database.
    await writer.run(statement`update feed_epochs set system = ${system} where name = ${name}`);
    return;
  }
  await writer.run(raw("delete from change_batches where number is not null"));
  await writer.run(raw("delete from feed_floors where workspace_id is not null"));
  await writer.run(statement`update feed_epochs set epoch = ${newEpoch()}, system = ${system},
    began_at = ${new Date().toISOString()} where name = ${name}`);
}

const knownEpoch = byDialect({
  sqlite: statement`select system, 0 as foreign_rows from feed_epochs where name = ${name}`,
  // Another platform that starts at the same time waits for the row.
  postgresql: statement`select system, (exists (select 1 from change_batches
      where xid > pg_current_xact_id()))::int as foreign_rows
    from feed_epochs where name = ${name} for update`,
});

/**
 * Returns an id of the database file, or of the cluster and the database in it; empty where it is
 * not known. A copy of a file is another one.
 */
async function systemOf(reader: Reader): Promise<string> {
  if (reader.dialect === "sqlite") {
    const main = await reader.first<{ file: string }>(
      raw("select file from pragma_database_list where name = 'main'"),
    );
    const facts = main && statSync(main.file, { throwIfNoEntry: false });
    return facts === undefined ? "" : `${facts.ino}/${Math.floor(facts.birthtimeMs)}`;
  }
  const database = await reader.first<{ oid: string; may_ask: number }>(
    raw(`select oid::text as oid,
      has_function_privilege('pg_control_system()', 'execute')::int as may_ask
    from pg_database where datname = current_database()`),
  );
  if (database === undefined) return "";
  if (Number(database.may_ask) === 0) return database.oid;
  const cluster = await reader.first<{ id: string }>(
    raw("select system_identifier::text as id from pg_control_system()"),
  );
  return `${cluster?.id ?? ""}/${database.oid}`;
}

function newEpoch(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
}

/** Changes that a listener receives; `missed` says that there may have been others. */
export interface ChangeListener {
  /** Runs at least once for each change: one of this process also comes back from the database. */
  changed(event: ChangeEvent): void;
  /** Changes may have been missed: forgets all that changes would have made it forget. */
  missed(): void;
}

interface Source {
  /** Reads the rows of all workspaces. */
  readonly work: Work;
  readonly logger: Pick<Logger, "error">;
}

/** The pause between two looks while a listener wants changes at once. */
const livePauseMs = 25;
/** The pause while only caches use the feed. */
const cachePauseMs = 200;
/** The looks end when no cache was read for this time, and no listener wants changes at once. */
const idleAfterMs = 2_000;
/** Caches are used for this time after the last complete look. */
const currentForMs = 800;

const sweepIntervalMs = 60_000;
/** A platform that has not looked for this time may have missed changes, which are kept a day. */
const missedAfterMs = 12 * 60 * 60 * 1000;

/**
 * The committed changes of all platforms on one database. Those of this process arrive with the
 * commit, before its request is answered. Those of others are read from `change_batches`, every 25
 * ms while a listener {@link follow}s, every 200 ms while caches are used, and else not at all: a
 * cache asks {@link isCurrent} first, and waits for {@link catchUp} otherwise.
 */
export class ChangeFeed {
  readonly #listeners = new Set<ChangeListener>();
  readonly #wakes = new Set<(workspaceId: string) => void>();
  #live = 0;
  #source: Source | undefined;
  #position: bigint | undefined;
  /** The rows of the last look, which the next one may read again. */
  #seen: ReadonlySet<number> = new Set();
  #lookedMs = -Infinity;
  #lookedAt = Date.now();
  #hasFailed = false;
  #usedMs = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** Adds a listener that forgets what has changed. */
  listen(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /** Adds a listener; it is called once for each workspace whose changes this process commits. */
  onCommit(wake: (workspaceId: string) => void): void {
    this.#wakes.add(wake);
  }

  /** Adds a listener that gets changes of other platforms within 25 ms; returns its removal. */
  follow(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    this.#live += 1;
    this.#schedule();
    return () => {
      if (this.#listeners.delete(listener)) this.#live -= 1;
    };
  }

  /** Delivers changes of this process: after their commit, before their request is answered. */
  committed(events: readonly ChangeEvent[]): void {
    this.#report(events);
    if (this.#wakes.size === 0) return;
    const [only] = events;
    if (only !== undefined && events.length === 1) {
      for (const wake of this.#wakes) wake(only.workspaceId);
      return;
    }
    const workspaceIds = new Set(events.map(({ workspaceId }) => workspaceId));
    for (const wake of this.#wakes) workspaceIds.forEach(wake);
  }

  /** Caches do not pay for changes of contents, which none of them has. */
  #report(events: readonly ChangeEvent[]): void {
    for (const event of events) {
      if (!isForCaches(event)) continue;
      for (const listener of this.#listeners) listener.changed(event);
    }
  }

  /** Begins to read what other platforms change from now on, until the close. */
  async begin(
    source: Source & { readonly lifetime: Lifetime; readonly limits: FeedLimits },
  ): Promise<void> {
    const { work, lifetime, limits } = source;
    await work.write(async (tx) => {
      await confirmEpoch(tx);
      await confirmSizes(tx);
    });
    while (await work.write(storeSizes));
    ({ position: this.#position } = await readChanges(work.read, undefined));
    this.#lookedMs = performance.now();
    this.#source = source;
    lifetime.every(sweepIntervalMs, "changes-not-swept", () => sweepFeed(work, limits));
    lifetime.onClose(() => {
      this.#source = undefined;
      clearTimeout(this.#timer);
      return this.#running?.catch(() => {});
    });
    this.#schedule();
  }

  /**
   * True if all changes that were committed 800 ms ago are delivered. Always true on SQLite, where
   * one process has the database.
   */
  get isCurrent(): boolean {
    if (this.#source === undefined || this.#source.work.read.dialect === "sqlite") return true;
    this.#usedMs = performance.now();
    this.#schedule();
    return this.#usedMs - this.#lookedMs <= currentForMs;
  }

  /** Resolves once all changes that were committed before the call are delivered. */
  catchUp(): Promise<void> {
    // A look that has begun may have read before the last commit.
    this.#next ??= keptPromise(
      (this.#running ?? Promise.resolve()).then(
        () => this.#begin(),
        () => this.#begin(),
      ),
    );
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    this.#running = keptPromise(
      this.#look().finally(() => {
        this.#running = undefined;
      }),
    );
    return this.#running;
  }

  async #look(): Promise<void> {
    const source = this.#source;
    if (source === undefined) return;
    const beganMs = performance.now();
    const beganAt = Date.now();
    try {
      const look = await readChanges(source.work.read, this.#position);
      this.#deliver(look, this.#hasFailed || beganAt - this.#lookedAt > missedAfterMs);
      this.#lookedMs = beganMs;
      this.#lookedAt = beganAt;
      this.#hasFailed = false;
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  /** After a lost connection the database may be another one, with earlier positions. */
  #deliver({ position, batches, isWhole }: ChangeLook, mayHaveMissed: boolean): void {
    if (mayHaveMissed || !isWhole || position < (this.#position ?? 0n)) {
      for (const listener of this.#listeners) listener.missed();
    }
    for (const { number, events } of batches) if (!this.#seen.has(number)) this.#report(events);
    this.#seen = new Set(batches.map(({ number }) => number));
    this.#position = position;
  }

  #schedule(): void {
    const source = this.#source;
    if (this.#timer !== undefined || source === undefined) return;
    const isUsed = performance.now() - this.#usedMs <= idleAfterMs;
    if (this.#live === 0 && !isUsed) return;
    this.#timer = setTimeout(
      () => {
        inBackground(source.logger, "changes-not-read", async () => {
          try {
            await this.catchUp();
          } finally {
            this.#timer = undefined;
            this.#schedule();
          }
        });
      },
      this.#live > 0 ? livePauseMs : cachePauseMs,
    );
    this.#timer.unref();
  }
}
