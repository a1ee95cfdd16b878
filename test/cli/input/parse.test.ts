import { describe, expect, test } from "vitest";
import type { CommandFacts, CommandTable } from "#cli/command.ts";
import { findCommand, unknownCommand } from "#cli/input/find.ts";
import { parseInvocation } from "#cli/input/parse.ts";
import { CatalogError } from "#contract/errors.ts";

const list: CommandFacts = {
  path: "things list",
  summary: "List things",
  arguments: [{ name: "type", description: "A type" }],
  options: {
    sort: { type: "string", default: "-created_at", description: "Order" },
    limit: { type: "number", minimum: 1, maximum: 500, default: 20, description: "How many" },
    mode: { type: "string", values: ["fast", "slow"], description: "How" },
    param: { type: "string", repeatable: true, description: "Pairs" },
    force: { type: "boolean", description: "Do not ask" },
    "tenant-id": { type: "string", description: "Workspace", aliases: ["tenant"] },
    turbo: { type: "boolean", negatable: true, description: "Speed" },
    boost: {
      type: "number",
      minimum: 1,
      maximum: 9,
      default: 3,
      description: "By",
      needs: "turbo",
    },
  },
};
const demo: CommandFacts = {
  path: "demo",
  summary: "Demo",
  arguments: [{ name: "command", description: "A command", optional: true, variadic: true }],
  options: {},
  formats: false,
};
const need: CommandFacts = {
  path: "things need",
  summary: "Needs",
  arguments: [],
  options: { name: { type: "string", required: true, description: "Name" } },
};
const table: CommandTable = {
  groups: [{ path: "things", summary: "Things" }],
  commands: [list, demo, need],
};

function refusal(run: () => unknown): Pick<CatalogError, "code" | "message" | "exitCode" | "hint"> {
  try {
    run();
  } catch (error) {
    if (error instanceof CatalogError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("finding the command", () => {
  const cases: [argv: string[], path: string | undefined, rest: string[]][] = [
    [["things", "list", "licence"], "things list", ["licence"]],
    [["--profile", "work", "things", "list", "x"], "things list", ["--profile", "work", "x"]],
    [["--no-color", "things", "list"], "things list", ["--no-color"]],
    [["--format", "json", "things", "list"], "things list", ["--format", "json"]],
    [["demo", "--", "things", "list"], "demo", ["--", "things", "list"]],
    [["things"], undefined, []],
    [["nothing"], undefined, ["nothing"]],
  ];
  test.each(cases)("%j", (argv, path, rest) => {
    const found = findCommand(table, argv);
    expect(found.command?.path).toBe(path);
    expect(found.rest).toEqual(rest);
  });

  test("a typing error gets a suggestion", () => {
    const error = unknownCommand(table, "things", ["lsit"]);
    expect(error.message).toBe('Invalid input: unknown command "things lsit"');
    expect(error.hint).toBe("Did you mean `svc things list`?");
    expect(error.exitCode).toBe(2);
    expect(unknownCommand(table, undefined, ["thing"]).hint).toBe("Did you mean `svc things`?");
    // A word that is not near to any command gets no suggestion.
    expect(unknownCommand(table, "things", ["xyz"]).hint).toBe(
      "Run `svc things --help` for the commands",
    );
  });
});

describe("reading options and arguments", () => {
  test("defaults, values and repeated options", () => {
    const { input } = parseInvocation(list, ["licence", "--param", "a=1", "--param=b=2"]);
    expect(input.arguments).toEqual({ type: "licence" });
    expect(input.options).toMatchObject({ sort: "-created_at", limit: 20, force: false });
    expect(input.options["param"]).toEqual(["a=1", "b=2"]);
    expect(input.options["turbo"]).toBeUndefined();
  });

  test("a value may begin with a dash", () => {
    const { input } = parseInvocation(list, ["licence", "--sort", "-amount,name"]);
    expect(input.options["sort"]).toBe("-amount,name");
  });

  test("an alias is its option", () => {
    const { input } = parseInvocation(list, ["licence", "--tenant", "planning"]);
    expect(input.options["tenant-id"]).toBe("planning");
  });

  test("a negatable flag can be turned off", () => {
    expect(parseInvocation(list, ["x", "--no-turbo"]).input.options["turbo"]).toBe(false);
    expect(parseInvocation(list, ["x", "--turbo"]).input.options["turbo"]).toBe(true);
  });

  test("the words after -- are passed on", () => {
    const { input } = parseInvocation(demo, ["--", "resources", "list", "--limit", "3"]);
    expect(input.arguments["command"]).toEqual(["resources", "list", "--limit", "3"]);
  });

  test("the deprecated --json is noticed", () => {
    expect(parseInvocation(list, ["x", "--json"]).deprecated).toEqual(["json"]);
  });
});

describe("refusing wrong usage with exit code 2", () => {
  const cases: [argv: string[], code: string, message: string][] = [
    [[], "E303", "Required field missing: <type>"],
    [["x", "y"], "E305", 'Invalid input: unexpected argument "y"'],
    [["x", "--limt", "3"], "E305", 'Invalid input: unknown option "--limt"'],
    [["x", "-q"], "E305", 'Invalid input: unknown option "-q"'],
    [
      ["x", "--limit", "0"],
      "E305",
      'Invalid input: --limit "0" is not a whole number from 1 to 500',
    ],
    [
      ["x", "--limit", "1e2"],
      "E305",
      'Invalid input: --limit "1e2" is not a whole number from 1 to 500',
    ],
    [["x", "--mode", "medium"], "E304", 'Invalid format: --mode "medium"'],
    [["x", "--format", "yaml"], "E304", 'Invalid format: --format "yaml"'],
    [["x", "--sort"], "E305", "Invalid input: --sort needs a value"],
    [["x", "--sort", ""], "E305", "Invalid input: --sort is empty"],
    [["x", "--sort="], "E305", "Invalid input: --sort is empty"],
    [["x", "--sort", "--force"], "E305", "Invalid input: --sort needs a value"],
    [["x", "--boost", "4"], "E303", "Required field missing: --turbo"],
    [["x", "--boost", "4", "--no-turbo"], "E303", "Required field missing: --turbo"],
    [["x", "--force=yes"], "E305", "Invalid input: --force takes no value"],
    [
      ["x", "--limit", "1", "--limit", "2"],
      "E305",
      "Invalid input: --limit is given twice with different values",
    ],
  ];
  test.each(cases)("%j", (argv, code, message) => {
    const error = refusal(() => parseInvocation(list, argv));
    expect(error).toMatchObject({ code, message, exitCode: 2 });
  });

  test("a typing error in an option gets a suggestion", () => {
    expect(refusal(() => parseInvocation(list, ["x", "--limt", "3"])).hint).toBe(
      "Did you mean `--limit`?",
    );
  });

  test("an option that needs a flag is refused without it", () => {
    const { input } = parseInvocation(list, ["x", "--boost", "4", "--turbo"]);
    expect(input.options).toMatchObject({ boost: 4, turbo: true });
    expect(parseInvocation(list, ["x"]).input.options["boost"]).toBe(3);
    expect(refusal(() => parseInvocation(list, ["x", "--boost", "4"])).hint).toBe(
      "--boost needs --turbo",
    );
  });

  test("a required option is named", () => {
    expect(refusal(() => parseInvocation(need, []))).toMatchObject({
      code: "E303",
      message: "Required field missing: --name",
      exitCode: 2,
    });
  });
});
