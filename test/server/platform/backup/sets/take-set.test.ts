import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writerMark } from "#lib/writer-mark.ts";
import { placedSets } from "#server/platform/backup/sets/backup-set.ts";
import { takeSet } from "#server/platform/backup/sets/take-set.ts";
import { SealedObjects } from "#server/platform/backup/place/sealed-objects.ts";
import { describePlatform } from "#test/support/platform.ts";
import { addNote, addPlan, fill } from "../../move/moved-platforms.ts";
import { backupPlace, checkOf, locationOf, namesOf, takeOf } from "../stored-backups.ts";

describePlatform("a backup of a place", (the) => {
  test("copies each file once, and is checked with all of its rows and files", async () => {
    const stored = await backupPlace();
    await fill(the());
    await addPlan(the(), await addNote(the(), 1_000));
    const first = await takeOf(the(), stored);
    expect(first.files).toMatchObject({ count: 1, added: 1, lost: 0 });
    await addNote(the(), 1_001);
    const second = await takeOf(the(), stored);
    expect(second.files).toMatchObject({ count: 1, added: 0, lost: 0 });
    expect(await namesOf(stored.place, "blobs")).toHaveLength(1);
    expect((await placedSets(stored.place)).names).toEqual([first.name, second.name].toSorted());
    for (const { name } of [first, second]) {
      const check = await checkOf(the(), stored, name);
      expect(check.faults).toEqual([]);
      expect(check.checked).toMatchObject({ files: 1, workspaces: 3 });
      expect(check.checked.auditEntries).toBeGreaterThan(5);
    }
    const records = (name: typeof first): number => name.tables["resources"]?.rows ?? 0;
    expect(records(second)).toBe(records(first) + 1);
    expect(await readdir(the().dataDirectory)).not.toContainEqual(
      expect.stringMatching(/^backup-work/),
    );
  });

  test("that is stopped anywhere does not exist, and leaves the others as they are", async () => {
    const stored = await backupPlace();
    await takeOf(the(), stored);
    const before = (await placedSets(stored.place)).names;
    for (let stop = 0; ; stop += 1) {
      const stopped = new AbortController();
      let puts = 0;
      const place = {
        ...stored.place,
        put: async (...[name, bytes]: Parameters<typeof stored.place.put>) => {
          if (puts === stop) stopped.abort(new Error("stopped here"));
          stopped.signal.throwIfAborted();
          puts += 1;
          await stored.place.put(name, bytes);
        },
      };
      const { keys } = stored;
      const objects = new SealedObjects(place, keys, stopped.signal);
      const { signal } = stopped;
      const taking = takeSet({ ...locationOf(the()), objects, keys, signal });
      const outcome = await taking.catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      expect(outcome.message).toBe("stopped here");
      expect((await placedSets(stored.place)).names).toEqual(before);
    }
    expect((await placedSets(stored.place)).names).toHaveLength(before.length + 1);
  });

  test("removes the work that a killed process has left", async () => {
    const [machine = ""] = String(await writerMark()).split(".");
    // No process has a number above this one.
    const left = `backup-work-${machine}.4194305.1-${crypto.randomUUID()}`;
    await mkdir(join(the().dataDirectory, left));
    await takeOf(the(), await backupPlace());
    expect(await readdir(the().dataDirectory)).not.toContain(left);
  });
});
