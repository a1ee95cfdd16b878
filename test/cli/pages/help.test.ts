import { expect, test } from "vitest";
import type { CommandFacts } from "#cli/command.ts";
import {
  argumentWords,
  commandHelp,
  firstClause,
  optionName,
  optionWords,
  tableHelp,
} from "#cli/pages/help.ts";

test.each([
  [{ name: "id", description: "" }, "<id>"],
  [{ name: "id", description: "", optional: true as const }, "[id]"],
  [{ name: "files", description: "", variadic: true as const }, "<files...>"],
])("the argument %j is %s", (argument, words) => {
  expect(argumentWords(argument)).toBe(words);
});

test.each([
  ["version", { type: "boolean", short: "V", description: "" }, "-V, --version"],
  ["wait", { type: "boolean", negatable: true, description: "" }, "--[no-]wait"],
  ["limit", { type: "number", minimum: 1, maximum: 2, description: "" }, "--limit <number>"],
  ["role", { type: "string", values: ["a", "b"], description: "" }, "--role <a|b>"],
  ["name", { type: "string", placeholder: "text", description: "" }, "--name <text>"],
] as const)("the option %s is named", (name, option, words) => {
  expect(optionName(name, option)).toBe(words);
});

test("an option's notes are in one pair of parentheses", () => {
  expect(
    optionWords({ type: "number", minimum: 1, maximum: 9, default: 5, description: "Size" }),
  ).toBe("Size (1 to 9; default 5)");
  const option = { type: "string", repeatable: true, needs: "all", aliases: ["x"] } as const;
  expect(optionWords({ ...option, description: "Name" })).toBe(
    "Name (repeatable; with --all; also --x)",
  );
  expect(optionWords({ type: "boolean", description: "Plain" })).toBe("Plain");
});

test("the first clause of a summary is short", () => {
  expect(firstClause("Lists records, newest first")).toBe("Lists records");
  expect(firstClause("Shows 1,000 rows")).toBe("Shows 1,000 rows");
});

const remove: CommandFacts = {
  path: "user remove",
  summary: "Removes a member",
  arguments: [],
  options: { email: { type: "string", description: "Address" } },
  examples: ["svc user remove --email a@b.test"],
};

test("help has usage, options and examples", () => {
  const text = commandHelp(remove, 80);
  expect(text).toContain("Usage: svc user remove [options]");
  expect(text).toMatch(/^ {2}--email <email> +Address$/m);
  expect(text).toContain("Examples:\n  svc user remove --email a@b.test");
});

test("the table of a group has its commands, and the root one row for each word", () => {
  const table = {
    groups: [{ path: "user", summary: "Manage members" }],
    commands: [remove, { ...remove, path: "user list", summary: "Lists members" }],
  };
  expect(tableHelp(table, undefined, 80)).toMatch(/^ {2}user +Manage members$/m);
  const group = tableHelp(table, "user", 80);
  expect(group).toMatch(/^ {2}user list +Lists members$/m);
  expect(group).not.toContain("screen readers");
});
