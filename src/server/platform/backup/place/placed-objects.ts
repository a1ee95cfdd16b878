/**
 * A folder or a bucket with backups. Names are paths of letters, digits, `.`, `-` and `/`. An
 * object is at most {@link pieceBytes} and a little more, so that it fits into memory.
 */
export interface BackupPlace {
  /** The place for messages, without credentials. */
  readonly name: string;
  /** Stores an object whole or not at all, durably. */
  put(name: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** The bytes of an object; undefined if it does not exist. Throws `StorageError`. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** The objects whose names begin with a folder's name and `/`, in no order. */
  list(folder: string): AsyncIterable<PlacedObject>;
  /** An object that does not exist is no failure. */
  remove(name: string): Promise<void>;
}

export interface PlacedObject {
  readonly name: string;
  readonly size: number;
}

/** The size of the pieces in which larger contents are stored. */
export const pieceBytes = 16 * 1024 * 1024;
