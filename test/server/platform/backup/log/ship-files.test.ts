import { join } from "node:path";
import { expect, test } from "vitest";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { notedBlobs, type PublishedFile } from "#server/files/published-files.ts";
import { FileJournal } from "#server/platform/backup/log/file-journal.ts";
import {
  listedFiles,
  placedLists,
  removeListsBefore,
} from "#server/platform/backup/log/file-lists.ts";
import { FileShipper } from "#server/platform/backup/log/ship-files.ts";
import { removeOldSets } from "#server/platform/backup/sets/remove-old-sets.ts";
import { SetFiles } from "#server/platform/backup/sets/set-files.ts";
import { openTestPlatform } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { addNote, addPlan, fill } from "../../move/moved-platforms.ts";
import { backupPlace, namesOf, takeOf } from "../stored-backups.ts";

test("files since a backup are stored once, from the database and the journal, and taken over by the next backup", async () => {
  const the = await openTestPlatform("sqlite", {});
  const { dataDirectory, databaseUrl } = the;
  const stored = await backupPlace();
  const { objects, keys, place } = stored;
  const filesFrom = await temporaryDirectory("journal");
  const lost: PublishedFile[] = [];
  const location = { dataDirectory, databaseUrl, filesFrom, keptMs: 1e9 };
  const { signal } = new AbortController();
  const onLost = (file: PublishedFile): unknown => lost.push(file);
  const open = () => FileShipper.open({ location, objects, keys, signal, onLost });
  const text = async (files: SetFiles, file: PublishedFile): Promise<string> =>
    Buffer.concat(await Array.fromAsync(files.read(file) ?? [])).toString();
  let shipper = await open();
  try {
    await fill(the);
    // The first backup has all files, so nothing is stored before it.
    expect(await shipper.ship()).toBe(0);
    const first = await takeOf(the, stored);
    await addPlan(the, await addNote(the, 1_000));
    await shipper.close();
    shipper = await open();
    expect(await shipper.ship()).toBe(1);

    const journal = new FileJournal(filesFrom, 100);
    journal.begin();
    const blobs = createDiskBlobStore(join(dataDirectory, "blobs"));
    const noted = notedBlobs(blobs, (file) => journal.note(file));
    const publish = async (content: string): Promise<PublishedFile> => {
      const { tenant } = the.workspaces;
      const staged = await noted.stage(tenant, new Blob([content]).stream(), { limitBytes: 99 });
      await staged.publish();
      await staged.discard();
      return { ...staged.address, size: staged.size };
    };
    const one = await publish("one");
    expect([await shipper.ship(), await shipper.ship()]).toEqual([1, 0]);
    // The next journal begins with the names of the one before.
    const [two, three] = [await publish("two"), await publish("three")];
    await publish("one");
    expect(await shipper.ship()).toBe(2);
    await shipper.close();
    shipper = await open();
    expect(await shipper.ship()).toBe(0);
    expect((await placedLists(place)).names).toHaveLength(3);
    const files = await SetFiles.shipped(objects, dataDirectory);
    expect(await Promise.all([one, two, three].map((each) => text(files, each)))).toEqual([
      "one",
      "two",
      "three",
    ]);
    await files.close();
    expect(await Array.fromAsync(listedFiles(objects))).toHaveLength(4);

    // Nothing names a file that is gone, so it is not lost.
    await journal.note({ ...one, sha256: "0".repeat(64) });
    expect([await shipper.ship(), lost]).toEqual([0, []]);

    const count = async (): Promise<number> => (await namesOf(place, "blobs")).length;
    const before = await count();
    const second = await takeOf(the, stored);
    expect(second.files).toMatchObject({ count: first.files.count + 1, added: 0 });
    const nowMs = Date.now() + 10;
    await removeListsBefore(place, { beforeMs: nowMs, nowMs }, undefined);
    expect((await placedLists(place)).names).toEqual([]);
    await removeOldSets(objects, {
      keptMs: 1e12,
      keeps: new Set(),
      now: the.now(),
      dataDirectory,
      hasFewerLists: true,
    });
    // The file of the note is in the backup; the other three have no row.
    expect(await count()).toBe(before - 3);
  } finally {
    await shipper.close();
    await the.close();
  }
});
