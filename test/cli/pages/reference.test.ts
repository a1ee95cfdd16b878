import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePage } from "#cli/pages/reference.ts";
import { commandTable } from "#commands/registry.ts";
import { repository } from "../../architecture/source.ts";

test("docs/commands.md equals the output of `npm run reference`", async () => {
  const page = await Bun.file(join(repository, "docs/commands.md")).text();
  expect(page).toBe(referencePage(commandTable));
});

test.each(commandTable.commands)("svc $path has a section, and a link to it", ({ path }) => {
  const page = referencePage(commandTable);
  expect(page).toContain(`(#svc-${path.replaceAll(" ", "-")})`);
  expect(page).toContain(`\n### svc ${path}\n`);
});
