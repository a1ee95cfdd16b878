import { expect, test } from "vitest";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import type { BlobAddress, BlobStore } from "#server/files/blob-store.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import type { LogEvent } from "#server/kit/logger.ts";
import { BlobRemovals } from "#server/files/blob-removals.ts";
import { isBlobNamed, isFileBeingRemoved } from "#server/files/reference-store.ts";
import { removalsOf, requestRemovals } from "#server/files/removal-store.ts";
import { StorageFullError } from "#server/kit/storage-errors.ts";
import { putResourceFile, releaseFilesOf } from "#server/domains/records/store/record-files.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { eventually } from "#test/support/eventually.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { testWorks } from "#test/support/work.ts";

const workspaceId = "0192f000-0000-7000-8000-000000000001";
const type = { workspaceId, number: 1 };

async function keep(blobs: BlobStore, text: string): Promise<BlobAddress & { size: number }> {
  const staged = await blobs.stage(workspaceId, new Blob([text]).stream(), { limitBytes: 1000 });
  await staged.publish();
  await staged.discard();
  return { ...staged.address, size: staged.size };
}

/** One platform's removals; a second platform has another data directory. */
async function removalsWith(
  database: WholeDatabase,
  blobs: BlobStore,
  dataDirectory = "/one",
  areHeld = async (): Promise<boolean> => false,
) {
  let aheadMs = 0;
  const log: LogEvent[] = [];
  const note = (event: LogEvent): void => void log.push(event);
  const logger = { info: () => {}, warn: note, error: note };
  const lifetime = new LifetimeOwner(logger);
  const now = () => new Date(Date.now() + aheadMs);
  const platformWork = testWorks(database).works.forPlatform;
  const common = { platformWork, blobs, now, logger, lifetime };
  const removals = new BlobRemovals({ ...common, dataDirectory, areHeld });
  return { removals, log, lifetime, advance: (milliseconds: number) => (aheadMs += milliseconds) };
}

/** A store that does not answer while `isAway`. */
function moody(blobs: BlobStore): { readonly blobs: BlobStore; isAway: boolean } {
  const mood = {
    isAway: true,
    blobs: {
      ...blobs,
      remove: async (address: BlobAddress) => {
        if (mood.isAway) throw new Error("the store does not answer");
        return blobs.remove(address);
      },
    },
  };
  return mood;
}

const disk = async () => createDiskBlobStore(await temporaryDirectory("blobs"));

describeInTurn("bytes without a reference", (open) => {
  test("are removed, and the removal is forgotten after an hour", async () => {
    const [database, blobs] = [await open(), await disk()];
    const file = await keep(blobs, "unowned");
    const { removals, advance } = await removalsWith(database, blobs);
    await database.write((writer) => requestRemovals(writer, workspaceId, [file, file]));
    expect(await isBlobNamed(database.read, file)).toBe(true);
    removals.wake();
    await eventually(async () => expect(await removalsOf(database.read, file)).toBe(1));
    expect(await blobs.stat(file)).toBeUndefined();
    expect(await isBlobNamed(database.read, file)).toBe(false);
    expect(await isFileBeingRemoved(database.read, file)).toBe(false);
    await removals.forget();
    expect(await removalsOf(database.read, file)).toBe(1);
    advance(61 * 60_000);
    await removals.forget();
    expect(await removalsOf(database.read, file)).toBe(0);
  });

  test("stay after a restore until the file store was compared", async () => {
    const [database, blobs] = [await open(), await disk()];
    const file = await keep(blobs, "unowned");
    const asked = Promise.withResolvers<void>();
    let isHeld = true;
    const { removals } = await removalsWith(database, blobs, "/one", async () => {
      asked.resolve();
      return isHeld;
    });
    await database.write((writer) => requestRemovals(writer, workspaceId, [file]));
    removals.wake();
    await asked.promise;
    expect(await blobs.stat(file)).toEqual({ size: file.size });
    isHeld = false;
    await eventually(async () => {
      removals.wake();
      expect(await removalsOf(database.read, file)).toBe(1);
    });
    expect(await blobs.stat(file)).toBeUndefined();
  });

  test("stay while a record references them", async () => {
    const [database, blobs] = [await open(), await disk()];
    const file = await keep(blobs, "owned");
    const { removals } = await removalsWith(database, blobs);
    const named = { ...file, filename: "a", contentType: "text/plain" };
    const gone = { until: undefined, version: 1 };
    const records = (ids: readonly string[]) => ids.map((id) => ({ id, version: 1 }));
    await database.write(async (writer) => {
      await putResourceFile(writer, type, { id: "one", property: "plan" }, named, gone);
      await putResourceFile(writer, type, { id: "two", property: "plan" }, named, gone);
    });
    await database.write((writer) =>
      releaseFilesOf(writer, workspaceId, records(["one"]), undefined),
    );
    expect(await removals.remove(file, file.size)).toBe(false);
    expect(await blobs.stat(file)).toEqual({ size: file.size });
    expect(
      await database.write((writer) =>
        releaseFilesOf(writer, workspaceId, records(["one", "two"]), undefined),
      ),
    ).toBe(1);
    expect(await removals.remove(file, file.size)).toBe(true);
    expect(await blobs.stat(file)).toBeUndefined();
  });

  test("are retried after the store did not answer, and block uploads until then", async () => {
    const [database, store] = [await open(), await disk()];
    const mood = moody(store);
    const file = await keep(store, "stubborn");
    const { removals, log } = await removalsWith(database, mood.blobs);
    await expect(removals.remove(file, file.size)).rejects.toThrow("does not answer");
    expect(await isFileBeingRemoved(database.read, file)).toBe(true);
    removals.wake();
    await eventually(() => expect(log).toMatchObject([{ event: "file-removal-failed" }]));
    mood.isAway = false;
    removals.wake();
    await eventually(async () => expect(await removalsOf(database.read, file)).toBe(1));
    expect(await isFileBeingRemoved(database.read, file)).toBe(false);
  });

  test("of refused uploads are removed once the database accepts writes", async () => {
    const [opened, blobs] = [await open(), await disk()];
    let isFull = true;
    const database: WholeDatabase = {
      ...opened,
      in: (scope) => {
        const { read, scan, snapshot, write } = opened.in(scope);
        return {
          read,
          scan,
          snapshot,
          write: (unit) =>
            isFull ? Promise.reject(new StorageFullError("no space")) : write(unit),
        };
      },
    };
    const { removals } = await removalsWith(database, blobs);
    const stage = (text: string) =>
      blobs.stage(workspaceId, new Blob([text]).stream(), { limitBytes: 1000 });
    const [one, other] = [await stage("one"), await stage("other")];
    await one.publish();
    await removals.takeBack([one, other]);
    await expect(removals.retake()).rejects.toThrow("no space");
    expect(await blobs.stat(one.address)).toEqual({ size: 3 });
    isFull = false;
    await removals.retake();
    expect(await blobs.stat(one.address)).toBeUndefined();
    // Nothing is left for the next start.
    expect(await blobs.sweep(() => Promise.resolve(true))).toEqual({ unfinished: 0, unowned: 0 });
  });

  test("are removed at the next start after a crash", async () => {
    const [database, store] = [await open(), await disk()];
    const mood = moody(store);
    const file = await keep(store, "left over");
    const crashed = await removalsWith(database, mood.blobs);
    await expect(crashed.removals.remove(file, file.size)).rejects.toThrow("does not answer");
    const { removals, lifetime } = await removalsWith(database, store);
    await removals.recover();
    await eventually(async () => expect(await store.stat(file)).toBeUndefined());
    await lifetime.close();
  });

  test("are left to the platform with the claim until it expires", async () => {
    const [database, store] = [await open(), await disk()];
    const mood = moody(store);
    const file = await keep(store, "claimed");
    const one = await removalsWith(database, mood.blobs);
    await expect(one.removals.remove(file, file.size)).rejects.toThrow("does not answer");
    const other = await removalsWith(database, store, "/other");
    await expect(other.removals.remove(file, file.size)).rejects.toThrow("another process");
    expect(await store.stat(file)).toEqual({ size: file.size });
    other.advance(121_000);
    expect(await other.removals.remove(file, file.size)).toBe(true);
    expect(await store.stat(file)).toBeUndefined();
  });
});
