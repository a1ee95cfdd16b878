import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePage } from "#cli/reference.ts";
import { commandTable } from "#commands/registry.ts";
import { repository } from "../architecture/source.ts";

test("docs/commands.md equals the output of `npm run reference`", async () => {
  const page = await Bun.file(join(repository, "docs/commands.md")).text();
  expect(page).toBe(referencePage(commandTable));
});

test("every command has a section, and a link to it in the list", () => {
  const page = referencePage(commandTable);
  for (const { path } of commandTable.commands) {
    expect(page).toContain(`(#svc-${path.replaceAll(" ", "-")})`);
    expect(page).toContain(`\n### svc ${path}\n`);
  }
});
