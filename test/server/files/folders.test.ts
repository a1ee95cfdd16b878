import { expect, test } from "vitest";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isCode, makeFolder, namesIn } from "#server/files/folders.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a folder is made with its parents, for its owner only", async () => {
  const root = await temporaryDirectory();
  const path = join(root, "a/b/c");
  await makeFolder(path);
  await makeFolder(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  expect(await namesIn(join(root, "a"))).toEqual(["b"]);
});

test("a missing folder has no names, and a file in the way is a fault of the storage", async () => {
  const root = await temporaryDirectory();
  await writeFile(join(root, "file"), "");
  expect(await namesIn(join(root, "none"))).toEqual([]);
  expect(await namesIn(join(root, "file"))).toEqual([]);
  await expect(makeFolder(join(root, "file/x"))).rejects.toThrow("make a folder");
  const error = Object.assign(new Error("x"), { code: "ENOENT" });
  expect([isCode(error, "EIO", "ENOENT"), isCode(error, "EIO"), isCode("x", "x")]).toEqual([
    true,
    false,
    false,
  ]);
});
