import { join } from "node:path";
import { copyFile, readdir, rm } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import { raw, statement } from "#server/database/statement.ts";
import { storeErasures } from "#server/platform/backup/sets/later-erasures.ts";
import { settleOther } from "#server/platform/backup/sets/settle-other.ts";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { filesHeldSince } from "#server/platform/backup/settle-restored.ts";
import { createTestPlatform, describePlatform, type TestPlatform } from "#test/support/platform.ts";
import { createTestDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { addNote, addPlan, fill, found, notes } from "../../move/moved-platforms.ts";
import { backupPlace, flipBit, namesOf, restoreOf, takeOf } from "../stored-backups.ts";

/** Starts a platform on restored data. */
async function startRestored(
  original: TestPlatform,
  dataDirectory: string,
  databaseUrl: string | undefined,
): Promise<TestPlatform> {
  await copyFile(join(original.dataDirectory, "svc.key"), join(dataDirectory, "svc.key"));
  const path = join(dataDirectory, "svc.db");
  const { workspaces, users } = original;
  const engine = databaseUrl === undefined ? "sqlite" : "postgresql";
  const the = await createTestPlatform({
    database: { engine, url: databaseUrl ?? `sqlite:${path}`, path, drop: async () => {} },
    residents: { workspaces, users },
    options: { dataDirectory },
  });
  onTestFinished(() => the.close());
  return the;
}

const epoch = (the: TestPlatform) =>
  the.platform.platformWork("a test").read.first(raw("select epoch from feed_epochs"));

describePlatform("the restore of a backup of a place", (the) => {
  /** Rows of PostgreSQL go into a new database of the server. */
  async function target(): Promise<string | undefined> {
    if (the().engine === "sqlite") return undefined;
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    return database.url;
  }

  test("gives the records and files, drops what waits, and erases what was erased later", async () => {
    const stored = await backupPlace();
    await fill(the());
    const plan = await addPlan(the(), await addNote(the(), 1_000));
    const gone = await addNote(the(), 1_001);
    const { tenant } = the().workspaces;
    const work = the().platform.platformWork("a test");
    await work.write((tx) =>
      tx.run(statement`insert into webhook_deliveries (workspace_id, endpoint_id, id, place, origin,
          event_id, event_type, event, state, attempts, created_at)
        values (${tenant}, 'none', 'waits', 1, 'change', 'e', 't', '{}', 'pending', 0, '2026')`),
    );
    await takeOf(the(), stored);
    const path = `${notes(the())}/${gone}?permanent=true`;
    expect((await the().as("tenant-admin").delete(path)).status).toBe(204);
    const at = the().now();
    const id = { kind: "record" as const, workspaceId: tenant, id: gone, at: at.toISOString() };
    await storeErasures(stored.objects, [id], at);

    const databaseUrl = await target();
    const restored = await restoreOf(stored, { databaseUrl });
    expect(restored).toMatchObject({ erasures: 1, lost: 0, settled: { deliveries: 1 } });
    // Another program restores no files, and drops nothing.
    const { dataDirectory: folder } = restored;
    await rm(join(folder, "blobs"), { recursive: true });
    const again = { objects: stored.objects, dataDirectory: folder, databaseUrl };
    expect(await settleOther(again)).toMatchObject({ lost: 0, settled: { deliveries: 0 } });
    const started = await startRestored(the(), restored.dataDirectory, databaseUrl);
    await started.platform.services.erasures.idle();
    expect((await started.as("tenant-viewer").get(plan)).text).toBe("A plan.");
    expect(await found(started, "late")).toBe(1);
    expect((await started.as("tenant-admin").get(`${notes(started)}/${gone}`)).status).toBe(404);
    const delivery = await started.platform
      .platformWork("a test")
      .read.first(raw("select state, next_at from webhook_deliveries"));
    expect(delivery).toMatchObject({ state: "failed", next_at: null });
    expect(await epoch(started)).not.toEqual(await epoch(the()));
    const { read } = started.platform.platformWork("a test");
    expect(await filesHeldSince(read)).toBeDefined();
    const health = await started.as("nobody").get("/v4/data/resources/health");
    expect(health.text).toContain("no file is removed");
    const { dataDirectory, databaseUrl: url } = started;
    await diagnose({ dataDirectory, databaseUrl: url, fix: false, withDigests: true });
    expect(await filesHeldSince(read)).toBeUndefined();
  });

  test("of a damaged backup, or of none, leaves the directory empty", async () => {
    const stored = await backupPlace();
    const dataDirectory = await temporaryDirectory("restored");
    // Each attempt needs the database of the one before to be as empty as the directory.
    const databaseUrl = await target();
    const restore = async () => restoreOf(stored, { dataDirectory, databaseUrl });
    await expect(restore()).rejects.toMatchObject({ code: "E202" });
    await takeOf(the(), stored);
    for (const object of await namesOf(stored.place, "sets")) {
      const whole = (await stored.place.read(object)) ?? new Uint8Array();
      await flipBit(stored.place, object);
      await expect(restore()).rejects.toMatchObject({ code: "E305" });
      expect(await readdir(dataDirectory)).toEqual([]);
      await stored.place.put(object, whole);
    }
  });

  test("at a time takes the newest backup before it", async () => {
    const stored = await backupPlace();
    const first = await takeOf(the(), stored);
    the().advance(60_000);
    const second = await takeOf(the(), stored);
    const at = new Date(Date.parse(second.createdAt) - 1);
    const databaseUrl = await target();
    const early = restoreOf(stored, { at: new Date(0), databaseUrl });
    await expect(early).rejects.toMatchObject({ code: "E202" });
    const restored = await restoreOf(stored, { at, databaseUrl });
    expect(restored.manifest.name).toBe(first.name);
    // A backup that reads the database seconds after its start may have later writes.
    let waitMs = 0;
    const third = await takeOf(
      the(),
      stored,
      () => new Date(the().now().getTime() + waitMs++ * 2_000),
    );
    const between = new Date(Date.parse(third.createdAt) + 1_000);
    const other = await restoreOf(stored, { at: between, databaseUrl: await target() });
    expect(other.manifest.name).toBe(second.name);
  });
});
