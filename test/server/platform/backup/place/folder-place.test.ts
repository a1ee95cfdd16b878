import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFolderPlace, removeUnfinished } from "#server/platform/backup/place/folder-place.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { namesOf } from "../stored-backups.ts";

test("an object exists whole or not at all, and its folder goes with the last one", async () => {
  const folder = await temporaryDirectory("place");
  const place = openFolderPlace(folder);
  await place.put("sets/one/a.1", Buffer.from("a"));
  await place.put("sets/one/b.1", Buffer.from("b"));
  await writeFile(join(folder, "sets/one/c.1.x.unfinished"), "half");
  expect(await namesOf(place, "sets")).toEqual(["sets/one/a.1", "sets/one/b.1"]);
  expect(await place.read("sets/one/c.1")).toBeUndefined();
  await removeUnfinished(folder);
  for (const name of ["a.1", "b.1", "b.1"]) await place.remove(`sets/one/${name}`);
  expect(await readdir(join(folder, "sets"))).toEqual([]);
});

test("a place that can't be written says so", async () => {
  const folder = await temporaryDirectory("place");
  await mkdir(join(folder, "sets"));
  await writeFile(join(folder, "sets/one"), "a file");
  const place = openFolderPlace(folder);
  await expect(place.put("sets/one/a.1", Buffer.from("a"))).rejects.toThrow("Could not");
  // A file as the place is not a place without backups.
  await expect(namesOf(openFolderPlace(join(folder, "sets/one")), "")).rejects.toThrow("ENOTDIR");
});
