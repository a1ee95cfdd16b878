import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { findCommand } from "#cli/input/find.ts";
import { parseInvocation } from "#cli/input/parse.ts";
import { skillPage, skillTasks } from "#cli/pages/skill.ts";
import { commandTable } from "#commands/registry.ts";
import { runCommand } from "../../commands/world.ts";

test("the skill has every command in at most 5,000 tokens", () => {
  const page = skillPage(commandTable, "1.2.3");
  expect(countTokens(page)).toBeLessThan(5_000);
  expect(page).toMatch(/^---\nname: svc\ndescription: .{50,1000}\n---\n/);
  for (const { path } of commandTable.commands) {
    expect(page, path).toMatch(new RegExp(`^- \`svc ${path}[\` ]`, "m"));
  }
});

test("the calls of the skill are right", () => {
  for (const [, call] of skillTasks) {
    const words = [...call.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain ?? "",
    );
    const { command, rest } = findCommand(commandTable, words.slice(1));
    expect(command, call).toBeDefined();
    if (command !== undefined) expect(() => parseInvocation(command, rest), call).not.toThrow();
  }
});

test("the index has every command in at most 12 kB", async () => {
  const { stdout, json } = await runCommand("--describe --index");
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(12_000);
  const { commands } = json as { commands: Record<string, string | Record<string, string>> };
  const paths = Object.entries(commands).flatMap(([first, below]) =>
    typeof below === "string"
      ? [first]
      : Object.keys(below).map((words) => `${first} ${words}`.trim()),
  );
  const withoutArguments = paths.map((path) => path.replaceAll(/ ?[<[][^>\]]*[>\]]/g, ""));
  expect(withoutArguments.toSorted()).toEqual(
    commandTable.commands.map(({ path }) => path).toSorted(),
  );
  const summaries = Object.values(commands).flatMap((one) =>
    typeof one === "string" ? [one] : Object.values(one),
  );
  const whole = summaries.filter((summary) => !summary.endsWith("…"));
  expect(whole.length).toBeGreaterThan(summaries.length / 2);
  expect(Math.min(...summaries.map(({ length }) => length))).toBeGreaterThan(5);
  const part = await runCommand("docs review --describe --index");
  expect(part.json).toMatchObject({ commands: { docs: { "review list": expect.any(String) } } });
});
