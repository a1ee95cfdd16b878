import type { ChangeCount } from "../../kit/change-count.ts";
import type { OrderedUuids } from "../../kit/ordered-uuid.ts";
import { StorageError } from "../errors.ts";
import { ExecutingReader } from "../reader.ts";
import { SqliteConnection } from "./connection.ts";
import { TickReads } from "./tick-reads.ts";

/**
 * For every connection. No mmap: what was read of a file of 1 GB would all count as this process's
 * memory, once for each connection. Scans are as fast without it; a read of one of a million
 * records takes 5 us more.
 */
export const commonPragmas = ["busy_timeout = 5000", "mmap_size = 0", "trusted_schema = off"];
/** Everybody's reads, whatever connections they are on: of a million records, part of an index. */
const cacheKibibytes = 49_152;

function readerPragmas(threads: number): readonly string[] {
  const cache = `cache_size = -${Math.floor(cacheKibibytes / threads)}`;
  return [...commonPragmas, "query_only = on", "temp_store = memory", cache];
}

export interface SharedReads {
  /** Raised right after each commit to the database. */
  readonly commits: ChangeCount;
  /** Makes ids of records. */
  readonly ids: OrderedUuids;
  /** How many threads read, and share the memory that reads are given. */
  readonly threads: number;
}

/** The point reads and pages of one thread, on a connection of its own. */
export class SqliteReads {
  readonly #connection: SqliteConnection;
  readonly #tick: TickReads;
  readonly reader: ExecutingReader;
  #isClosed = false;

  /** The database has been made by now. */
  constructor(path: string, { commits, threads }: SharedReads) {
    this.#connection = new SqliteConnection(path, { readonly: true });
    for (const pragma of readerPragmas(threads)) this.#connection.execute(`pragma ${pragma}`);
    this.#tick = new TickReads(this.#connection, commits);
    this.reader = new ExecutingReader("sqlite", (text, parameters) => {
      if (this.#isClosed) throw new StorageError("Cannot read: the database is closed");
      return this.#tick.run(text, parameters);
    });
  }

  /** Before a checkpoint, which waits for whoever reads. */
  endTick(): void {
    this.#tick.end();
  }

  close(): void {
    this.#isClosed = true;
    this.#tick.end();
    this.#connection.close();
  }
}
