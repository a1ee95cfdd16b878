import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { placedSets } from "#server/platform/backup/sets/backup-set.ts";
import { runInProcess } from "#server/platform/backup/schedule/backup-process.ts";
import type { BackupEvent } from "#server/platform/backup/schedule/backup-run.ts";
import { openTestPlatform } from "#test/support/platform.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { backupPlace, locationOf } from "../stored-backups.ts";

test("a process takes and checks a backup; one that is killed leaves no backup", async () => {
  const the = await openTestPlatform("sqlite", {});
  try {
    const { place, folder: to, backupKeyFile } = await backupPlace();
    const command = [await svcExecutable(), "__backup"];
    const request = { ...locationOf(the), to, backupKeyFile, recipients: [], keptMs: 1e9 };
    const run = async (signal: AbortSignal): Promise<BackupEvent[]> => {
      const events: BackupEvent[] = [];
      await runInProcess(command, request, {
        signal,
        onEvent: async (event) => void events.push(event),
      });
      return events;
    };
    const isWorking = async (): Promise<boolean> =>
      (await readdir(the.dataDirectory)).some((name) => name.startsWith("backup-work"));
    // A backup of so little may end between two looks; then the next one is killed.
    for (let isKilled = false; !isKilled;) {
      const before = (await placedSets(place)).names;
      const stopped = new AbortController();
      let hasEnded = false;
      const killed = run(stopped.signal).finally(() => (hasEnded = true));
      while (!hasEnded && !(await isWorking())) await Bun.sleep(1);
      stopped.abort(new Error("the platform stops"));
      isKilled = await killed.then(
        () => false,
        (error: unknown) => String(error).includes("the platform stops"),
      );
      if (isKilled) expect((await placedSets(place)).names).toEqual(before);
    }

    const events = await run(new AbortController().signal);
    expect(events).toMatchObject([
      { event: "stored" },
      { event: "checked", ok: true, faults: [] },
      { event: "removed" },
    ]);
    const left = (await readdir(the.dataDirectory)).filter((name) => name.includes("backup-work"));
    expect(left).toEqual([]);

    const crashing = runInProcess(["/bin/false"], request, {
      signal: new AbortController().signal,
      onEvent: async (event) => void events.push(event),
    });
    await crashing.catch(() => {});
    expect(events.at(-1)).toMatchObject({ event: "failed" });
  } finally {
    await the.close();
  }
});
