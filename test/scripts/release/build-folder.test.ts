import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { withBuildFolder } from "../../../scripts/release/build-folder.ts";

async function checkout(name: string): Promise<string> {
  const folder = await temporaryDirectory(name);
  await mkdir(join(folder, "src"));
  await writeFile(join(folder, "src/main.ts"), "export {};");
  return folder;
}

test("two checkouts are compiled at one path, which is free afterwards", async () => {
  const folder = join(await temporaryDirectory("build"), "copy");
  const seen: string[][] = [];
  for (const from of [await checkout("one"), await checkout("another-name")]) {
    await withBuildFolder(
      async (built) => {
        expect(built).toBe(folder);
        seen.push(await readdir(join(built, "src")));
      },
      { from, folder },
    );
    await expect(readdir(folder)).rejects.toThrow("ENOENT");
  }
  expect(seen).toEqual([["main.ts"], ["main.ts"]]);
});

test("a second release at the same time is refused", async () => {
  const from = await checkout("two");
  const folder = join(await temporaryDirectory("build"), "copy");
  await withBuildFolder(
    async () => {
      await expect(withBuildFolder(() => Promise.resolve(), { from, folder })).rejects.toThrow(
        `${folder} exists: wait for the other release`,
      );
    },
    { from, folder },
  );
});
