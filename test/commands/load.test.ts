import { describe, expect, test } from "vitest";
import { commandHelp } from "#cli/pages/help.ts";
import { commandFiles } from "#commands/command-files.ts";
import { byHelp } from "#commands/groups.ts";
import { everyCommand, loadCommand, plainPath } from "#commands/load.ts";
import { commandTable } from "#commands/registry.ts";
import { commandFilesText } from "../../scripts/build/command-files.ts";
import { repository } from "../architecture/source.ts";
import { platformDown, runCommand } from "./world.ts";

describe("the list of commands", () => {
  test("is what `npm run reference` writes", async () => {
    const text = await Bun.file(`${repository}/src/commands/command-files.ts`).text();
    expect(text).toBe(await commandFilesText());
  });

  test("has each command at the path that its file has", async () => {
    const paths = (await everyCommand()).map(({ path }) => path);
    expect(paths).toEqual(Object.keys(commandFiles));
    expect(commandTable.commands.map(({ path }) => path)).toEqual(paths.toSorted(byHelp));
  });

  test("has each answer where `--format` is taken, and only there", async () => {
    const odd = (await everyCommand()).filter(({ answer, answerLine, formats }) => {
      const given = [answer, answerLine].filter((each) => each !== undefined).length;
      return given !== (formats === false ? 0 : 1);
    });
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});

test("each first words of a command are a group or a command, which have a help page", () => {
  const known = new Set([
    ...Object.keys(commandFiles),
    ...commandTable.groups.map(({ path }) => path),
  ]);
  const firstWords = Object.keys(commandFiles).flatMap((path) => {
    const words = path.split(" ");
    return words.slice(1).map((_, index) => words.slice(0, index + 1).join(" "));
  });
  expect(firstWords.filter((path) => !known.has(path))).toEqual([]);
});

describe("the order of the help", () => {
  test.each([
    ["login", "workspace list"],
    ["serve", "serve token"],
    ["user role delete", "user rules"],
    ["chat delete", "app list"],
  ])("svc %s comes before svc %s", (first, second) => {
    expect(byHelp(first, second)).toBeLessThan(0);
    expect(byHelp(second, first)).toBeGreaterThan(0);
  });

  test("has a word that no order names after the others, by its name", () => {
    const paths = ["user zoom", "user ask", "user can", "zebra", "man"];
    expect(paths.toSorted(byHelp)).toEqual(["user can", "user ask", "user zoom", "man", "zebra"]);
  });
});

describe("a command that loads without the others", () => {
  test.each(["resources get", "user role set", "login", "account factors list"])(
    "svc %s is the command of the table",
    async (path) => {
      const argv = [...path.split(" "), "a", "b", "--format", "json"];
      expect(plainPath(argv)).toBe(path);
      expect((await loadCommand(path)).path).toBe(path);
    },
  );

  test.each(["resources", "resources lists", "types gets", "--simple resources get", "docs", ""])(
    "svc %s is none",
    (words) => {
      expect(plainPath(words.split(" "))).toBeUndefined();
    },
  );

  test.each(["chat", "serve", "verify", "serve --data-dir backup", "chat send"])(
    "svc %s is one only if no command goes on after its words",
    (words) => {
      expect(plainPath(words.split(" "))).toBe(words === "chat send" ? words : undefined);
    },
  );

  test.each(["--help", "-h"])("with %s it shows the page of the table's command", async (word) => {
    expect(plainPath(["resources", "get", word])).toBe("resources get");
    const { exitCode, stdout } = await runCommand(`resources get ${word}`, { fetch: platformDown });
    const ofTable = commandTable.commands.find(({ path }) => path === "resources get");
    if (ofTable === undefined) throw new Error("the table has no such command");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`${commandHelp(ofTable, 80)}\n`);
  });

  test.each(["--describe", "--version", "-V"])(
    "with %s it is described as one of all commands",
    (word) => {
      expect(plainPath(["resources", "get", word])).toBeUndefined();
    },
  );

  test.each([
    ["resources get", "E303: Required field missing: <type>", "svc resources get --help"],
    ["resources list tree --pgae 2", 'unknown option "--pgae"', "svc resources list --help"],
    ["docs get x y", 'unexpected argument "y"', "svc docs get --help"],
    ["user remove", "E303: Required field missing: <member>", "svc user remove --help"],
  ])("svc %s is refused in the usual words", async (words, error, help) => {
    const { exitCode, stderr } = await runCommand(words, { fetch: platformDown });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(error);
    expect(stderr).toContain(help);
  });
});
