import type { BlobStore, StagedBlob } from "../engines/blobs/blob-store.ts";
import type { Database, Writer } from "../stores/database.ts";
import { StorageFullError } from "../stores/database/errors.ts";

/** Whether what is written finds room: false from a write that found none until one that did. */
export class Room {
  #isLacking = false;

  get isLacking(): boolean {
    return this.#isLacking;
  }

  /** Something was stored. */
  found(): void {
    this.#isLacking = false;
  }

  /** Remembers where the work found none. */
  async needed<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof StorageFullError) this.#isLacking = true;
      throw error;
    }
  }
}

/** The same database, whose writes tell of their room. */
export function roomWatched(database: Database, room: Room): Database {
  return {
    dialect: database.dialect,
    ids: database.ids,
    read: database.read,
    scan: database.scan,
    close: () => database.close(),
    write: (work) => (room.isLacking ? again(work) : room.needed(database.write(work))),
    merged: (unit) => {
      const write = database.merged(unit);
      return async (item) => {
        await room.needed(write(item));
        room.found();
      };
    },
  };

  /** A unit that changes nothing is well on a full disk, too. */
  async function again<T>(work: (writer: Writer) => Promise<T>): Promise<T> {
    let hasWritten = false;
    const value = await room.needed(
      database.write((writer) => {
        hasWritten = false;
        return work(noting(writer, () => (hasWritten = true)));
      }),
    );
    if (hasWritten) room.found();
    return value;
  }
}

function noting(writer: Writer, onChange: () => void): Writer {
  return {
    dialect: writer.dialect,
    // What is written by it is seldom, and something else soon tells the same.
    get query() {
      return writer.query;
    },
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

/** The same file store, whose uploads tell of their room. */
export function roomWatchedBlobs(blobs: BlobStore, room: Room): BlobStore {
  return {
    ...blobs,
    async stage(workspaceId, content, options): Promise<StagedBlob> {
      const staged = await room.needed(blobs.stage(workspaceId, content, options));
      return {
        address: staged.address,
        size: staged.size,
        get mayBePublished() {
          return staged.mayBePublished;
        },
        async publish() {
          const published = await room.needed(staged.publish());
          room.found();
          return published;
        },
        discard: () => staged.discard(),
      };
    },
  };
}
