import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { backupNames, type BackupManifest } from "#server/platform/backup/manifest.ts";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** A backup folder with one line in its list of files, and a matching manifest. */
async function backupWith(line: string): Promise<string> {
  const directory = await temporaryDirectory("backup");
  await mkdir(join(directory, backupNames.blobs));
  const sha256 = new Bun.CryptoHasher("sha256").update(`${line}\n`).digest("hex");
  const manifest: BackupManifest = {
    format: "svc-backup",
    formatVersion: 1,
    createdAt: "2026-11-21T09:30:00.000Z",
    svcVersion: "0.0.0",
    database: { engine: "postgresql" },
    files: { count: 1, bytes: 1, sha256 },
  };
  await Bun.write(join(directory, backupNames.manifest), JSON.stringify(manifest));
  await Bun.write(join(directory, backupNames.files), `${line}\n`);
  return directory;
}

const workspaceId = "0190a000-0000-7000-8000-000000000001";
const sha256 = "a".repeat(64);

test.each([
  ["a workspace that is a path", JSON.stringify({ workspaceId: "../../..", sha256, size: 1 })],
  ["a digest that is a path", JSON.stringify({ workspaceId, sha256: "../../x", size: 1 })],
  ["a line that is not JSON", "{"],
])("a backup whose list names %s is refused", async (_what, line) => {
  const input = await backupWith(line);
  const dataDirectory = await temporaryDirectory("restored");
  await expect(restoreBackup({ input, dataDirectory })).rejects.toMatchObject({
    code: "E305",
    message: expect.stringContaining("its list of files is invalid"),
  });
  expect(await readdir(dataDirectory)).toEqual([]);
});
