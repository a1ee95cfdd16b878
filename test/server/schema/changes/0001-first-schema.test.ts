import { expect, test } from "vitest";
import { render, type Dialect } from "#server/database/statement.ts";
import { migration } from "#server/schema/changes/0001-first-schema.ts";

test.each<[Dialect, string]>([
  ["sqlite", "d0e187807e17d47c6272c904180f1350dbd52753bc453f8c95c3f33f7fa1bd8f"],
  ["postgresql", "50ff262990f8351791ce1c086955b85eaaaff9bac6c52e9b52eac61deb2d19e9"],
])("the first schema never changes on %s: later ones follow it", async (dialect, digest) => {
  const texts: string[] = [];
  await migration.up({
    dialect,
    async run(each) {
      texts.push(render(each, dialect).text.replaceAll(/\s+/g, " ").trim());
    },
    all: () => Promise.resolve([]),
  });
  expect(Bun.SHA256.hash(texts.join(";\n"), "hex")).toBe(digest);
});
