import { expect, test } from "vitest";
import { mkdir, readdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOldEntries } from "#local/configuration/old-entries.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

async function folderWithOld(): Promise<string> {
  const folder = await temporaryDirectory();
  const old = new Date(Date.now() - 25 * 3_600_000);
  await writeFile(join(folder, "new"), "");
  await writeFile(join(folder, "old"), "");
  await mkdir(join(folder, "old-folder"));
  for (const name of ["old", "old-folder"]) await utimes(join(folder, name), old, old);
  return folder;
}

test("old files are removed, and folders where they are meant too", async () => {
  const folder = await folderWithOld();
  await removeOldEntries(folder, Date.now(), { folders: false });
  expect((await readdir(folder)).toSorted()).toEqual(["new", "old-folder"]);
  await removeOldEntries(folder, Date.now(), { folders: true });
  expect(await readdir(folder)).toEqual(["new"]);
  await removeOldEntries(folder, Date.now() + 9, { folders: true, ageMs: 1 });
  expect(await readdir(folder)).toEqual([]);
});

test("a linked folder is not the client's, and a missing one is nothing", async () => {
  const folder = await folderWithOld();
  const link = join(await temporaryDirectory(), "link");
  await symlink(folder, link);
  await removeOldEntries(link, Date.now(), { folders: true });
  expect(await readdir(folder)).toHaveLength(3);
  await removeOldEntries(join(folder, "none"), Date.now(), { folders: true });
});
