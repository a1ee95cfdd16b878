import type { BlobStore } from "./blob-store.ts";
import type { Database, Writer } from "../database/database.ts";
import { StorageFullError } from "../kit/storage-errors.ts";

/** Whether what is written finds room: lacking from a write that found none until one that did. */
export interface Room {
  readonly isLacking: boolean;
}

class NotedRoom implements Room {
  isLacking = false;

  /** Something was stored. */
  found(): void {
    this.isLacking = false;
  }

  /** Remembers where the work found none. */
  async needed<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof StorageFullError) this.isLacking = true;
      throw error;
    }
  }
}

/** The same database, whose writes tell of their room. */
export function roomWatched(database: Database): { database: Database; room: Room } {
  const room = new NotedRoom();
  const watched: Database = {
    dialect: database.dialect,
    tuning: database.tuning,
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
  return { database: watched, room };

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

const nobody = "00000000-0000-0000-0000-000000000000";
const probeBytes = 1024 * 1024;

/** The same file store, whose uploads tell of their room. */
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
  /** Nobody may upload anything for days: so room on the disk is looked for, too. */
  const lookForRoom = async (): Promise<void> => {
    const content = new Blob([new Uint8Array(probeBytes)]).stream();
    const staged = await stage(nobody, content, { limitBytes: probeBytes });
    await staged.discard();
  };
  return {
    blobs: {
      ...blobs,
      stage,
      async check() {
        await blobs.check();
        // Where there is none it is known already.
        if (onDisk.isLacking) await lookForRoom().catch(() => {});
      },
    },
    room: {
      get isLacking() {
        return onDisk.isLacking || inStore.isLacking;
      },
    },
  };
}
