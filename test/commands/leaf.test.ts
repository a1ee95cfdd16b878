import { describe, expect, test } from "vitest";
import { leafCommand, leafPaths } from "#commands/leaf.ts";
import { commandTable } from "#commands/registry.ts";
import { platformDown, runCommand } from "./world.ts";

describe("a command that loads without the others", () => {
  test.each(leafPaths)("svc %s is the command of the table", async (path) => {
    const found = await leafCommand([...path.split(" "), "a", "b", "--format", "json"]);
    expect(found).toBeDefined();
    expect(found).toBe(commandTable.commands.find((each) => each.path === path));
  });

  test.each(["resources", "resources lists", "types get", "--simple resources get", "docs"])(
    "svc %s is none",
    async (words) => {
      expect(await leafCommand(words.split(" "))).toBeUndefined();
    },
  );

  test.each(["--help", "-h", "--describe", "--version", "-V"])(
    "with %s it is described as one of all commands",
    async (word) => {
      expect(await leafCommand(["resources", "get", word])).toBeUndefined();
    },
  );

  test.each([
    ["resources get", "E303: Required field missing: <type>", "svc resources get --help"],
    ["resources list tree --pgae 2", 'unknown option "--pgae"', "svc resources list --help"],
    ["docs get x y", 'unexpected argument "y"', "svc docs get --help"],
  ])("svc %s is refused in the usual words", async (words, error, help) => {
    const { exitCode, stderr } = await runCommand(words, { fetch: platformDown });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(error);
    expect(stderr).toContain(help);
  });
});
