import { Database } from "bun:sqlite";
import { join } from "node:path";

/** Lines that are read at once. */
const linesAtOnce = 100;
/** Memory of SQLite for pages of the file, in KiB. */
const cacheKibibytes = 4096;

/** Lines in a file of a folder, each once, so that memory stays flat however many there are. */
export class SpooledLines {
  readonly #database: Database;

  constructor(folder: string) {
    this.#database = new Database(join(folder, "lines"), { create: true, strict: true });
    // The file ends with the process, so that nothing must survive a crash.
    this.#database.run("pragma journal_mode = off");
    this.#database.run("pragma synchronous = off");
    this.#database.run(`pragma cache_size = -${cacheKibibytes}`);
    this.#database.run(
      "create table lines (kind text, line text, primary key (kind, line)) without rowid",
    );
  }

  /** Adds a line of a kind; false if it is present. */
  add(kind: string, line: string): boolean {
    const insert = this.#database.query("insert or ignore into lines (kind, line) values (?, ?)");
    return insert.run(kind, line).changes > 0;
  }

  /** The lines of a kind in their order, at most a hundred at once. */
  *sorted(kind: string): Generator<string[], void, undefined> {
    const next = this.#database.query<{ line: string }, [string, string, number]>(
      "select line from lines where kind = ? and line > ? order by line limit ?",
    );
    for (let after = ""; ;) {
      const lines = next.all(kind, after, linesAtOnce).map(({ line }) => line);
      if (lines.length > 0) yield lines;
      if (lines.length < linesAtOnce) return;
      after = lines.at(-1) ?? "";
    }
  }

  close(): void {
    this.#database.close();
  }
}
