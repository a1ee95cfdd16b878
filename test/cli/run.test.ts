import { describe, expect, test } from "vitest";
import type { CommandGroup, RunnableCommand } from "#cli/command.ts";
import type { Output } from "#cli/output/output.ts";
import { shown } from "#cli/shown.ts";
import { runProgram } from "#cli/run.ts";
import type { RunOptions } from "#cli/run.ts";
import { catalogError } from "#contract/errors.ts";
import { captureEnvironment, captureStream } from "./world.ts";
import type { CapturedEnvironment } from "./world.ts";

interface Context {
  readonly output: Output;
  readonly profile: string | undefined;
}

function simple(path: string, run: RunnableCommand<Context>["run"]): RunnableCommand<Context> {
  return { path, summary: `Runs ${path}`, arguments: [], options: {}, run };
}

function programOf(
  commands: readonly RunnableCommand<Context>[],
  groups: readonly CommandGroup[] = [],
): RunOptions<Context> {
  return {
    version: "9.9.9",
    table: { groups, commands },
    load: async (path) => {
      const command = commands.find((each) => each.path === path);
      if (command === undefined) throw new Error(`there is no ${path}`);
      return command;
    },
    createContext: (_environment, output, global) => ({ output, profile: global.profile }),
    loadSchemas: () =>
      Promise.resolve(() => ({ output: { type: "object" }, isLines: false, error: {} })),
    openDashboard: () => Promise.resolve(42),
  };
}

const options = programOf(
  [
    simple("hello", (_input, { output }) =>
      output.data({ hello: "world" }, (value) => shown`hello ${value.hello}`),
    ),
    simple("profile", (_input, { output, profile }) =>
      output.data({ profile: profile ?? null }, ({ profile }) => shown`${profile ?? "null"}`),
    ),
    simple("thing refuse", () => {
      throw catalogError(
        "E202",
        { resource: "Thing \u001b[31m7" },
        {
          status: 404,
          hint: "Look again",
          problem: { requestId: "r-1", errors: [{ pointer: "#/a", detail: "is missing" }] },
        },
      );
    }),
    simple("thing sign-in", () => {
      throw catalogError("E102");
    }),
    simple("thing crash", () => {
      throw Object.assign(new TypeError("token=secret-canary"), {
        request: { headers: { authorization: "Bearer secret-canary" } },
      });
    }),
    {
      ...simple("thing wait", () => 8),
      options: { depth: { type: "string", description: "How deep" } },
    },
  ],
  [{ path: "thing", summary: "Things" }],
);

async function run(
  argv: string[],
  world: Parameters<typeof captureEnvironment>[1] = {},
): Promise<{ exitCode: number; stdout: string; stderr: string; environment: CapturedEnvironment }> {
  const environment = captureEnvironment(argv, world);
  const exitCode = await runProgram(environment, options);
  const { stdout, stderr } = environment;
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), environment };
}

describe("success", () => {
  test("text on stdout, nothing on stderr", async () => {
    expect(await run(["hello"])).toMatchObject({
      exitCode: 0,
      stdout: "hello world\n",
      stderr: "",
    });
  });

  test.each([
    [["hello", "--format", "json"], {}],
    [["hello", "--format=json"], {}],
    [["hello"], { SVC_FORMAT: "json" }],
  ])("%j with %j is one JSON value", async (argv, variables) => {
    const { stdout, stderr } = await run(argv, { variables });
    expect(JSON.parse(stdout)).toEqual({ hello: "world" });
    expect(stderr).toBe("");
  });

  test("the flag overrides the environment", async () => {
    const { stdout } = await run(["hello", "--format", "text"], {
      variables: { SVC_FORMAT: "json" },
    });
    expect(stdout).toBe("hello world\n");
  });

  test("the old --json works and says so once", async () => {
    const { stdout, stderr } = await run(["hello", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ hello: "world" });
    expect(stderr).toBe("--json is deprecated: use --format json\n");
  });

  test("a global flag may precede the command", async () => {
    expect((await run(["--profile", "work", "profile"])).stdout).toBe("work\n");
  });

  test("an exit code is the process's own, and other than 0 it has a help hint", async () => {
    expect(await run(["thing", "wait"])).toMatchObject({
      exitCode: 8,
      stderr: "Help: `svc thing wait --help`\n",
    });
    expect(await run(["thing", "wait", "--format", "json"])).toMatchObject({
      exitCode: 8,
      stderr: "",
    });
  });

  test("an option's value that is a command's name stays a value", async () => {
    const option = { type: "string", description: "Where" } as const;
    const commands = [
      {
        ...simple("keep", ({ options: { place } }, { output }) =>
          output.data({ place }, () => shown`kept in ${String(place)}`),
        ),
        options: { place: option },
      },
      simple("keep copy", (_input, { output }) => output.data({}, () => shown`copied`)),
    ];
    const called = async (...argv: string[]): Promise<string> => {
      const environment = captureEnvironment(argv);
      await runProgram(environment, programOf(commands));
      return environment.stdout.text();
    };
    expect(await called("keep", "--place", "copy")).toBe("kept in copy\n");
    expect(await called("keep", "--place=copy")).toBe("kept in copy\n");
    expect(await called("--place", "copy", "keep")).toBe("kept in copy\n");
    expect(await called("keep", "copy")).toBe("copied\n");
    expect(await called("keep", "--simple", "copy")).toBe("copied\n");
  });

  test("a status line is removed before a note, and when the program ends", async () => {
    const busy = simple("busy", async (_input, { output }) => {
      await output.progress("half");
      await output.note(shown`a word`);
      await output.progress("all");
    });
    const stderr = captureStream({ isTerminal: true });
    const environment = captureEnvironment(["busy"], { stderr });
    await runProgram(environment, programOf([busy]));
    expect(stderr.text()).toBe("\r\u001b[Khalf\r\u001b[Ka word\n\r\u001b[Kall\r\u001b[K");
  });

  test.each([["hello"], ["--help"], ["thing --help"], ["--describe"], ["-V"]])(
    "%j ends quietly when the reader of stdout is gone",
    async (words) => {
      const stdout = captureStream({ closed: true });
      expect(await run(words.split(" "), { stdout })).toMatchObject({ exitCode: 0, stderr: "" });
    },
  );

  test("a stdout that can't be written is reported, with a hint to check the outcome", async () => {
    const stdout = captureStream({ room: 0 });
    const { exitCode, stderr } = await run(["hello"], { stdout });
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "stdout could not be written: there is no space left on the device\n  The command may have taken effect",
    );
  });

  test("on a terminal JSON is escaped, and has the same value", async () => {
    const stdout = captureStream({ isTerminal: true });
    const hostile = "a\u001b[2J\u007f\u009b2J\u202e\u2028\u{e0041}z";
    const environment = captureEnvironment(["echo", "--format", "json"], { stdout });
    const echo = simple("echo", (_input, { output }) => output.data({ hostile }, () => []));
    await runProgram(environment, programOf([echo]));
    expect(stdout.text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\p{Cf}]/u);
    expect(JSON.parse(stdout.text())).toEqual({ hostile });
  });
});

describe("failure", () => {
  test("text: words, faults, suggestion and a help hint on stderr; stdout stays empty", async () => {
    const { exitCode, stdout, stderr } = await run(["thing", "refuse"]);
    expect(exitCode).toBe(1);
    expect(stdout).toBe("");
    expect(stderr.split("\n")).toEqual([
      "Error E202: Thing 7 not found",
      "  #/a: is missing",
      "  Look again",
      "→ Verify the ID or name",
      "Help: `svc thing refuse --help`, `svc errors E202`",
      "",
    ]);
  });

  test("JSON: the documented error object, with status and request", async () => {
    const { exitCode, stdout, stderr } = await run(["thing", "refuse", "--format", "json"]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "E202",
        message: "Thing \u001b[31m7 not found",
        suggestion: "Verify the ID or name",
        exitCode: 1,
        status: 404,
        requestId: "r-1",
        errors: [{ pointer: "#/a", detail: "is missing" }],
        hint: "Look again",
      },
    });
  });

  test("sign-in errors exit with 4", async () => {
    expect(await run(["thing", "sign-in"])).toMatchObject({ exitCode: 4, stdout: "" });
  });

  test.each(["text", "json"])("an unexpected error in %s hides its properties", async (format) => {
    const { exitCode, stdout, stderr } = await run(["thing", "crash", "--format", format]);
    expect(exitCode).toBe(1);
    expect(stdout + stderr).toContain("E203");
    expect(stdout + stderr).not.toContain("secret-canary");
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  });

  test("an unknown SVC_FORMAT is refused, and a flag overrides it", async () => {
    const variables = { SVC_FORMAT: "yaml" };
    const refused = await run(["hello"], { variables });
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain('Error E304: Invalid format: SVC_FORMAT "yaml"');
    expect(refused.stderr).toContain("→ Valid formats: text, json");
    const asked = await run(["hello", "--format", "json"], { variables });
    expect(asked.exitCode).toBe(0);
  });

  test("a format after -- does not apply to this call", async () => {
    const { stdout, stderr, exitCode } = await run(["nothing", "--", "x", "--format", "json"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toContain('unknown command "nothing"');
  });

  test("a flag without its value does not open the dashboard", async () => {
    const terminal = { isTerminal: true, stream: () => new Blob([]).stream() };
    const captured = captureEnvironment(["--profile"], {
      stdout: captureStream({ isTerminal: true }),
    });
    expect(await runProgram({ ...captured, stdin: terminal }, options)).toBe(2);
    expect(captured.stderr.text()).toContain("--profile needs a value");
  });

  test("the help hint names the group when the command is unknown", async () => {
    const { stderr } = await run(["thing", "nothing"]);
    expect(stderr).toContain("Help: `svc thing --help`, `svc errors E305`");
  });

  test("wrong usage is refused in the asked format, with exit code 2", async () => {
    const { exitCode, stdout } = await run(["hello", "--nope", "--format", "json"]);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "E305", message: 'Invalid input: unknown option "--nope"', exitCode: 2 },
    });
  });

  test("a group refuses an unknown flag, and accepts a flag of one of its commands", async () => {
    const { exitCode, stderr } = await run(["thing", "--nope=1"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Error E305: Invalid input: unknown option "--nope"');
    expect(stderr).toContain("Run `svc thing --help` for the commands");
    const short = await run(["thing", "-x"]);
    expect(short.stderr).toContain('Error E305: Invalid input: unknown option "-x"');
    const known = await run(["thing", "--simple", "--profile", "--p", "--depth", "-3"]);
    expect(known).toMatchObject({ exitCode: 2, stdout: "" });
    expect(known.stderr).toContain("Usage: svc thing <command>");
  });

  test("where a command is missing, JSON is one error", async () => {
    const asked = await run(["thing", "--format", "json"]);
    expect(asked).toMatchObject({ exitCode: 2, stderr: "" });
    expect(JSON.parse(asked.stdout)).toMatchObject({
      error: {
        code: "E303",
        message: "Required field missing: <command>",
        exitCode: 2,
        hint: "Run `svc thing --help` for the commands",
      },
    });
    const preferred = await run([], { variables: { SVC_FORMAT: "json" } });
    expect(preferred).toMatchObject({ exitCode: 2, stderr: "" });
    expect(JSON.parse(preferred.stdout)).toMatchObject({ error: { code: "E303", exitCode: 2 } });
  });
});

describe("help, version and dashboard", () => {
  test("the version", async () => {
    expect((await run(["--version"])).stdout).toBe("9.9.9\n");
    expect((await run(["-V"])).stdout).toBe("9.9.9\n");
  });

  test("help of the program, a group and a command", async () => {
    expect((await run(["--help"])).stdout).toContain("  thing");
    expect((await run(["thing", "--help"])).stdout).toContain("  thing refuse");
    const own = (await run(["thing", "refuse", "--help"])).stdout;
    expect(own).toContain("Usage: svc thing refuse [options]");
    expect((await run(["help", "thing", "refuse"])).stdout).toBe(own);
    expect((await run(["thing", "help", "refuse"])).stdout).toBe(own);
    expect((await run(["thing", "help"])).stdout).toBe((await run(["thing", "--help"])).stdout);
  });

  test("--describe is JSON Schema of the commands", async () => {
    const all = JSON.parse((await run(["--describe"])).stdout) as { oneOf: { command: string }[] };
    expect(all.oneOf.map((entry) => entry.command)).toContain("thing wait");
    const one = JSON.parse((await run(["hello", "--describe"])).stdout) as Record<string, unknown>;
    expect(one).toMatchObject({ command: "hello", type: "object", additionalProperties: false });
  });

  test("no words open the dashboard on a terminal, and are wrong usage in a pipe", async () => {
    const terminal = { isTerminal: true, stream: () => new Blob([]).stream() };
    const environment = {
      ...captureEnvironment([], { stdout: captureStream({ isTerminal: true }) }),
      stdin: terminal,
    };
    expect(await runProgram(environment, options)).toBe(42);
    const piped = await run([]);
    expect(piped).toMatchObject({ exitCode: 2, stdout: "" });
    expect(piped.stderr).toContain("Usage: svc <command>");
  });

  test("colour only on a terminal, and never with NO_COLOR or --no-color", async () => {
    const help = async (argv: string[], variables: Record<string, string>) =>
      (await run([...argv], { variables, stdout: captureStream({ isTerminal: true }) })).stderr;
    expect(await help(["thing", "refuse"], {})).toContain("\u001b[31m");
    expect(await help(["thing", "refuse"], { NO_COLOR: "1" })).not.toContain("\u001b[");
    expect(await help(["thing", "refuse", "--no-color"], {})).not.toContain("\u001b[");
    expect(await help(["thing", "refuse"], { TERM: "dumb" })).not.toContain("\u001b[");
  });
});
