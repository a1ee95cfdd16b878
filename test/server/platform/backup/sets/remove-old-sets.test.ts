import { expect, test } from "vitest";
import { placedSets } from "#server/platform/backup/sets/backup-set.ts";
import { removeOldSets } from "#server/platform/backup/sets/remove-old-sets.ts";
import { openTestPlatform } from "#test/support/platform.ts";
import { addNote, addPlan, fill, notes } from "../../move/moved-platforms.ts";
import { backupPlace, checkOf, flipBit, namesOf, takeOf } from "../stored-backups.ts";

const hourMs = 60 * 60_000;

test("old backups go with the files that no other one has; the newest and a verified one stay", async () => {
  const the = await openTestPlatform("sqlite", {});
  try {
    const stored = await backupPlace();
    await fill(the);
    const note = await addNote(the, 1_000);
    await addPlan(the, note);
    const verified = await takeOf(the, stored);
    the.advance(hourMs);
    const old = await takeOf(the, stored);
    const path = `${notes(the)}/${note}?permanent=true`;
    expect((await the.as("tenant-admin").delete(path)).status).toBe(204);
    the.advance(hourMs);
    const newest = await takeOf(the, stored);
    the.advance(48 * hourMs);
    const remove = (keeps: readonly string[]) =>
      removeOldSets(stored.objects, {
        keptMs: hourMs,
        keeps: new Set(keeps),
        now: the.now(),
        dataDirectory: the.dataDirectory,
      });

    expect(await remove([verified.name])).toEqual({ sets: [old.name], blobs: 0 });
    expect((await placedSets(stored.place)).names).toEqual([verified.name, newest.name]);
    expect(await checkOf(the, stored, verified.name)).toMatchObject({ ok: true });

    // The contents of a backup that can't be read are unknown.
    const manifest = `sets/${newest.name}/manifest.json`;
    await flipBit(stored.place, manifest);
    expect(await remove([])).toEqual({ sets: [verified.name], blobs: 0 });
    expect((await namesOf(stored.place, "blobs")).length).toBeGreaterThan(0);
    await flipBit(stored.place, manifest);

    // A stopped backup leaves parts, whose turn comes after a day.
    await stored.place.put("sets/20200101T000000Z-0123abcd/database.1", Buffer.from("half"));
    await remove([]);
    expect((await placedSets(stored.place)).incomplete).toEqual([]);
    expect(await checkOf(the, stored, newest.name)).toMatchObject({ ok: true });
  } finally {
    await the.close();
  }
});
