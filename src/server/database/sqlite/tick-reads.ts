import type { ChangeCount } from "../../kit/change-count.ts";
import type { SqliteConnection, SqliteResult } from "./connection.ts";
import type { BoundParameter } from "../statement.ts";

/**
 * All reads of one event-loop turn in one read transaction: to take and leave SQLite's locks for
 * each of them costs 3 us, where a record by its id costs 5.
 */
export class TickReads {
  readonly #connection: SqliteConnection;
  readonly #commits: ChangeCount;
  #isOpen = false;
  /** The commits that the transaction is sure to see. */
  #seen = 0;

  /** `commits` is raised right after each commit: the next read sees what is there then. */
  constructor(connection: SqliteConnection, commits: ChangeCount) {
    this.#connection = connection;
    this.#commits = commits;
  }

  run(text: string, parameters: readonly BoundParameter[]): SqliteResult {
    const commits = this.#commits.value;
    if (this.#isOpen && commits !== this.#seen) this.end();
    if (!this.#isOpen) {
      this.#connection.run("begin", []);
      this.#isOpen = true;
      this.#seen = commits;
      setImmediate(() => this.end());
    }
    return this.#connection.run(text, parameters);
  }

  /** Also before a checkpoint, which waits for whoever reads. */
  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // A read error may have ended the transaction already.
    if (this.#connection.inTransaction) this.#connection.run("commit", []);
  }
}
