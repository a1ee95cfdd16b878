import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { galleryOf, kept } from "../../../scripts/screens/gallery.ts";

const repository = resolve(import.meta.dirname, "../../..");
const screens = join(repository, "docs/screens");
const mostBytes = 3 * 1024 * 1024;
const paletteKind = 3;

/** The paths of the pictures that a page shows. */
async function picturesOf(page: string): Promise<string[]> {
  const text = await readFile(page, "utf8");
  return [...text.matchAll(/!\[.*\]\(([^)]+)\)/g)].map(([, path = ""]) =>
    join(dirname(page), path),
  );
}

test("each picture of the pages exists, has a table of colours, and all of them are small", async () => {
  const pages = [join(repository, "README.md"), join(screens, "README.md")];
  const shown = new Set((await Promise.all(pages.map(picturesOf))).flat());
  const names = await readdir(screens, { recursive: true });
  const stored = names.filter((name) => name.endsWith(".png")).map((name) => join(screens, name));
  expect([...shown].toSorted()).toEqual(stored.toSorted());
  const files = await Promise.all(stored.map(async (path) => await readFile(path)));
  expect(files.filter((file) => file[25] !== paletteKind)).toEqual([]);
  expect(files.reduce((sum, file) => sum + file.length, 0)).toBeLessThan(mostBytes);
  expect((await stat(join(screens, "README.md"))).size).toBe(Buffer.byteLength(galleryOf(kept)));
});
