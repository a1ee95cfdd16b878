import { expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestFile, readBackupManifest, refuseBackup } from "#server/platform/backup/manifest.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const manifest = {
  format: "svc-backup",
  formatVersion: 1,
  createdAt: "2026",
  svcVersion: "1.0.0",
  database: { engine: "postgresql" },
  files: { count: 0, bytes: 0, sha256: "x" },
};

async function folderWith(text: string | undefined): Promise<string> {
  const folder = await temporaryDirectory();
  if (text !== undefined) await writeFile(join(folder, "manifest.json"), text);
  return folder;
}

test("a manifest is read, and a folder with one is no data directory", async () => {
  const folder = await folderWith(JSON.stringify(manifest));
  expect(await readBackupManifest(folder)).toEqual(manifest);
  expect(() => refuseBackup(folder)).toThrow("opening it would damage the backup");
});

test.each([
  [undefined, "E202", /not found/],
  ["{", "E305", /its manifest is not JSON/],
  [JSON.stringify({ ...manifest, formatVersion: 2 }), "E305", /does not know the format/],
])("the manifest %s is refused with %s", async (text, code, message) => {
  const folder = await folderWith(text);
  await expect(readBackupManifest(folder)).rejects.toMatchObject({
    code,
    message: expect.stringMatching(message),
  });
});

test("other folders may be opened", async () => {
  refuseBackup(await folderWith(undefined));
  refuseBackup(await folderWith('{"format":"other"}'));
  refuseBackup(await folderWith(`{"format":"svc-backup","x":"${"y".repeat(70_000)}"}`));
  const folder = await folderWith("abc");
  expect(await digestFile(join(folder, "manifest.json"))).toMatchObject({
    size: 3,
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  });
});
