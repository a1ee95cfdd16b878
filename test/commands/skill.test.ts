import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "./world.ts";

test("svc skill writes a file, renews its own one, and keeps that of another", async () => {
  const currentDirectory = await temporaryDirectory("skill");
  const file = join(currentDirectory, "SKILL.md");
  const first = await runCommand("skill", { currentDirectory });
  expect({ exitCode: first.exitCode, stderr: first.stderr.trim() }).toEqual({
    exitCode: 0,
    stderr: "Wrote SKILL.md",
  });
  const page = await Bun.file(file).text();
  expect(await runCommand("skill", { currentDirectory })).toMatchObject({ exitCode: 0 });

  await Bun.write(file, "mine");
  const refused = await runCommand("skill", { currentDirectory });
  expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("--force") });
  expect(await Bun.file(file).text()).toBe("mine");
  expect(await runCommand("skill --force", { currentDirectory })).toMatchObject({ exitCode: 0 });
  expect(await Bun.file(file).text()).toBe(page);

  const printed = await runCommand("skill --output -", { currentDirectory });
  expect(`${printed.stdout}`).toBe(page);
});
