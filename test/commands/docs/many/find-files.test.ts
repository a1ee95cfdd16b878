import { expect, test } from "vitest";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFiles, isOneFile } from "#commands/docs/many/find-files.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

async function project() {
  const folder = await temporaryDirectory();
  await mkdir(join(folder, "plans/old"), { recursive: true });
  for (const path of ["plans/b.pdf", "plans/a.pdf", "plans/.hidden", "plans/old/c.pdf"]) {
    await writeFile(join(folder, path), path);
  }
  await symlink(join(folder, "plans/a.pdf"), join(folder, "plans/link.pdf"));
  const { signal } = new AbortController();
  return {
    environment: { currentDirectory: folder },
    resolvePath: (path: string) => join(folder, path),
    signal,
  } as never;
}

test("folders and globs give their files in order, without hidden ones and links", async () => {
  const context = await project();
  const shown = async (...paths: string[]) =>
    (await findFiles(context, paths)).map((file) => file.shown);
  expect(await shown("plans")).toEqual(["plans/a.pdf", "plans/b.pdf", "plans/old/c.pdf"]);
  expect(await shown("plans/*.pdf", "plans/a.pdf")).toEqual(["plans/a.pdf", "plans/b.pdf"]);
  expect(await shown("plans/link.pdf")).toEqual(["plans/link.pdf"]);
});

test("a path without files is refused", async () => {
  const context = await project();
  for (const [path, words] of [
    ["none.pdf", "none.pdf does not exist"],
    ["*.txt", "*.txt names no files"],
    ["", "the path of the file is empty"],
  ] as const) {
    await expect(findFiles(context, [path])).rejects.toThrow(words);
  }
});

test("one file differs from a folder, a glob and several", async () => {
  const context = await project();
  const cases = [["plans/a.pdf"], ["none.pdf"], ["plans"], ["*.pdf"], ["a", "b"]];
  expect(await Promise.all(cases.map((paths) => isOneFile(context, paths)))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
