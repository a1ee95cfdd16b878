import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  absolutePath,
  filesBelow,
  readFolder,
  splitTyped,
  startedAnew,
} from "#ui/kit/files/files.ts";
import { temporaryDirectory } from "../../../support/temporary.ts";

describe("files to pick", () => {
  it("understand what is typed", () => {
    expect(absolutePath("~/a", "/now", "/home/ada")).toBe("/home/ada/a");
    expect(absolutePath("b", "/now", "/home/ada")).toBe("/now/b");
    expect(splitTyped("/now/pl", "/x", "/h")).toEqual({ folder: "/now", prefix: "pl" });
    expect(splitTyped("/now/", "/x", "/h")).toEqual({ folder: "/now", prefix: "" });
    expect(splitTyped("/a", "/x", "/h")).toEqual({ folder: "/", prefix: "a" });
  });

  it("begin again where a whole path is typed or pasted after another", () => {
    expect(startedAnew("/now/plans.pdf")).toBe("/now/plans.pdf");
    expect(startedAnew("/now//tmp/a b.txt")).toBe("/tmp/a b.txt");
    expect(startedAnew("/now/~/a.txt")).toBe("~/a.txt");
    expect(startedAnew("/now/a~/b")).toBe("/now/a~/b");
    // Terminals write a file that is dropped on them like this.
    expect(startedAnew("/now/'/tmp/it'\\''s a plan.txt' ")).toBe("/tmp/it's a plan.txt");
    expect(startedAnew('"/tmp/a b.txt"')).toBe("/tmp/a b.txt");
  });

  it("list folders first, follow links, and leave out what is not a file", async () => {
    const directory = await temporaryDirectory("folder");
    await mkdir(join(directory, "zoo"));
    await writeFile(join(directory, "a.txt"), "abc");
    await symlink(join(directory, "a.txt"), join(directory, "link"));
    await symlink(join(directory, "gone"), join(directory, "dangling"));
    const folder = await readFolder(directory);
    expect(folder.entries.map(({ name, kind, size }) => [name, kind, size])).toEqual([
      ["zoo", "folder", undefined],
      ["a.txt", "file", 3],
      ["link", "file", 3],
    ]);
  });

  it("are those of a folder and its folders, up to a number, without hidden ones and links", async () => {
    const directory = await temporaryDirectory("tree");
    await mkdir(join(directory, "b"));
    await mkdir(join(directory, ".git"));
    await writeFile(join(directory, "b", "deep.txt"), "12345");
    await writeFile(join(directory, ".git", "config"), "x");
    await writeFile(join(directory, ".hidden"), "x");
    await writeFile(join(directory, "a.txt"), "abc");
    await symlink(join(directory, "b"), join(directory, "link"));
    const paths = [join(directory, "a.txt"), join(directory, "b", "deep.txt")];
    const tree = await filesBelow(directory, 10);
    expect(tree.files.map(({ path }) => path)).toEqual(paths);
    expect(tree).toMatchObject({ bytes: 8, cut: false });
    expect(await filesBelow(directory, 1)).toMatchObject({ bytes: 3, cut: true });
    await expect(filesBelow(join(directory, "gone"), 1)).rejects.toThrow(/ENOENT/);
  });
});
