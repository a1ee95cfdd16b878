import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePage } from "#cli/reference.ts";
import { commandTable } from "#commands/registry.ts";
import { repository } from "../architecture/source.ts";

test("docs/commands.md is what `npm run reference` would write", async () => {
  const page = await Bun.file(join(repository, "docs/commands.md")).text();
  expect(page).toBe(referencePage(commandTable));
});

test("every command has a section that its line in the list leads to", () => {
  const page = referencePage(commandTable);
  for (const { path } of commandTable.commands) {
    expect(page).toContain(`(#svc-${path.replaceAll(" ", "-")})`);
    expect(page).toContain(`\n### svc ${path}\n`);
  }
});
