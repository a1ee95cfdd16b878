import { expect, test } from "vitest";
import type { CommandTable } from "#cli/command.ts";
import { findCommand, unknownCommand, unknownGroupOption } from "#cli/input/find.ts";

const simple = (path: string, options = {}) => ({ path, summary: path, arguments: [], options });
const table: CommandTable = {
  groups: [{ path: "workspace", summary: "Workspaces", oldNames: ["tenant"] }],
  commands: [
    simple("serve", { "data-dir": { type: "string", description: "" } }),
    simple("serve backup"),
    simple("workspace list", { all: { type: "boolean", description: "" } }),
    simple("workspace delete"),
  ],
};

test.each<[string, string | undefined, string | undefined, readonly string[]]>([
  ["workspace list --all", "workspace list", undefined, ["--all"]],
  ["--profile x workspace list", "workspace list", undefined, ["--profile", "x"]],
  ["serve backup", "serve backup", undefined, []],
  ["serve --data-dir backup", "serve", undefined, ["--data-dir", "backup"]],
  ["serve other", "serve", undefined, ["other"]],
  ["workspace", undefined, "workspace", []],
  ["serve -- backup", "serve", undefined, ["--", "backup"]],
])("%s", (words, path, group, rest) => {
  const found = findCommand(table, words.split(" "));
  expect([found.command?.path, found.group, found.rest]).toEqual([path, group, rest]);
});

test("the old name of a group is its deprecated name", () => {
  const found = findCommand(table, ["tenant", "list"]);
  expect([found.command?.path, found.oldName]).toEqual(["workspace list", "tenant"]);
});

test("an option that no command of a group has is found", () => {
  expect(unknownGroupOption(table, "workspace", ["--all", "--profile", "x"])).toBe(undefined);
  expect(unknownGroupOption(table, "workspace", ["--al=1"])).toBe("--al");
  expect(unknownGroupOption(table, "workspace", ["-x"])).toBe("-x");
});

test("an unknown command names the nearest one", () => {
  expect(unknownCommand(table, "workspace", ["lst"])).toMatchObject({
    exitCode: 2,
    hint: "Did you mean `svc workspace list`?",
  });
  expect(unknownCommand(table, undefined, ["qqq"]).hint).toBe("Run `svc --help` for the commands");
});
