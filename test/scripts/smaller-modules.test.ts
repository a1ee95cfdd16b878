import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  laterSegmenters,
  rarelyUsedImport,
  rarelyUsedIn,
} from "../../scripts/build/smaller-modules.ts";

const repository = resolve(import.meta.dirname, "../..");
test("each file that imports a rarely used module of the runtime is known to the build", async () => {
  const paths = ["src/**/*.ts", "ui/**/*.{ts,tsx}"].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync({ cwd: repository }),
  ]);
  const found = await Promise.all(
    paths.map(async (path) => {
      const text = await Bun.file(join(repository, path)).text();
      return [...text.matchAll(rarelyUsedImport)].length > 0 ? path : undefined;
    }),
  );
  const importing = found.filter((path) => path !== undefined);
  expect(importing.length).toBeGreaterThan(2);
  expect(importing.filter((path) => !rarelyUsedIn.test(`/${path}`))).toEqual([]);
});

test("a segmenter of a library is made at its first use", () => {
  const made = laterSegmenters('const one = new Intl.Segmenter("en", { granularity: "word" });');
  expect(made).toBe(
    "const one = { own: undefined, segment(text) { return " +
      '(this.own ??= new Intl.Segmenter("en", { granularity: "word" })).segment(text); } };',
  );
});
