import type { BlobStore } from "./blob-store.ts";
import type { Database, DatabaseView, Reader, Scanner, Writer } from "../database/database.ts";
import { OverloadedError, StorageError, StorageFullError } from "../kit/storage-errors.ts";

/** True if the last write failed because the storage was full. */
export interface Room {
  readonly isLacking: boolean;
  /** True if the last write failed because of the storage, for this or another reason. */
  readonly hasFailed?: boolean;
}

class NotedRoom implements Room {
  isLacking = false;
  hasFailed = false;

  found(): void {
    this.isLacking = false;
    this.hasFailed = false;
  }

  needed<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: unknown) => this.failed(error));
  }

  failed(error: unknown): never {
    if (error instanceof StorageFullError) this.isLacking = true;
    if (error instanceof StorageError && !(error instanceof OverloadedError)) {
      this.hasFailed = true;
    }
    throw error;
  }
}

/** The same database, and whether its writes find room. */
export function roomWatched(database: Database): { database: Database; room: Room } {
  const room = new NotedRoom();
  const watched: Database = {
    ...database,
    in: (scope) => new WatchedView(database.in(scope), room),
    merged: (unit) => {
      const write = database.merged(unit);
      return (item, scope) =>
        write(item, scope).then(
          () => room.found(),
          (error: unknown) => room.failed(error),
        );
    },
  };
  return { database: watched, room };
}

/** Each request has one, and a class costs less than an object with getters. */
class WatchedView implements DatabaseView {
  constructor(
    private readonly view: DatabaseView,
    private readonly room: NotedRoom,
  ) {}

  get read(): Reader {
    return this.view.read;
  }

  get scan(): Scanner {
    return this.view.scan;
  }

  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T> {
    return this.view.snapshot(work);
  }

  write<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    const { room, view } = this;
    return room.hasFailed ? this.#retry(work) : room.needed(view.write(work));
  }

  /** A transaction that changes nothing also succeeds on a full disk. */
  async #retry<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    let hasWritten = false;
    const value = await this.room.needed(
      this.view.write((writer) => {
        hasWritten = false;
        return work(noting(writer, () => (hasWritten = true)));
      }),
    );
    if (hasWritten) this.room.found();
    return value;
  }
}

function noting(writer: Writer, onChange: () => void): Writer {
  return {
    dialect: writer.dialect,
    all: (statement) => writer.all(statement),
    first: (statement) => writer.first(statement),
    runLast: (statement) => writer.runLast(statement),
    async run(statement) {
      const done = await writer.run(statement);
      if (done.changedRows > 0) onChange();
      return done;
    },
  };
}

const probeWorkspaceId = "00000000-0000-0000-0000-000000000000";
const probeBytes = 1024 * 1024;

/** The same file store, and whether its uploads find room. */
export function roomWatchedBlobs(blobs: BlobStore): { blobs: BlobStore; room: Room } {
  const onDisk = new NotedRoom();
  const inStore = new NotedRoom();
  const stage: BlobStore["stage"] = async (...given) => {
    const staged = await onDisk.needed(blobs.stage(...given));
    onDisk.found();
    return {
      address: staged.address,
      size: staged.size,
      get mayBePublished() {
        return staged.mayBePublished;
      },
      async publish() {
        const published = await inStore.needed(staged.publish());
        inStore.found();
        return published;
      },
      discard: () => staged.discard(),
    };
  };
  const probeRoom = async (): Promise<void> => {
    const content = new Blob([new Uint8Array(probeBytes)]).stream();
    const staged = await stage(probeWorkspaceId, content, { limitBytes: probeBytes });
    await staged.discard();
  };
  return {
    blobs: {
      ...blobs,
      stage,
      async check() {
        await blobs.check();
        // Uploads may be days apart, so the check finds new room too. A failure is known already.
        if (onDisk.isLacking) await probeRoom().catch(() => {});
      },
    },
    room: {
      get isLacking() {
        return onDisk.isLacking || inStore.isLacking;
      },
    },
  };
}
