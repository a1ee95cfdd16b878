import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { writeExtras } from "../../scripts/extras.ts";

test("completions and manual pages are written, the same each time", async () => {
  const [one, two] = [await temporaryDirectory("extras"), await temporaryDirectory("extras")];
  const paths = await writeExtras(one);
  expect(await writeExtras(two)).toEqual(paths);
  expect(await readdir(join(one, "completions"))).toEqual(
    expect.arrayContaining(["_svc", "svc.bash", "svc.fish", "svc.ps1"]),
  );
  expect(await readdir(join(one, "man/man1"))).toHaveLength(commandTable.commands.length + 1);
  for (const path of paths) {
    const text = await Bun.file(join(one, path)).text();
    expect(text.length).toBeGreaterThan(100);
    expect(await Bun.file(join(two, path)).text()).toBe(text);
  }
});
