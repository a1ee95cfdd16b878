import { Database } from "bun:sqlite";
import { constants, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { makePrivateFolder } from "#lib/files/atomic-write.ts";
import { removeOldEntries } from "./old-entries.ts";

const folderName = "uploads";
/** A platform keeps the answers to idempotency keys for a day; a week outlasts a weekend. */
const ageMs = 7 * 24 * 60 * 60 * 1000;

/** A file of a run, by its absolute path; a changed size or time is another file. */
export interface JournalFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** The documents and the job of an accepted file. */
export interface JournalAnswer {
  readonly jobId: string | undefined;
  readonly documentId?: string | undefined;
  readonly documentNumber?: string | undefined;
  readonly duplicateOf?: string | undefined;
}

export interface JournalEntry {
  /** The `Idempotency-Key` of every attempt to send the file. */
  readonly key: string;
  /** Undefined while the outcome of a sent request is unknown. */
  readonly answer: JournalAnswer | undefined;
}

/** Another process sends files with the same journal. */
export class JournalBusyError extends Error {
  override readonly name = "JournalBusyError";
}

const table =
  "create table if not exists files (path text not null, size integer not null, " +
  "modified real not null, key text not null, answer text, " +
  "primary key (path, size, modified)) without rowid";

interface Row {
  readonly key: string;
  readonly answer: string | null;
}

/**
 * The files that an upload run has sent, so that an interrupted run can go on. Every note is on
 * disk before the call returns. One process has it at a time; the system frees it when that dies.
 */
export class UploadJournal {
  readonly #path: string | undefined;
  readonly #database: Database;

  private constructor(path: string | undefined, database: Database) {
    this.#path = path;
    this.#database = database;
  }

  /** A journal of this process, for a configuration folder that can't be written. */
  static inMemory(): UploadJournal {
    const database = new Database(":memory:");
    database.run(table);
    return new UploadJournal(undefined, database);
  }

  /** True if a later run finds the notes. */
  get isStored(): boolean {
    return this.#path !== undefined;
  }

  /**
   * Opens the journal of a run: `run` names its platform, workspace and context. Removes journals
   * older than 7 days. Throws {@link JournalBusyError}, or the error of the system or of SQLite.
   */
  static async open(configDirectory: string, run: string, nowMs: number): Promise<UploadJournal> {
    const folder = join(configDirectory, folderName);
    await makePrivateFolder(folder);
    await removeOldEntries(folder, nowMs, { folders: false, ageMs });
    const name = new Bun.CryptoHasher("sha256").update(run).digest("hex").slice(0, 32);
    const path = join(folder, `${name}.sqlite`);
    // SQLite would make a new file readable for all users.
    await (await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)).close();
    const database = new Database(path, { readwrite: true });
    try {
      database.run("PRAGMA busy_timeout = 0");
      database.run("PRAGMA locking_mode = EXCLUSIVE");
      database.run("PRAGMA synchronous = FULL");
      database.run("BEGIN EXCLUSIVE");
      database.run(table);
      database.run("COMMIT");
    } catch (error) {
      database.close();
      if (/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error))) {
        throw new JournalBusyError("another process uploads with the same context");
      }
      // A damaged journal knows nothing: the next run starts without it.
      if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))) await rm(path, { force: true });
      throw error;
    }
    return new UploadJournal(path, database);
  }

  find({ path, size, modifiedMs }: JournalFile): JournalEntry | undefined {
    const row = this.#database
      .query<Row, [string, number, number]>(
        "select key, answer from files where path = ? and size = ? and modified = ?",
      )
      .get(path, size, modifiedMs);
    if (row === null) return undefined;
    // Only this class writes the column, from this type.
    const answer = row.answer === null ? undefined : (JSON.parse(row.answer) as JournalAnswer);
    return { key: row.key, answer };
  }

  /** Notes that the file is about to be sent with this key, or its answer. */
  note({ path, size, modifiedMs }: JournalFile, { key, answer }: JournalEntry): void {
    const text = answer === undefined ? null : JSON.stringify(answer);
    this.#database.run("insert or replace into files values (?, ?, ?, ?, ?)", [
      path,
      size,
      modifiedMs,
      key,
      text,
    ]);
  }

  /** The platform has refused the file, and stored nothing of it. */
  forget({ path, size, modifiedMs }: JournalFile): void {
    this.#database.run("delete from files where path = ? and size = ? and modified = ?", [
      path,
      size,
      modifiedMs,
    ]);
  }

  /** Frees the journal, without these files of a complete run; an empty journal is removed. */
  async close({ complete }: { readonly complete: readonly JournalFile[] }): Promise<void> {
    this.#database.transaction(() => {
      for (const file of complete) this.forget(file);
    })();
    const isEmpty = this.#database.query("select 1 from files limit 1").get() === null;
    this.#database.close();
    if (isEmpty && this.#path !== undefined) await rm(this.#path, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
