import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePage } from "#cli/pages/reference.ts";
import { printed } from "#commands/answers.ts";
import { loadSchemas } from "#commands/run.ts";
import { commandTable } from "#commands/registry.ts";
import { repository } from "../../architecture/source.ts";

const schemasOf = await loadSchemas();

test("docs/commands.md equals the output of `npm run reference`", async () => {
  const page = await Bun.file(join(repository, "docs/commands.md")).text();
  expect(page).toBe(referencePage(commandTable, schemasOf));
});

test.each(commandTable.commands)("svc $path has a section, and a link to it", ({ path }) => {
  const page = referencePage(commandTable, schemasOf);
  expect(page).toContain(`(#svc-${path.replaceAll(" ", "-")})`);
  expect(page).toContain(`\n### svc ${path}\n`);
});

test("each command that prints JSON has the members of its answer", () => {
  const page = referencePage(commandTable, schemasOf);
  const without = Object.entries(printed.answers).filter(([path, { output }]) => {
    const [, section = ""] = page.split(`### svc ${path}\n`);
    const [own = ""] = section.split("\n### ");
    // A command that refuses every call has no answer.
    const hasAnswer = output !== undefined && output["not"] === undefined;
    return hasAnswer && !/\| member \| type \| meaning \||^The answer is JSON: /m.test(own);
  });
  expect(without.map(([path]) => path)).toEqual([]);
  expect(page).toContain("| `items[].data` | object");
});
