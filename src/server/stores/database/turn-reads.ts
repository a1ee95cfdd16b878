import type { SqliteConnection, SqliteResult } from "./sqlite-connection.ts";
import type { BoundParameter } from "./statement.ts";

/**
 * All reads of one event-loop turn in one read transaction: to take and leave SQLite's locks for
 * each of them costs 3 us, where a record by its id costs 5.
 */
export class TurnReads {
  readonly #connection: SqliteConnection;
  #isOpen = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  run(text: string, parameters: readonly BoundParameter[]): SqliteResult {
    if (!this.#isOpen) {
      this.#connection.run("begin", []);
      this.#isOpen = true;
      setImmediate(() => this.end());
    }
    return this.#connection.run(text, parameters);
  }

  /** Also right after a commit and before a checkpoint: the next read sees what is there then. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // A read error may have ended the transaction already.
    if (this.#connection.inTransaction) this.#connection.run("commit", []);
  }
}
