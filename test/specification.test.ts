import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { commandTable } from "#commands/registry.ts";
import { errorCatalog } from "#contract/errors.ts";
import { repository } from "./architecture/source.ts";
import { accountCommands, projectCommands } from "./specification/commands.ts";
import { documentCommands } from "./specification/document-commands.ts";
import { errorCodes, errorRules } from "./specification/errors.ts";
import { eventRows } from "./specification/events.ts";
import { commandRules, limits } from "./specification/limits.ts";
import { namedTests, testsOf, type NamedTest } from "./specification/named-tests.ts";
import { workspaceTest, type CommandRow, type SpecifiedRow } from "./specification/rows.ts";
import { programPromises } from "./specification/program-promises.ts";
import { platformPromises } from "./specification/promises.ts";
import { workPromises } from "./specification/work-promises.ts";
import { recordCommands } from "./specification/record-commands.ts";
import { trustRules } from "./specification/trust.ts";
import { supportOptions, supportStates } from "./specification/support.ts";

/** Every row of the specification's parts 4.7, 6, 7.1, 7.3 and 8, and of trust, with its tests. */

const commands = [...accountCommands, ...projectCommands, ...recordCommands, ...documentCommands];
const rows: readonly SpecifiedRow[] = [
  ...commands,
  ...commandRules,
  ...errorCodes,
  ...errorRules,
  ...supportOptions,
  ...supportStates,
  ...limits,
  ...trustRules,
  ...eventRows,
];
let tests: ReadonlyMap<string, NamedTest> = new Map();

beforeAll(async () => {
  tests = await namedTests();
});

test("every row has a test", () => {
  const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);
  const lines = rows.map(
    ({ part, name, figures, tests: covering }) =>
      `| ${[part, name, figures, covering.join("; ")].map(cell).join(" | ")} |`,
  );
  console.log(["| part | row | figures | tests |", "|---|---|---|---|", ...lines].join("\n"));
  const uncovered = rows.filter(
    ({ tests: covering }) => covering.length === 0 || covering.some((name) => !tests.has(name)),
  );
  expect(
    uncovered.map(({ part, name, tests: covering }) => ({
      part,
      name,
      missing: covering.filter((test_) => !tests.has(test_)),
    })),
  ).toEqual([]);
  const names = rows.map(({ part, name }) => `${part} ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

interface OptionFigure {
  readonly name: string;
  readonly isRequired: boolean;
  readonly value: string | undefined;
}

function optionsOf(figures: string): readonly OptionFigure[] {
  return figures
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [, name, required, value] = /^--([\w-]+)(!?)(?:=(.*))?$/.exec(word) ?? [];
      if (name === undefined) throw new Error(`${word} is not an option`);
      return { name, isRequired: required === "!", value };
    });
}

const commandNamed = (path: string) => commandTable.commands.find((each) => each.path === path);

/** Problems of one row in the product's own description. */
function differences({ name, figures, routes }: CommandRow): readonly string[] {
  const [path = ""] = name.split(/ [<[]/);
  const command = commandNamed(path);
  if (command === undefined) return ["there is no such command"];
  const needed = [...name.matchAll(/<([\w-]+)(?:\.\.\.)?>/g)].map(([, word]) => word);
  const words = command.arguments.filter(({ optional }) => optional !== true);
  const found = words.map((word) => word.name);
  const problems = needed.join(" ") === found.join(" ") ? [] : [`its words are ${found.join(" ")}`];
  const options = Object.entries(command.options);
  for (const { name: option, isRequired, value } of optionsOf(figures)) {
    if (option === "format") {
      if (command.formats === false) problems.push("it has no --format");
      continue;
    }
    if (option === "json" && command.formats !== false) continue;
    const plain = option.replace(/^no-/, "");
    const definition = options.find(
      ([key, each]) =>
        key === option ||
        each.aliases?.includes(option) === true ||
        (key === plain && "negatable" in each),
    )?.[1];
    if (definition === undefined) problems.push(`it has no --${option}`);
    else if (isRequired !== (definition.type !== "boolean" && definition.required === true)) {
      problems.push(`--${option} is ${isRequired ? "optional" : "required"}`);
    } else if (value !== undefined && String(definition.default) !== value) {
      problems.push(`the default of --${option} is ${String(definition.default)}`);
    }
  }
  const own = new Set<string>(command.routes ?? []);
  return [...problems, ...routes.filter((route) => !own.has(route)).map((route) => `no ${route}`)];
}

describe("each command of part 4.7", () => {
  test.each(commands)("svc $name has its words, options and defaults", (row) => {
    expect(differences(row)).toEqual([]);
  });

  test.each(commands)(
    "svc $name has its options named in its tests",
    ({ figures, tests: covering }) => {
      const unnamed = optionsOf(figures)
        .map(({ name }) => name)
        // Every command has them alike: `replay` and `every-command` run each one.
        .filter((name) => name !== "format")
        .filter((name) => {
          const isNamed = new RegExp(`--${name}(?![\\w-])`);
          return !covering.some((test_) =>
            test_ === workspaceTest
              ? /^(?:tenant-id|tenant|workspace)$/.test(name)
              : isNamed.test(tests.get(test_)?.code ?? ""),
          );
        });
      expect(unnamed).toEqual([]);
    },
  );

  test("has a row, unless it is more than the specification asks for", () => {
    const known = new Set(commands.map(({ name }) => name.split(/ [<[]/)[0]));
    const groups =
      /^(?:blocks|resources file|resources storage|content-understanding|deploy|types)\b/;
    const others = commandTable.commands.map(({ path }) => path).filter((path) => !known.has(path));
    expect(others.filter((path) => groups.test(path))).toEqual([]);
  });
});

test("each promise of docs/security.md has its tests, and names their files", async () => {
  const page = await Bun.file(join(repository, "docs/security.md")).text();
  const lines = page.split("\n").filter((line) => /^\| (?!promise )/.test(line));
  const promises = { ...platformPromises, ...workPromises, ...programPromises };
  const faults: string[] = [];
  const kept = new Set<string>();
  for (const line of lines) {
    const [promise = "", , files = ""] = line.slice(2, -2).split(" | ");
    const starts = Object.keys(promises).filter((start) => promise.startsWith(start));
    const names = starts.flatMap((start) => promises[start] ?? []);
    for (const start of starts) kept.add(start);
    if (starts.length !== 1 || names.length === 0) faults.push(`${promise} has no test`);
    for (const name of names) if (!tests.has(name)) faults.push(`there is no test ${name}`);
    const listed = [...new Set(names.map((name) => name.replace(/\.test\.ts > [^]*$/, "")))];
    const shown = listed.map((file) => `\`${file}\``).join(", ");
    if (files !== shown) faults.push(`${promise} names ${files} instead of ${shown}`);
  }
  expect(lines.length).toBeGreaterThan(40);
  expect(faults).toEqual([]);
  expect(Object.keys(promises).filter((start) => !kept.has(start))).toEqual([]);
});

describe("each error of part 7.1", () => {
  test.each(errorCodes)(
    "$name has its message, and its tests name it",
    ({ name, figures, tests: covering }) => {
      const entry = Object.entries(errorCatalog).find(([code]) => code === name)?.[1];
      if (figures !== "") expect(entry?.message).toBe(figures);
      expect(entry?.suggestion ?? "").toMatch(/\w/);
      for (const test_ of covering) expect(tests.get(test_)?.code).toContain(name);
    },
  );
});

describe("the names of tests", () => {
  test("have their blocks, and the code with what it refers to", () => {
    const text = `
      const words = ["--one"];
      const other = ["--two"];
      describe("a block", () => {
        const nested = words;
        test.each([1])("%i \\"quoted\\"", () => { const other = nested; expect(other); });
        test("second", () => { expect(2); });
      });
      it("alone", () => undefined);`;
    const found = testsOf("a.test.ts", text);
    expect(found.map(({ name }) => name)).toEqual([
      'a.test.ts > a block > %i "quoted"',
      "a.test.ts > a block > second",
      "a.test.ts > alone",
    ]);
    expect(found[0]?.code).toContain("--one");
    expect(found[1]?.code).not.toContain("--one");
  });
});
