import { Database, type Statement } from "bun:sqlite";
import {
  DatabaseFaultError,
  DuplicateError,
  ForeignKeyError,
  ReadOnlyError,
  readOnlyMark,
  StorageError,
  StorageFullError,
} from "../../kit/storage-errors.ts";
import { addFunctions } from "./functions/functions.ts";
import type { Executed } from "../reader.ts";
import type { BoundParameter } from "../statement.ts";

interface PreparedStatement {
  readonly statement: Statement<Record<string, unknown>, BoundParameter[]>;
  readonly isReader: boolean;
  readonly isReadonly: boolean;
  /** The columns that may have integers; set after the first run. */
  integerColumns: readonly string[] | undefined;
  /** Integers are read as bigint, which takes longer: a read begins without. */
  isExact: boolean;
}

/** Prepared statements of one connection; the least recently used one is finalized first. */
const preparedLimit = 512;

/**
 * A synchronous SQLite connection: it prepares statements once, keeps integers exact, and throws
 * typed errors. Workers load it too, so it imports nothing of the main thread.
 */
export class SqliteConnection {
  readonly #database: Database;
  readonly #prepared = new Map<string, PreparedStatement>();

  /**
   * A read-only connection needs an existing file; a writable one creates it. `throwIfStopped` ends
   * a long statement (see `unlessStopped`) by throwing.
   */
  constructor(
    path: string,
    options: { readonly readonly: boolean; readonly throwIfStopped?: () => void },
  ) {
    try {
      this.#database = new Database(
        path,
        options.readonly
          ? { readonly: true, safeIntegers: true }
          : { readwrite: true, create: true, safeIntegers: true },
      );
      addFunctions(this.#database, options.throwIfStopped ?? (() => {}));
    } catch (error) {
      throw sqliteFailure(error);
    }
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  /** Pragmas and transaction statements, without values and rows. */
  execute(text: string): void {
    try {
      this.#database.run(text);
    } catch (error) {
      throw sqliteFailure(error);
    }
  }

  isReadonly(text: string): boolean {
    return this.#prepare(text).isReadonly;
  }

  run(text: string, parameters: readonly BoundParameter[]): Executed {
    const prepared = this.#prepare(text);
    try {
      const { statement } = prepared;
      if (!prepared.isReader) {
        return { rows: [], changedRows: Number(statement.run(...parameters).changes) };
      }
      let rows = statement.all(...parameters);
      const names = (prepared.integerColumns ??= integerColumns(statement, text));
      if (!prepared.isExact && names.some((name) => isRounded(rows, name))) {
        prepared.isExact = true;
        statement.safeIntegers(true);
        rows = statement.all(...parameters);
      }
      if (prepared.isExact) for (const name of names) plainIntegers(rows, name);
      return { rows, changedRows: prepared.isReadonly ? 0 : rows.length };
    } catch (error) {
      throw sqliteFailure(error);
    }
  }

  close(): void {
    for (const { statement } of this.#prepared.values()) statement.finalize();
    this.#prepared.clear();
    this.#database.close();
  }

  #prepare(text: string): PreparedStatement {
    let prepared = this.#prepared.get(text);
    if (prepared !== undefined) {
      if (this.#prepared.size > preparedLimit / 2) {
        this.#prepared.delete(text);
        this.#prepared.set(text, prepared);
      }
      return prepared;
    }
    try {
      const statement = this.#database.prepare<Record<string, unknown>, BoundParameter[]>(text);
      const { reader: isReader, readonly: isReadonly } = statement;
      const isExact = !isReadonly;
      if (isReader) statement.safeIntegers(isExact);
      prepared = { statement, isReader, isReadonly, integerColumns: undefined, isExact };
    } catch (error) {
      throw sqliteFailure(error);
    }
    this.#prepared.set(text, prepared);
    if (this.#prepared.size > preparedLimit) {
      const oldest = this.#prepared.entries().next();
      if (!oldest.done) {
        this.#prepared.delete(oldest.value[0]);
        oldest.value[1].statement.finalize();
      }
    }
    return prepared;
  }
}

/** The type of a column of a compound select is that of its first part alone. */
const compounds = /\b(?:union|except|intersect)\b/i;

/** The columns without those of a table that have texts alone: SQLite has no other value there. */
function integerColumns(
  { columnNames, declaredTypes }: Pick<Statement, "columnNames" | "declaredTypes">,
  text: string,
): string[] {
  if (compounds.test(text) || declaredTypes.length !== columnNames.length) return columnNames;
  return columnNames.filter((_name, at) => declaredTypes[at]?.toUpperCase() !== "TEXT");
}

/** True if an integer may have lost its last digits. */
function isRounded(rows: readonly Record<string, unknown>[], name: string): boolean {
  for (const row of rows) {
    const value = row[name];
    if (typeof value !== "number" || Number.isSafeInteger(value)) continue;
    if (Number.isInteger(value)) return true;
  }
  return false;
}

/** Integers are read as bigint, so that none is rounded; those that fit become numbers. */
function plainIntegers(rows: Record<string, unknown>[], name: string): void {
  for (const row of rows) {
    const value = row[name];
    if (typeof value !== "bigint") continue;
    const plain = Number(value);
    if (Number.isSafeInteger(plain)) row[name] = plain;
  }
}

/** A table or a column of the schema is gone: the statement is right, the file is not. */
const missingParts = /^(no such (table|column|index)|table \S+ has no column)/;

const storageCodes = /^SQLITE_(IOERR|CANTOPEN|CORRUPT|NOTADB|READONLY|BUSY|LOCKED|PROTOCOL|NOMEM)/;

/** The fault by its code of SQLite, with the operator's next step. */
const conducts: readonly (readonly [code: RegExp, conduct: string])[] = [
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    "has a damaged file or a failing disk: run `svc serve doctor`, and restore a backup",
  ],
  [/^SQLITE_IOERR_(SHORT_)?READ/, "cannot read its file: check the disk and the system's log"],
  [
    /^SQLITE_IOERR/,
    "cannot write its file: check the disk, its quota and the limit of a file's size",
  ],
  [/^SQLITE_(CANTOPEN|READONLY)/, "cannot open its file: check its rights and those of its folder"],
];
const missingConduct = "has lost a part of its schema: restore a backup";

export function sqliteFailure(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") {
    return error;
  }
  const { code, message } = error;
  const cause = { cause: error };
  if (code === "SQLITE_CONSTRAINT_UNIQUE" || code === "SQLITE_CONSTRAINT_PRIMARYKEY") {
    return new DuplicateError(message, cause);
  }
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY") return new ForeignKeyError(message, cause);
  if (message === readOnlyMark) return new ReadOnlyError(cause);
  if (code === "SQLITE_FULL") return new StorageFullError(message, cause);
  // The shared memory is a file next to the log, which needs room to grow.
  if (code === "SQLITE_IOERR_SHMSIZE") {
    return new StorageFullError(`database or disk is full (${code})`, cause);
  }
  const isMissing = code === "SQLITE_ERROR" && missingParts.test(message);
  if (!isMissing && !storageCodes.test(code)) return error;
  const text = `${message} (${code})`;
  const conduct = isMissing ? missingConduct : conducts.find(([each]) => each.test(code))?.[1];
  if (conduct === undefined) return new StorageError(text, cause);
  return new DatabaseFaultError(text, conduct, cause);
}
