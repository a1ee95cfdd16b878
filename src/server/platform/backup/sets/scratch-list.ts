import { join } from "node:path";
import { mkdir, rm } from "node:fs/promises";
import { removeUnfinished, unfinishedName } from "#lib/files/abandoned-folders.ts";
import { SqliteConnection } from "../../../database/sqlite/sqlite-connection.ts";

const batchSize = 1_000;
const pageSize = 500;

/**
 * Texts by name in a scratch file: the lists of a backup have an entry for each file, so that they
 * may not fit into memory. A later text of a name replaces the earlier one.
 */
export class ScratchList {
  readonly #connection: SqliteConnection;
  #open = 0;

  private constructor(private readonly path: string) {
    this.#connection = new SqliteConnection(path, { readonly: false });
    // The file is only of use to this process.
    for (const pragma of ["journal_mode = off", "synchronous = off", "cache_size = -4096"]) {
      this.#connection.execute(`pragma ${pragma}`);
    }
    this.#connection.execute(
      "create table entries (name text not null primary key, content text not null) without rowid",
    );
  }

  /** Makes a list in a folder for unfinished work; `close` removes it. */
  static in(folder: string): ScratchList {
    return new ScratchList(join(folder, `list-${crypto.randomUUID()}`));
  }

  set(name: string, content: string): void {
    if (this.#open === 0) this.#connection.execute("begin");
    this.#connection.run("insert or replace into entries values (?, ?)", [name, content]);
    this.#open = (this.#open + 1) % batchSize;
    if (this.#open === 0) this.#connection.execute("commit");
  }

  get(name: string): string | undefined {
    const [row] = this.#connection.run("select content from entries where name = ?", [name]).rows;
    return row === undefined ? undefined : String(row["content"]);
  }

  delete(name: string): void {
    this.#connection.run("delete from entries where name = ?", [name]);
  }

  /** All texts whose names begin with a prefix, in the order of the names. */
  *values(prefix = ""): Generator<string, void, undefined> {
    for (let after = prefix, isFirst = true; ; isFirst = false) {
      const { rows } = this.#connection.run(
        `select name, content from entries where name ${isFirst ? ">=" : ">"} ?
          order by name limit ${pageSize}`,
        [after],
      );
      for (const { name, content } of rows) {
        if (!String(name).startsWith(prefix)) return;
        yield String(content);
      }
      if (rows.length < pageSize) return;
      after = String(rows.at(-1)?.["name"]);
    }
  }

  clear(): void {
    this.#connection.run("delete from entries", []);
  }

  async close(): Promise<void> {
    this.#connection.close();
    await rm(this.path, { force: true });
  }
}

const workPrefix = "backup-work-";

/** Makes a folder for unfinished work, and removes those of processes that have ended. */
export async function workFolder(dataDirectory: string): Promise<string> {
  await removeUnfinished(dataDirectory, workPrefix);
  const folder = join(dataDirectory, await unfinishedName(workPrefix));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
