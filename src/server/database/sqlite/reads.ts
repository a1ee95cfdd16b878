import { StorageError } from "../../kit/storage-errors.ts";
import type { SharedReads } from "../open-options.ts";
import { ExecutingReader, type Executed } from "../reader.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import type { ChangeCount } from "../../kit/change-count.ts";
import type { BoundParameter } from "../statement.ts";

/**
 * The pragmas of every connection. They turn off mmap, because every mapped page counts as memory
 * of this process, once per connection. A read of one of a million records then takes 5 µs more.
 */
export const commonPragmas = ["busy_timeout = 5000", "mmap_size = 0", "trusted_schema = off"];
/** Shared by the reading connections of all threads. */
const cacheKibibytes = 49_152;

function readerPragmas(threads: number): readonly string[] {
  const cache = `cache_size = -${Math.floor(cacheKibibytes / threads)}`;
  return [...commonPragmas, "query_only = on", "temp_store = memory", cache];
}

/** The point reads and pages of one thread, on its own connection. */
export class SqliteReads {
  readonly #connection: SqliteConnection;
  readonly #tick: TickReads;
  readonly reader: ExecutingReader;
  #isClosed = false;

  /** Opens a file that exists. */
  constructor(path: string, { commits, threads }: SharedReads) {
    this.#connection = new SqliteConnection(path, { readonly: true });
    for (const pragma of readerPragmas(threads)) this.#connection.execute(`pragma ${pragma}`);
    this.#tick = new TickReads(this.#connection, commits);
    this.reader = new ExecutingReader("sqlite", (text, parameters) => {
      if (this.#isClosed) throw new StorageError("Cannot read: the database is closed");
      return this.#tick.run(text, parameters);
    });
  }

  /** Ends the current read, because a checkpoint waits for readers. */
  endTick(): void {
    this.#tick.end();
  }

  close(): void {
    this.#isClosed = true;
    this.#tick.end();
    this.#connection.close();
  }
}

/**
 * Runs all reads of one tick in one read transaction: to take and release SQLite's locks costs 3 µs
 * per read, to find a record by its id 5 µs.
 */
export class TickReads {
  #isOpen = false;
  /** The commits that the transaction is sure to see. */
  #seen = 0;

  /** `commits` is raised after each commit; the next read then starts a new transaction. */
  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: ChangeCount,
  ) {}

  run(text: string, parameters: readonly BoundParameter[]): Executed {
    const commits = this.commits.value;
    if (this.#isOpen && commits !== this.#seen) this.end();
    if (!this.#isOpen) {
      // A disk error has kept the last one open, with an old state.
      if (this.connection.inTransaction) this.connection.run("rollback", []);
      this.connection.run("begin", []);
      this.#isOpen = true;
      this.#seen = commits;
      setImmediate(() => this.end());
    }
    return this.connection.run(text, parameters);
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // A read error may have ended the transaction already.
    if (!this.connection.inTransaction) return;
    try {
      this.connection.run("commit", []);
    } catch (error) {
      // It has only read. The next read reports a disk that still fails.
      if (!(error instanceof StorageError)) throw error;
    }
  }
}
