/** A failure of the storage itself, not of the statement: shown as 503, worth trying again. */
export class StorageError extends Error {
  override readonly name: string = "StorageError";
  /** Which storage, and what it does, in words for every caller: the message is the operator's. */
  readonly part: string = "The storage";
  readonly conduct: string = "does not answer";
}

/** A failure of what keeps the files. */
export class FileStoreError extends StorageError {
  override readonly part = "The file store";
  override readonly conduct: string;

  constructor(message: string, conduct: string, options?: ErrorOptions) {
    super(message, options);
    this.conduct = conduct;
  }
}

/** What has been written is not on the disk, and no further try can tell whether it ever is. */
export function diskFailure(cause: unknown): StorageError {
  return new StorageError(
    "Cannot bring writes to the disk any longer: look at the disk, and start again",
    { cause },
  );
}

/** SQLite's file is damaged, or no database at all: a backup is what helps. */
export function isDamaged(error: unknown): error is StorageError {
  return error instanceof StorageError && /SQLITE_(CORRUPT|NOTADB)/.test(error.message);
}

/** No room on the disk, or the quota is reached: shown as 507. Writes work again with room. */
export class StorageFullError extends StorageError {
  override readonly name = "StorageFullError";
}

/** More calls wait than the queue holds: shown as 503 with `Retry-After`. */
export class OverloadedError extends StorageError {
  override readonly name = "OverloadedError";
}

/**
 * The connection was lost or could not be made; the next call tries a new one. Shown as 503. For a
 * write whose commit was under way the outcome is unknown.
 */
export class ConnectionLostError extends StorageError {
  override readonly name = "ConnectionLostError";
}

/** Another process already serves this data directory. */
export class DataDirectoryInUseError extends StorageError {
  override readonly name = "DataDirectoryInUseError";
}

/** The database was made by a newer program, or its migrations are not ours. */
export class SchemaMismatchError extends StorageError {
  override readonly name = "SchemaMismatchError";
}

/** A unit of `write` was not done in its time: it awaited something other than its writer. */
export class UnitTimeoutError extends Error {
  override readonly name = "UnitTimeoutError";
}

/** A read took longer than its limit, or its signal was aborted, and was stopped. */
export class ScanStoppedError extends Error {
  override readonly name = "ScanStoppedError";
  constructor(
    message: string,
    readonly reason: "time-limit" | "aborted",
  ) {
    super(message);
  }
}

/** The scan's caller has gone: no one reads the answer. */
export function callerGone(): ScanStoppedError {
  return new ScanStoppedError("The scan was stopped: its caller has gone", "aborted");
}

/** A unique index or primary key already holds the value: shown as 409. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}

/** A foreign key: the row is still referred to, or it refers to one that is not there. */
export class ForeignKeyError extends Error {
  override readonly name = "ForeignKeyError";
}

/** Asked of a thread that only reads: the main thread can do it. Nothing has been done so far. */
export class LeaderOnlyError extends Error {
  override readonly name = "LeaderOnlyError";
}
