import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { placedSets } from "#server/platform/backup/sets/backup-set.ts";
import { ScheduledBackups } from "#server/platform/backup/schedule/scheduled-backups.ts";
import { newestBackup } from "#server/platform/backup/schedule/backup-store.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { missingTmpfs, mountTmpfs } from "#test/support/tmpfs.ts";
import { backupPlace, flipBit, locationOf, namesOf, type TestPlace } from "../stored-backups.ts";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

type Health = () => Promise<{ status: string; detail?: string | undefined }>;

/** A schedule over the platform's database, as another platform of it has one. */
function scheduled(the: TestPlatform, stored: TestPlace, worker: string, keepsKey = true) {
  const log: object[] = [];
  const note = (event: object): void => void log.push(event);
  const logger = { info: () => {}, warn: note, error: note };
  const lifetime = new LifetimeOwner(logger);
  onTestFinished(() => lifetime.close());
  const { backupKeyFile, keys, folder: to } = stored;
  const backups = new ScheduledBackups(
    {
      platformWork: the.platform.platformWork,
      worker: { id: worker, earlierId: undefined },
      now: () => the.now(),
      lifetime,
      logger,
    },
    locationOf(the),
    {
      to,
      everyMs: hourMs,
      keptMs: dayMs,
      ...(keepsKey ? { backupKeyFile } : { recipients: keys.recipients }),
    },
  );
  let ask: Health = () => Promise.reject(new Error("the schedule has not started"));
  const start = (): void => backups.start({ addPart: (part) => void ({ ask } = part) });
  return { backups, log, look: () => backups.scheduler.look(), start, health: () => ask() };
}

const stateOf = async (the: TestPlatform) =>
  (await newestBackup(the.platform.platformWork("a test").read))?.state;

describePlatform("scheduled backups", (the) => {
  test("are taken when they are due, by one of two platforms, and checked", async () => {
    const stored = await backupPlace();
    const [one, other] = [scheduled(the(), stored, "one"), scheduled(the(), stored, "other")];
    await Promise.all([one.look(), other.look()]);
    await Promise.all([one.look(), other.look()]);
    expect((await placedSets(stored.place)).names).toHaveLength(1);
    expect(await stateOf(the())).toBe("verified");
    the().advance(hourMs);
    await Promise.all([one.look(), other.look()]);
    expect((await placedSets(stored.place)).names).toHaveLength(2);
    expect([...one.log, ...other.log]).toEqual([]);
    const { verified, failed } = await one.backups.times();
    expect(verified).toBeCloseTo(the().now().getTime() / 1000, -3);
    expect(failed).toBeUndefined();
  });

  test("that fail, are damaged or overdue make the health degraded until the next good one", async () => {
    the().advance(hourMs);
    const stored = await backupPlace();
    const { look, health, start, log } = scheduled(the(), stored, "one");
    await look();
    start();
    expect(await health()).toMatchObject({ status: "ok" });
    the().advance(4 * hourMs);
    expect((await health()).detail).toContain("overdue; the last verified backup is of");
    await rename(stored.folder, `${stored.folder}-away`);
    await writeFile(stored.folder, "no folder");
    await look();
    expect(await health()).toMatchObject({ status: "degraded" });
    expect((await health()).detail).toContain("has failed; the last verified backup is of");
    expect(log).toMatchObject([{ event: "backup-failed" }]);
    await look();
    expect(log).toHaveLength(1);
    await rename(stored.folder, `${stored.folder}-file`);
    await rename(`${stored.folder}-away`, stored.folder);
    the().advance(11 * 60_000);
    await look();
    expect(await health()).toMatchObject({ status: "ok" });
  });

  test.skipIf(missingTmpfs !== undefined)(
    "that find no room leave no backup, and the next one is whole",
    async () => {
      the().advance(hourMs);
      const stored = await backupPlace();
      await mkdir(stored.folder);
      const { look, log } = scheduled(the(), stored, "one");
      {
        await using _mounted = await mountTmpfs(stored.folder, 16 * 1024);
        await look();
        expect((await placedSets(stored.place)).names).toEqual([]);
      }
      expect(await stateOf(the())).toBe("failed");
      expect(JSON.stringify(log)).toContain("no space left");
      the().advance(11 * 60_000);
      await look();
      expect(await stateOf(the())).toBe("verified");
    },
  );

  test.skipIf(missingTmpfs !== undefined)(
    "stay verified when an older one cannot be removed, and the log says so",
    async () => {
      the().advance(hourMs);
      const stored = await backupPlace();
      const { look, log } = scheduled(the(), stored, "one");
      await look();
      const [old = ""] = (await placedSets(stored.place)).names;
      const folder = join(stored.folder, "sets", old);
      const manifest = await readFile(join(folder, "manifest.json"));
      the().advance(3 * dayMs);
      {
        // A folder that is in use cannot be removed after its files.
        await using _mounted = await mountTmpfs(folder, 1024 * 1024);
        await writeFile(join(folder, "manifest.json"), manifest);
        await look();
      }
      expect(log).toMatchObject([{ event: "backup-failed", keepsBackup: true }]);
      expect(await stateOf(the())).toBe("verified");
      await look();
      expect((await placedSets(stored.place)).names.length).toBeGreaterThan(1);
    },
  );

  test("whose check was interrupted are checked by the next run, which finds damage", async () => {
    the().advance(hourMs);
    const stored = await backupPlace();
    await scheduled(the(), stored, "one", false).look();
    expect(await stateOf(the())).toBe("stored");
    const [database = ""] = (await namesOf(stored.place, "sets")).filter((name) =>
      name.includes("/database"),
    );
    await flipBit(stored.place, database);
    const { look, log } = scheduled(the(), stored, "two");
    await look();
    expect(await stateOf(the())).toBe("failed");
    expect((await placedSets(stored.place)).names).toHaveLength(1);
    expect(JSON.stringify(log)).toContain("its digest differs");
  });
});

describePlatform("a schedule without the private key of its backups", (the) => {
  test("whose backup lacks a file is degraded, and says how many it lacks", async () => {
    const { tenant } = the().workspaces;
    const headers = { "x-tenant-id": tenant };
    const plan = { name: "Plan", slug: "plan", properties: { file: { type: "file" } } };
    await the().as("tenant-builder").post("/v4/data/resources/object-types", plan, { headers });
    const path = `/v4/data/resources/${tenant}/plan`;
    const staff = the().as("tenant-staff");
    const made = await staff.post(path, { data: {} });
    const of = `${path}/${String(field(made.json, "id"))}/files/file?filename=plan.txt`;
    const content = { headers: { "content-type": "text/plain" }, rawBody: "The fence is gone." };
    expect((await staff.post(of, undefined, content)).status).toBe(201);
    const sha256 = new Bun.CryptoHasher("sha256").update(content.rawBody).digest("hex");
    const names = await readdir(the().dataDirectory, { recursive: true });
    const lost = join(the().dataDirectory, names.find((name) => name.endsWith(sha256)) ?? "");
    await rename(lost, `${lost}-away`);
    const { look, health, start } = scheduled(the(), await backupPlace(), "one", false);
    await look();
    start();
    const lacking = await health();
    await rename(`${lost}-away`, lost);
    expect(lacking).toMatchObject({
      status: "degraded",
      detail: expect.stringMatching(/lacks 1 file missing or damaged.*; the last backup is of/),
    });
    the().advance(hourMs);
    await look();
    expect(await health()).toMatchObject({ status: "ok" });
  });
});
