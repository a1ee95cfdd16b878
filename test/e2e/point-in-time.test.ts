import { join } from "node:path";
import { expect, test } from "vitest";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import { placedLog } from "#server/platform/backup/log/placed-log.ts";
import { openFolderPlace } from "#server/platform/backup/place/folder-place.ts";
import { placedSets } from "#server/platform/backup/sets/backup-set.ts";
import { DrillSession } from "#test/support/drills/session.ts";
import { eventually } from "#test/support/eventually.ts";
import { startPlatform, svc } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const drawing = "A drawing.\n".repeat(10_000);

test("a platform that is killed twice can be restored at any moment, with one backup", async () => {
  const to = join(await temporaryDirectory("backups"), "place");
  const key = join(await temporaryDirectory("backup-keys"), "backup.key");
  const dataDir = await temporaryDirectory("shipped");
  const place = openFolderPlace(to);
  const start = () =>
    startPlatform({
      dataDir,
      args: ["--threads=1", `--backup-to=${to}`, `--backup-key-file=${key}`],
    });
  const shippedSince = (ms: number) =>
    eventually(async () => {
      expect((await placedLog(place)).pieces.at(-1)?.until ?? 0).toBeGreaterThan(ms);
    });
  const restored = async (words: readonly string[]) => {
    const target = await temporaryDirectory("restored");
    const given = [`--from=${to}`, `--backup-key-file=${key}`, `--data-dir=${target}`];
    const run = await svc(["serve", "restore", ...given, ...words, "--format=json"]);
    expect(run.stderr + run.stdout).toContain("dataDir");
    const { state, lost } = JSON.parse(run.stdout) as {
      state: { at: string; isCertain: boolean };
      lost: number;
    };
    const database = new SqliteConnection(join(target, "svc.db"), { readonly: true });
    const { rows } = database.run("select json(data) as data from resources", []);
    const uploaded = database.run("select workspace_id, sha256 from documents", []).rows;
    database.close();
    const blobs = createDiskBlobStore(join(target, "blobs"));
    const files = await Promise.all(
      uploaded.map(async ({ workspace_id, sha256 }) => {
        const address = { workspaceId: String(workspace_id), sha256: String(sha256) };
        return Bun.readableStreamToText(
          (await blobs.open(address))?.stream() ?? new Blob().stream(),
        );
      }),
    );
    return { state, lost, files, text: JSON.stringify(rows.map(({ data }) => String(data))) };
  };

  let platform = await start();
  let session = await DrillSession.create(platform);
  const write = (marker: string) => session.expect(201, "POST", "", { marker });
  await eventually(async () => {
    expect((await placedSets(place)).names).toHaveLength(1);
  });
  await write("first-note");
  const application = await session.makeApplication();
  // Uploaded after the only backup: the bytes must come with the piece that names them.
  expect(await session.upload(application, drawing)).toMatchObject({ status: 202 });
  const firstMs = Date.now();
  await shippedSince(firstMs);
  const wish = new Date();
  await Bun.sleep(10);
  // Nothing of it is copied yet: the next process finds it in the log.
  await write("second-note");
  await platform.kill();

  platform = await start();
  session = session.at(platform);
  await write("third-note");
  await shippedSince(Date.now());
  await platform.kill();
  expect((await placedSets(place)).names).toHaveLength(1);

  const [early, late] = [await restored([`--at=${wish.toISOString()}`]), await restored([])];
  expect(early.text).toContain("first-note");
  expect([early.files, early.lost, late.files, late.lost]).toEqual([[drawing], 0, [drawing], 0]);
  expect(early.text).not.toContain("second-note");
  expect(early.state.isCertain).toBe(true);
  expect(Math.abs(Date.parse(early.state.at) - wish.getTime())).toBeLessThan(10_000);
  for (const marker of ["first-note", "second-note", "third-note"]) {
    expect(late.text).toContain(marker);
  }
}, 60_000);
