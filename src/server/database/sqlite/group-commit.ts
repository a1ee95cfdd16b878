import type { Writer } from "../database.ts";
import { OverloadedError, StorageError, UnitTimeoutError } from "../../kit/storage-errors.ts";
import { FairQueue } from "../../kit/turns/fair-queue.ts";
import { CommitSyncs } from "./commit-syncs.ts";
import type { Execute, Executed } from "../reader.ts";
import { render, type Statement } from "../statement.ts";
import { UnitWriter } from "../unit-writer.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { keptPromise } from "../../kit/background.ts";

export interface GroupCommitOptions {
  /** Units that may wait; one more is refused with `OverloadedError`. */
  readonly queueLimit: number;
  /** Units in one transaction, which bounds the time of a commit. */
  readonly batchLimit: number;
  /** Time between two ticks; 1 ms by default. A batch lasts for two while the disk is idle. */
  readonly sliceMs?: number;
  readonly unitTimeoutMs: number;
  /** Called after each commit of writes, when they can be read. */
  readonly onCommit?: () => void;
  /** Resolves when the commits are durable. Rejects when they can no longer be made durable. */
  readonly sync: () => Promise<void>;
}

interface Unit {
  /** Its workspace, whose units take turns with those of others. */
  readonly share: string;
  readonly work: (writer: Writer) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Set when the storage failed for its batch: it then has its own transaction. */
  isAlone: boolean;
  /** Set when a unit of its batch failed: the next batch has a savepoint for each unit. */
  isGuarded: boolean;
}

interface FinishedUnit {
  readonly unit: Unit;
  readonly value: unknown;
  readonly hasWritten: boolean;
  readonly last: readonly Statement[];
}

/** The state that the units of a batch share. */
interface RunningBatch {
  readonly isGuarded: boolean;
  readonly watch: UnitWatch;
  readonly slice: Slice;
  readonly finished: FinishedUnit[];
}

/**
 * Commits all units of one tick in one transaction and with one sync. A promise resolves when its
 * commit is on the disk; the event loop does not block on that, so that other requests may read a
 * commit before it is durable. Units run one after the other, those of one workspace in the order
 * of `write`, and workspaces in turn by the time that their units take.
 *
 * A batch commits after some milliseconds, or when the disk has synced the one before: until then
 * a commit would only wait. Long batches and units wait for a tick between two statements, so that
 * the thread answers others.
 *
 * A unit that fails after it wrote rolls the batch back; the others run again, each in a savepoint,
 * for which SQLite copies every changed page. When the storage fails (a full disk), the units of
 * the batch run again one by one, so that only those that do not fit are refused.
 */
export class GroupCommit {
  readonly #queue = new FairQueue<Unit>();
  /** Units of a batch that was rolled back; they come first. */
  #again: Unit[] = [];
  #batch: Promise<void> | undefined;
  #scheduled = false;
  #closed = false;
  readonly #syncs: CommitSyncs;

  /** Units that wait for a batch. */
  get waiting(): number {
    return this.#queue.size;
  }

  constructor(
    private readonly connection: SqliteConnection,
    private readonly options: GroupCommitOptions,
  ) {
    this.#syncs = new CommitSyncs(options.sync, () => this.#schedule());
  }

  write<T>(work: (writer: Writer) => Promise<T>, share = ""): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(new StorageError("Cannot write: the database is closed"));
      } else if (this.#syncs.failure !== undefined) {
        reject(this.#syncs.failure);
      } else if (this.#waiting >= this.options.queueLimit) {
        reject(new OverloadedError(`Cannot take another write: ${this.#waiting} are waiting`));
      } else {
        const unit: Unit = {
          share,
          work,
          resolve: (value) => resolve(value as T),
          reject,
          isAlone: false,
          isGuarded: false,
        };
        this.#queue.add(unit, share);
        this.#schedule();
      }
    });
  }

  /** Runs work between two batches, when no transaction is open. Units wait for it. */
  async between(work: () => Promise<void>): Promise<void> {
    while (this.#batch !== undefined) await this.#batch;
    if (this.#closed) return;
    const running = work();
    await this.#occupy(running.catch(() => {}));
    await running;
  }

  /** The error with which every unit is refused. */
  get failure(): unknown {
    return this.#syncs.failure;
  }

  /** Refuses every later unit with this error: the stored data is no longer reliable. */
  fail(error: unknown): void {
    this.#syncs.fail(error);
  }

  /** Refuses new units, and resolves when the waiting ones are done. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#batch !== undefined || this.#waiting > 0) {
      if (this.#batch === undefined) this.#startBatch();
      await this.#batch;
    }
    await this.#syncs.idle();
  }

  get #waiting(): number {
    return this.#again.length + this.#queue.size;
  }

  get #isReady(): boolean {
    return this.#waiting > 0 && this.#batch === undefined && !this.#syncs.isFull;
  }

  #schedule(): void {
    if (this.#scheduled || !this.#isReady) return;
    this.#scheduled = true;
    // A microtask would be too early: all requests that one tick reads go into the batch.
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#isReady) this.#startBatch();
    });
  }

  #startBatch(): void {
    const units: Unit[] = [];
    const work = this.#runBatch(units).catch((error: unknown) => {
      for (const unit of units) unit.reject(error);
    });
    this.#occupy(work).catch(() => {});
  }

  /** Takes the next unit of a batch that has these; a unit that runs alone has its own batch. */
  #next(units: readonly Unit[]): Unit | undefined {
    if (units.length === this.options.batchLimit || units[0]?.isAlone === true) return undefined;
    const [again] = this.#again;
    if (again?.isAlone === true && units.length > 0) return undefined;
    return again === undefined ? this.#queue.take()?.item : this.#again.shift();
  }

  /** No batch begins until the work has ended. */
  #occupy(work: Promise<void>): Promise<void> {
    this.#batch = keptPromise(
      work.finally(() => {
        this.#batch = undefined;
        this.#schedule();
      }),
    );
    return this.#batch;
  }

  /** Runs a batch, and adds its units to `units` as it takes them. */
  async #runBatch(units: Unit[]): Promise<void> {
    const connection = this.connection;
    const finished: FinishedUnit[] = [];
    const watch = new UnitWatch(this.options.unitTimeoutMs);
    const slice = new Slice(this.options.sliceMs);
    const isGuarded = this.#again.some((unit) => unit.isGuarded);
    let isUnitFailure = false;
    let isOpen = false;
    try {
      for (let unit = this.#next(units); unit !== undefined; unit = this.#next(units)) {
        units.push(unit);
        if (!isOpen) connection.run("begin immediate", []);
        isOpen = true;
        const failure = await this.#runUnit(unit, { isGuarded, watch, slice, finished });
        this.#queue.charge({ item: unit, share: unit.share, caller: "" }, slice.charged());
        if (failure !== undefined) {
          // A full disk or a read error may roll back the whole transaction.
          isUnitFailure = connection.inTransaction;
          throw failure.error;
        }
        if (slice.isBatchLong && !this.#syncs.isRunning) break;
        if (slice.isUsed) await slice.next();
      }
      for (const statement of finished.flatMap(({ last }) => last)) {
        if (slice.isUsed) await slice.next();
        const { text, parameters } = render(statement, "sqlite");
        connection.run(text, parameters);
      }
      if (isOpen) connection.run(finished.length > 0 ? "commit" : "rollback", []);
    } catch (error) {
      this.#rollBack();
      if (!isOpen) throw error;
      if (units.length === 1) finished[0]?.unit.reject(error);
      else {
        const others = finished.map(({ unit }) => unit);
        for (const unit of others) {
          if (isUnitFailure) unit.isGuarded = true;
          else unit.isAlone = true;
        }
        this.#again.unshift(...others);
      }
      return;
    } finally {
      watch.stop();
    }
    if (finished.length === 0) return;
    const hasWritten = finished.some((unit) => unit.hasWritten);
    if (hasWritten) this.options.onCommit?.();
    this.#syncs.add({
      hasWritten,
      answer: (failure) => {
        for (const { unit, value } of finished) {
          if (failure === undefined) unit.resolve(value);
          else unit.reject(failure);
        }
        if (failure === undefined) return;
        for (const unit of [...this.#again.splice(0), ...this.#queue.drain()]) unit.reject(failure);
      },
    });
  }

  /**
   * Runs one unit; refuses one that fails, and returns its error when the batch must be rolled
   * back.
   */
  async #runUnit(
    unit: Unit,
    { isGuarded, watch, slice, finished }: RunningBatch,
  ): Promise<{ readonly error: unknown } | undefined> {
    const connection = this.connection;
    let hasSavepoint = false;
    let hasWritten = false;
    const runNow: Execute = (text, parameters) => {
      if (connection.isReadonly(text)) return connection.run(text, parameters);
      if (isGuarded && !hasSavepoint) {
        connection.run("savepoint unit", []);
        hasSavepoint = true;
      }
      const result = connection.run(text, parameters);
      hasWritten = true;
      return result;
    };
    let isOpen = true;
    const runLater = async (...call: Parameters<Execute>): Promise<Executed> => {
      await slice.next();
      if (!isOpen) throw new TypeError("Cannot run a statement after its unit has ended");
      return runNow(...call);
    };
    const execute: Execute = (...call) => (slice.isUsed ? runLater(...call) : runNow(...call));
    const writer = new UnitWriter("sqlite", execute);
    try {
      const value = await watch.race(unit.work(writer), writer);
      if (writer.failure !== undefined) throw writer.failure;
      writer.end();
      if (hasSavepoint) connection.run("release unit", []);
      finished.push({ unit, value, hasWritten, last: writer.last });
      return undefined;
    } catch (error) {
      isOpen = false;
      writer.end();
      unit.reject(error);
      if (!connection.inTransaction) return { error };
      if (hasSavepoint) {
        connection.run("rollback to unit", []);
        connection.run("release unit", []);
      } else if (hasWritten) return { error };
      return undefined;
    }
  }

  #rollBack(): void {
    try {
      if (this.connection.inTransaction) this.connection.run("rollback", []);
    } catch {
      // The transaction has ended anyway, and the units are refused with the first error.
    }
  }
}

const usualSliceMs = 1;

/** The time that a batch uses in one tick. */
class Slice {
  readonly #batchBeganMs = performance.now();
  #beganMs = this.#batchBeganMs;
  #chargedMs = this.#batchBeganMs;

  constructor(private readonly limitMs = usualSliceMs) {}

  /** True if the units of the batch must wait for no other ones. */
  get isBatchLong(): boolean {
    return performance.now() - this.#batchBeganMs > 2 * this.limitMs;
  }

  get isUsed(): boolean {
    return performance.now() - this.#beganMs > this.limitMs;
  }

  /** The time since the last charge. */
  charged(): number {
    const before = this.#chargedMs;
    this.#chargedMs = performance.now();
    return this.#chargedMs - before;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#beganMs = performance.now();
  }
}

/** One timer for a whole batch: a timer for each unit would cost more than a short unit. */
class UnitWatch {
  #timer: ReturnType<typeof setInterval> | undefined;
  #deadline = Number.POSITIVE_INFINITY;
  #expire: () => void = () => {};

  constructor(private readonly limitMs: number) {}

  race(work: Promise<unknown>, writer: UnitWriter): Promise<unknown> {
    this.#timer ??= setInterval(() => this.#look(), Math.max(5, this.limitMs / 20));
    this.#deadline = performance.now() + this.limitMs;
    return new Promise<unknown>((resolve, reject) => {
      this.#expire = () => {
        const error = new UnitTimeoutError(this.limitMs);
        writer.end(error);
        reject(error);
      };
      work.then(resolve, reject);
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    if (performance.now() < this.#deadline) return;
    this.#deadline = Number.POSITIVE_INFINITY;
    this.#expire();
  }
}
