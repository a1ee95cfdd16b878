/** A failure of the storage itself, not of the statement: shown as 503, worth a retry. */
export class StorageError extends Error {
  override readonly name: string = "StorageError";
  /** The storage, as callers may read it; the message is only for the operator. */
  readonly part: string = "The storage";
  readonly conduct: string = "does not answer";
}

/** A failure with the words that follow the name of its storage. */
class StorageConductError extends StorageError {
  override readonly conduct: string;

  constructor(message: string, conduct: string, options?: ErrorOptions) {
    super(message, options);
    this.conduct = conduct;
  }
}

export class FileStoreError extends StorageConductError {
  override readonly part = "The file store";
}

/** The database, with what has failed there and the operator's next step. */
export class DatabaseFaultError extends StorageConductError {
  override readonly part = "The database";
}

/** The stored bytes of a file are not those that were uploaded: a retry reads the same ones. */
export class DamagedFileError extends FileStoreError {
  override readonly name = "DamagedFileError";

  constructor(message: string) {
    super(message, "has damaged bytes");
  }
}

/** True if the storage has failed in a way that may end, so that a retry can succeed. */
export function isStorageAway(error: unknown): error is StorageError {
  return error instanceof StorageError && !(error instanceof DamagedFileError) && !isDamaged(error);
}

/** Written data did not reach the disk, and a retry cannot tell whether it ever does. */
export function diskFailure(cause: unknown): StorageError {
  return new StorageError("Cannot write to the disk any longer: check the disk, and start again", {
    cause,
  });
}

/** The open file is no longer the one at its path, so that a restart would not find its writes. */
export class DetachedFileError extends StorageError {
  override readonly name = "DetachedFileError";
  override readonly part = "The database";
  override readonly conduct = "has lost its file, which was removed or replaced: restore a backup";

  constructor(path: string) {
    super(`Cannot write any longer: ${path} was removed or replaced`);
  }
}

/** True if the database's file is damaged, or no database: only a backup helps. */
export function isDamaged(error: unknown): error is StorageError {
  return (
    error instanceof StorageError && /SQLITE_(CORRUPT|NOTADB)|\(XX00[12]\)/.test(error.message)
  );
}

/** The message of triggers that refuse writes while the data move to another database. */
export const readOnlyMark = "svc: the data are moving to another database";

/** The data move, or have moved, to another database: shown as 503 with a longer `Retry-After`. */
export class ReadOnlyError extends StorageError {
  override readonly name = "ReadOnlyError";
  override readonly part = "The database";
  override readonly conduct = "is read-only, because its data move to another database";

  constructor(options?: ErrorOptions) {
    super(
      "Cannot write: this database is read-only, because its data move to another one",
      options,
    );
  }
}

/** The disk is full, or the quota is reached: shown as 507. */
export class StorageFullError extends StorageError {
  override readonly name = "StorageFullError";
}

/** A queue is full, or a wait took too long: shown as 503 with `Retry-After`. */
export class OverloadedError extends StorageError {
  override readonly name = "OverloadedError";
}

/**
 * The connection was lost or could not be made; the next call tries a new one. Shown as 503. A
 * write whose commit was running may be durable or not.
 */
export class ConnectionLostError extends StorageError {
  override readonly name = "ConnectionLostError";
}

/** Another process already serves this data directory. */
export class DataDirectoryInUseError extends StorageError {
  override readonly name = "DataDirectoryInUseError";
}

/** A newer program made the database, or its migrations are different ones. */
export class SchemaMismatchError extends StorageError {
  override readonly name = "SchemaMismatchError";
}

/** A unit of `write` took too long: it awaited something other than its writer. */
export class UnitTimeoutError extends Error {
  override readonly name = "UnitTimeoutError";

  constructor(limitMs: number) {
    super(
      `Cannot finish this write within ${limitMs} ms: a unit must await nothing but its writer`,
    );
  }
}

/** A read took longer than its limit, or its signal was aborted. */
export class ScanStoppedError extends Error {
  override readonly name = "ScanStoppedError";
  constructor(
    message: string,
    readonly reason: "time-limit" | "aborted",
  ) {
    super(message);
  }
}

export function callerGone(): ScanStoppedError {
  return new ScanStoppedError("The scan was stopped: its caller has gone", "aborted");
}

/** A unique index or primary key already has the value: shown as 409. */
export class DuplicateError extends Error {
  override readonly name = "DuplicateError";
}

/** A foreign key: another row refers to the row, or the row refers to a missing one. */
export class ForeignKeyError extends Error {
  override readonly name = "ForeignKeyError";
}

/** A thread that only reads cannot do this, and has done nothing; the main thread can. */
export class LeaderOnlyError extends Error {
  override readonly name = "LeaderOnlyError";
}
