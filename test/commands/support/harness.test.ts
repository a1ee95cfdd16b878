import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown, type CallSettings } from "../world.ts";
import { chatUrl, reportIn, support, type SupportResult } from "./world.ts";

const the = commandWorld();
const stdin = (value: unknown): CallSettings => ({
  stdin: typeof value === "string" ? value : JSON.stringify(value),
  fetch: platformDown,
});
const withContext = (value: unknown, settings: CallSettings = {}): Promise<SupportResult> =>
  support(the(), ["--tool", "h", "--context-file", "-"], { ...stdin(value), ...settings });
const harnessIn = async (value: unknown): Promise<Readonly<Record<string, unknown>>> => {
  const { harness } = reportIn(await withContext(value)) as {
    harness: Readonly<Record<string, unknown>>;
  };
  return harness;
};
const list = (length: number, item: unknown): unknown[] => Array.from({ length }, () => item);

const full = {
  request: "make it green",
  goal: "the tests pass",
  summary: "one test fails",
  steps: ["ran the tests"],
  commands: ["svc docs upload x", { command: "make", exitCode: 2, output: "no rule" }],
  errors: [{ code: "E203", message: "HTTP 502" }, "it stopped"],
  attemptedFixes: ["tried again"],
  filesTouched: ["src/main.ts"],
};

describe("--context-file", () => {
  test("reads a file, and stdin for -", async () => {
    expect(await harnessIn(full)).toEqual(full);
    const folder = await temporaryDirectory("context");
    await Bun.write(join(folder, "context.json"), JSON.stringify(full));
    const words = ["--source", "harness", "--context-file", "context.json"];
    const shown = await support(the(), words, { currentDirectory: folder });
    expect(reportIn(shown)["harness"]).toEqual(full);
  });

  test("needs the harness source", async () => {
    for (const words of [[], ["--tool", "h", "--source", "eai-cli"]]) {
      const call = [...words, "--context-file", "-"];
      const { exitCode, json } = await support(the(), call, stdin(full));
      expect([exitCode, json]).toMatchObject([
        2,
        { error: { message: "Invalid input: --context-file needs the harness source" } },
      ]);
    }
  });

  test("that is allocated and filled is read", async () => {
    const config = await the().emptyConfig();
    const { json } = await support(the(), ["--create-context-file"], { config });
    const path = String(json["contextFile"]);
    const words = ["--tool", "h", "--context-file", path];
    const empty = await support(the(), words, { config });
    expect(empty.json).toMatchObject({ status: "failed", error: { code: "context_invalid" } });
    await Bun.write(path, JSON.stringify(full));
    const filled = await support(the(), words, { config });
    expect(reportIn(filled)["harness"]).toEqual(full);
  });
});

describe("input errors", () => {
  const secret = "svc_planted0123456789abcdef";
  const wrong: readonly [string, unknown, string][] = [
    ["no JSON", "{", "expected one JSON object"],
    ["a list", [], "expected one JSON object"],
    ["deep nesting", "[".repeat(20_000), "expected one JSON object"],
    ["an unknown field", { [secret]: 1 }, "an unknown field"],
    ["a field of the prototype", '{"__proto__":{"a":1}}', "an unknown field"],
    ["a number for a text", { request: 7 }, "request"],
    ["a text for a list", { steps: secret }, "steps"],
    ["an item that is no text", { steps: ["a", { [secret]: secret }] }, "steps/1"],
    ["an unknown member", { commands: [{ command: "a", [secret]: 1 }] }, "commands/0"],
    ["an exit code beyond 32 bits", { commands: [{ exitCode: 2 ** 31 }] }, "commands/0"],
    ["several", { goal: 1, errors: [1] }, "goal, errors/0"],
  ];
  test.each(wrong)("context_invalid names fields only: %s", async (_name, value, fields) => {
    const { exitCode, json, stdout, stderr } = await withContext(value);
    expect(exitCode).toBe(1);
    expect(json).toEqual({
      status: "failed",
      error: {
        code: "context_invalid",
        message: `The support context is not valid: ${fields}`,
        suggestion: expect.any(String),
        exitCode: 1,
        hint: expect.stringMatching(/^Known fields: request, goal/),
      },
      chatUrl,
    });
    expect(stdout + stderr).not.toContain("planted");
  });

  test.each([
    ["missing.json", "missing.json does not exist"],
    [".", ". is not a file"],
  ])("context_unreadable: %s", async (path, details) => {
    const currentDirectory = await temporaryDirectory("context");
    const words = ["--tool", "h", "--context-file", path];
    const { exitCode, json } = await support(the(), words, { currentDirectory });
    expect([exitCode, json]).toMatchObject([
      1,
      { status: "failed", error: { code: "context_unreadable" }, chatUrl },
    ]);
    expect(json).toHaveProperty("error.message", expect.stringContaining(details));
  });

  test("context_unreadable: stdin is a terminal", async () => {
    const { json } = await withContext("", { terminal: 80 });
    expect(json).toMatchObject({ error: { code: "context_unreadable" } });
  });

  test("in text the error has its code, the chat and the help hint", async () => {
    const words = ["support", "--tool", "h", "--context-file", "-"];
    const { exitCode, stdout, stderr } = await the().svc(words, {
      ...stdin("{"),
      variables: { SVC_WEBSITE_URL: "https://platform.test" },
    });
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("Error context_invalid: The support context is not valid");
    expect(stderr).toContain(`Chat: ${chatUrl}`);
    expect(stderr).toContain("Help: `svc support --help`, `svc errors context_invalid`");
  });
});

describe("Context file raw size: 64 KiB", () => {
  const padded = (bytes: number): string => `{}${" ".repeat(bytes - 2)}`;

  test.each(["stdin", "file"])("of %s", async (source) => {
    const folder = await temporaryDirectory("context");
    const call = async (text: string): Promise<SupportResult> => {
      if (source === "stdin") return withContext(text);
      await Bun.write(join(folder, "context.json"), text);
      const words = ["--tool", "h", "--context-file", "context.json"];
      return support(the(), words, { currentDirectory: folder });
    };
    expect((await call(padded(65_536))).exitCode).toBe(0);
    const { exitCode, json } = await call(padded(65_537));
    expect([exitCode, json]).toMatchObject([
      1,
      { status: "failed", error: { code: "context_too_large" }, chatUrl },
    ]);
  });

  test("an endless file ends there", async () => {
    const words = ["--tool", "h", "--context-file", "/dev/zero"];
    const { json } = await support(the(), words);
    expect(json).toMatchObject({ error: { code: "context_too_large" } });
  });
});

describe("Harness lists", () => {
  const limits: readonly [string, (size: number) => unknown, number, string][] = [
    ["steps 50", (size) => ({ steps: list(size, "a") }), 50, "steps"],
    ["steps x 500 chars", (size) => ({ steps: ["a b".padEnd(size, " c")] }), 500, "steps/0"],
    ["commands 50", (size) => ({ commands: list(size, "a") }), 50, "commands"],
    ["errors 50", (size) => ({ errors: list(size, { message: "a" }) }), 50, "errors"],
    ["attemptedFixes 20", (size) => ({ attemptedFixes: list(size, "a") }), 20, "attemptedFixes"],
    [
      "attemptedFixes x 500",
      (size) => ({ attemptedFixes: ["é".repeat(size)] }),
      500,
      "attemptedFixes/0",
    ],
    ["filesTouched 100", (size) => ({ filesTouched: list(size, "a") }), 100, "filesTouched"],
    [
      "filesTouched x 260",
      (size) => ({ filesTouched: ["a/".repeat(130).padEnd(size, "b")] }),
      260,
      "filesTouched/0",
    ],
    ["request 500", (size) => ({ request: "😀".repeat(size) }), 500, "request"],
    ["goal 1000", (size) => ({ goal: "a b".padEnd(size, " c") }), 1_000, "goal"],
    ["summary 4000", (size) => ({ summary: "a b".padEnd(size, " c") }), 4_000, "summary"],
  ];
  test.each(limits)("%s", async (_name, make, limit, field) => {
    expect((await withContext(make(limit))).exitCode).toBe(0);
    const { exitCode, json } = await withContext(make(limit + 1));
    expect(exitCode).toBe(1);
    expect(json).toHaveProperty("error.message", `The support context is not valid: ${field}`);
  });

  test.each(["/etc/passwd", "C:\\x", "\\\\host\\x", "~/x", "file:///x"])(
    "filesTouched has relative paths, not %s",
    async (path) => {
      const { json } = await withContext({ filesTouched: ["a", path] });
      expect(json).toHaveProperty("error.code", "context_invalid");
      expect(json).toHaveProperty("error.message", expect.stringMatching(/: filesTouched\/1$/));
    },
  );
});

describe("Redacted harness block: 32 KiB", () => {
  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const numbered = (count: number, length: number): string[] =>
    Array.from({ length: count }, (_, index) => `${index} `.padEnd(length, "a b "));

  test("a block that fits is not truncated", async () => {
    const harness = await harnessIn({ steps: numbered(50, 500) });
    expect(harness).toEqual({ steps: numbered(50, 500) });
  });

  test("the oldest steps are dropped first", async () => {
    const given = { steps: numbered(50, 500), commands: numbered(50, 200) };
    const harness = await harnessIn(given);
    expect(bytes(harness)).toBeLessThanOrEqual(32 * 1024);
    expect(harness).toEqual({
      steps: given.steps.slice(-(harness["steps"] as string[]).length),
      commands: given.commands,
      truncated: true,
    });
    expect((harness["steps"] as string[]).length).toBeLessThan(50);
    // One more step would not fit.
    const more = given.steps.slice(-(harness["steps"] as string[]).length - 1);
    expect(bytes({ ...harness, steps: more })).toBeGreaterThan(32 * 1024);
  });

  test("then commands, then errors", async () => {
    const steps = numbered(10, 100);
    const [commands, errors] = [numbered(50, 500), numbered(50, 500)];
    const second = await harnessIn({ steps, commands, errors });
    expect(second).toMatchObject({ steps: [], errors, truncated: true });
    expect(commands.slice(-(second["commands"] as string[]).length)).toEqual(second["commands"]);
    const long = numbered(50, 1_000);
    const third = await harnessIn({ steps, commands: ["a"], errors: long });
    expect(third).toMatchObject({ steps: [], commands: [], truncated: true });
    expect(long.slice(-(third["errors"] as string[]).length)).toEqual(third["errors"]);
    for (const block of [second, third]) expect(bytes(block)).toBeLessThanOrEqual(32 * 1024);
  });

  test("also where only other fields are too long", async () => {
    const filesTouched = list(100, "é/".repeat(130));
    const block = await harnessIn({ filesTouched, attemptedFixes: list(20, "é ".repeat(250)) });
    expect(bytes(block)).toBeLessThanOrEqual(32 * 1024);
    expect(block["truncated"]).toBe(true);
  });
});

describe("a planted secret", () => {
  let config = "";
  beforeAll(async () => {
    config = await the().emptyConfig();
  });

  const encodings: readonly ((text: string) => string)[] = [
    (text) => text,
    encodeURIComponent,
    (text) => JSON.stringify(JSON.stringify(text)),
    (text) => Buffer.from(text).toString("base64"),
    (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join(""),
  ];
  const plantings: readonly ((secret: string) => string)[] = [
    (secret) => `Authorization: Bearer ${secret}`,
    (secret) => `svc_${secret}`,
    (secret) => `postgres://ada:${secret}@db/app`,
    (secret) => `Server=db;Password=${secret};`,
    (secret) => `{"client_secret":"${secret}"}`,
    (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  ];
  const places: readonly string[] = [
    "--description",
    "--tool",
    "--tool-version",
    "--command",
    "--error-code",
    "request",
    "goal",
    "summary",
    "steps",
    "commands",
    "command",
    "output",
    "errors",
    "message",
    "attemptedFixes",
    "filesTouched",
    "last error",
  ];

  const contextOf = (place: string, text: string): Readonly<Record<string, unknown>> => {
    if (["request", "goal", "summary"].includes(place)) return { [place]: text };
    if (place === "command" || place === "output") return { commands: [{ [place]: text }] };
    if (place === "message") return { errors: [{ message: text }] };
    return place.startsWith("--") || place === "last error" ? {} : { [place]: [text] };
  };

  test.each(places)("in %s does not survive, in any encoding", async (place) => {
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^q[a-km-zA-HJ-NP-Z2-9]{11,20}$/),
        fc.constantFrom(...plantings),
        fc.constantFrom(...encodings),
        async (secret, plant, encode) => {
          const text = `some ${encode(plant(secret))} words`;
          fc.pre(place !== "filesTouched" || text.length <= 260);
          if (place === "last error") {
            const at = new Date().toISOString();
            const entry = { version: 1, at, code: "E203", message: text, exitCode: 1 };
            await Bun.write(join(config, "last-error.json"), JSON.stringify(entry));
          }
          const words = place.startsWith("--") ? [place, text] : [];
          const source = ["--source", "harness", "--context-file", "-"];
          const shown = await support(the(), [...words, ...source], {
            ...stdin(contextOf(place, text)),
            config,
          });
          expect(shown.json["status"]).toBe("consent_required");
          const seen = shown.stdout + shown.stderr;
          expect(seen).toContain("[redacted]");
          expect(seen).not.toContain(secret);
          expect(seen).not.toContain(Buffer.from(plant(secret)).toString("base64"));
        },
      ),
      { numRuns: 25 },
    );
  });

  test("that the environment or a sign-in has does not survive", async () => {
    const { token } = the().platform.users["tenant-admin"];
    const text = `it says ${token.slice(0, 40)} ${token} and opensesame99 and %6Fpensesame99`;
    const shown = await support(the(), ["--description", text], {
      variables: { DEPLOY_PASSWORD: "opensesame99" },
    });
    expect(shown.stdout).not.toMatch(/sesame/);
    expect(shown.stdout).not.toContain(token.slice(0, 40));
  });
});
