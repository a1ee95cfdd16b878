import { expect, test } from "vitest";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  removeAbandonedFolders,
  removeUnfinished,
  unfinishedName,
} from "#lib/files/abandoned-folders.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("only old folders with the prefix are removed", async () => {
  const parent = await temporaryDirectory();
  const old = new Date(Date.now() - 8 * 86_400_000);
  for (const name of ["svc-edit-old", "svc-edit-new", "other-old"]) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, "record.json"), "{}");
    if (name.endsWith("old")) await utimes(join(parent, name), old, old);
  }
  await writeFile(join(parent, "svc-edit-file"), "");
  await utimes(join(parent, "svc-edit-file"), old, old);
  await removeAbandonedFolders(parent, "svc-edit-");
  expect((await readdir(parent)).toSorted()).toEqual([
    "other-old",
    "svc-edit-file",
    "svc-edit-new",
  ]);
  await removeAbandonedFolders(parent, "svc-edit-", -1);
  expect(await readdir(parent)).not.toContain("svc-edit-new");
  await removeAbandonedFolders(join(parent, "none"), "svc-edit-");
});

test("unfinished work of a writer that has ended is removed, and so is old work", async () => {
  const parent = await temporaryDirectory();
  const old = new Date(Date.now() - 2 * 86_400_000);
  const uuid = crypto.randomUUID();
  const earlierStart = `monday.partial-${"0".repeat(16)}.7.7-${uuid}`;
  const unmarked = `tuesday.partial-${uuid}`;
  const names = [
    await unfinishedName("own.partial-"),
    earlierStart,
    unmarked,
    `written-${unmarked}`,
    "plans.partial-1",
  ];
  for (const name of names) {
    const folder = join(parent, name, "files");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "one"), "");
    const isWritten = name.startsWith("written") || name.startsWith("own");
    for (const path of [join(folder, "one"), folder, join(parent, name)]) {
      if (!isWritten || !path.endsWith("one")) await utimes(path, old, old);
    }
  }
  await removeUnfinished(parent, ".partial-");
  const left = names.filter((name) => name !== earlierStart && name !== unmarked);
  expect((await readdir(parent)).toSorted()).toEqual(left.toSorted());
});
