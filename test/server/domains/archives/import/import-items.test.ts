import { expect, test } from "vitest";
import { archiveBytes, type ArchivedItem } from "#lib/archive/write-archive.ts";
import { importItems } from "#server/domains/archives/import/import-items.ts";

/** The items that an import takes from an archive of one entry. */
async function itemsOf(lines: readonly string[]) {
  async function* items(): AsyncGenerator<ArchivedItem> {
    yield { kind: "rows", part: "roles", lines };
  }
  return Array.fromAsync(importItems(archiveBytes(items(), (written) => written)));
}

test("an entry with very many lines comes as items of a bounded number", async () => {
  const items = await itemsOf(Array.from({ length: 25_000 }, () => "{}"));
  const counts = items.map((item) => (item.kind === "rows" ? item.lines.length : 0));
  expect(Math.max(...counts)).toBe(1_000);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(25_000);
});

test("long lines come in items of a bounded size, whole and in their order", async () => {
  const lines = Array.from({ length: 12 }, (_, at) => `{"é":"${"é".repeat(999_983)}${at}"}`);
  const items = await itemsOf(lines);
  const found = items.map((item) => (item.kind === "rows" ? item.lines : []));
  expect(found.flat()).toEqual(lines);
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThan(6);
});

test("empty lines are no lines", async () => {
  expect(await itemsOf(["", "{}", "", ""])).toMatchObject([{ part: "roles", lines: ["{}"] }]);
});
