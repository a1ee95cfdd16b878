import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { globalOptions } from "#cli/input/global-options.ts";
import { commandTable } from "#commands/registry.ts";
import { sized } from "#test/support/size.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import type { Trial } from "#commands/kit/command.ts";
import { fillProject } from "#test/support/project-folder.ts";
import { commands, filledWords } from "./trial-calls.ts";
import { commandWorld, platformDown, runCommand } from "./world.ts";

const the = commandWorld();
const id = "01890000-0000-7000-8000-000000000000";
const text = "wood";
/** Values of the names in calls: what no platform has. */
const names = {
  source: "unknown-source",
  call: "01900000-0000-7000-8000-000000000001",
  ...Object.fromEntries(
    ["id", "key", "workspace", "record", "recordPath", "application", "job", "member"].map(
      (name) => [name, id],
    ),
  ),
  document: "DOC-2026-000001",
  slug: text,
  unique: text,
  workflow: text,
  secret: "no-secret",
  folder: ".",
};
let project = "";

beforeAll(async () => {
  project = await temporaryDirectory("project");
  fillProject(project);
});

/** These report failures as checks, or do something else first: they have their own tests. */
const ownTests = new Set(["verify", "verify calls", "init"]);

/** A call of each command that sends requests, but of those that read stdin. */
const calls: readonly string[] = commands.flatMap(({ path, calls: routes, formats, trials }) => {
  const [trial] = trials ?? [""];
  const isOwn = routes === undefined || formats === false || ownTests.has(path);
  if (isOwn || trial === undefined) return [];
  const { words, stdin }: Trial = typeof trial === "string" ? { words: trial } : trial;
  return stdin === undefined ? [filledWords(`${path} ${words}`.trim(), names).join(" ")] : [];
});

/** Commands that need no workspace, or always name theirs. */
const withoutWorkspace =
  /^(workspace (?!quota)|publicapi|user (?:accept|decline|provision-me)|account|content-understanding)\b/;

describe("not signed in", () => {
  const settings = () => ({ as: "anonymous", currentDirectory: project }) as const;
  /** Calls that are made as text in a usual run; the others are made as JSON. */
  const isText = (words: string): boolean => calls.indexOf(words) % 2 === 0;

  const asJson = calls.filter((words) => sized(!isText(words), true));
  test.each(asJson)("svc %s as JSON", async (words) => {
    const { exitCode, json } = await the().json(words, settings());
    expect(exitCode).toBe(4);
    expect(json).toEqual({
      error: {
        code: "E101",
        message: "Not logged in",
        suggestion: "Run `svc login`",
        exitCode: 4,
      },
    });
  });

  const asText = calls.filter((words) => sized(isText(words), true));
  test.each(asText)("svc %s as text", async (words) => {
    const text = await the().svc(words, settings());
    // `verify storage` begins with the name of another command.
    const path = commandTable.commands
      .map((entry) => entry.path)
      .filter((each) => `${words} `.startsWith(`${each} `))
      .toSorted((one, other) => other.length - one.length)[0];
    expect(text).toMatchObject({ exitCode: 4, stdout: "" });
    expect(text.stderr.split("\n")).toEqual([
      "Error E101: Not logged in",
      "→ Run `svc login`",
      `Help: \`svc ${path} --help\`, \`svc errors E101\``,
      "",
    ]);
  });
});

describe("the token has expired", () => {
  test.each(calls)("svc %s", async (words) => {
    const expired = `e30.${Buffer.from(JSON.stringify({ exp: 1 })).toString("base64url")}.x`;
    const { exitCode, json } = await the().json(words, {
      as: "anonymous",
      variables: { SVC_TOKEN: expired, SVC_CONFIG_DIR: undefined },
      currentDirectory: project,
    });
    expect(json).toMatchObject({
      error: { code: "E102", message: "Access token expired", exitCode: 4 },
    });
    expect(exitCode).toBe(4);
  });
});

describe("the platform is down", () => {
  test.each(calls)("svc %s", async (words) => {
    const { exitCode, json } = await the().json(words, {
      fetch: platformDown,
      currentDirectory: project,
    });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({
      error: {
        code: "E201",
        message: "Platform API unreachable: http://platform.test",
        suggestion: "Check network and `BASE_URL_PUBLIC_API`",
        exitCode: 1,
      },
    });
  });
});

describe("no workspace is selected", () => {
  test.each(calls.filter((words) => !withoutWorkspace.test(words)))("svc %s", async (words) => {
    const { exitCode, json } = await the().json(words, {
      config: await the().emptyConfig(),
      currentDirectory: project,
    });
    expect(exitCode).toBe(2);
    expect(json).toEqual({
      error: {
        code: "E303",
        message: "Required field missing: --tenant-id",
        suggestion: "Provide --tenant-id",
        exitCode: 2,
        hint: "Or choose a workspace once: `svc workspace select <workspace>`",
      },
    });
  });
});

describe("another user's workspace", () => {
  const scoped = calls.filter((words) => !withoutWorkspace.test(words));
  test.each(scoped)("svc %s", async (words) => {
    const { other } = the().platform.workspaces;
    const settings = { as: "tenant-staff", currentDirectory: project } as const;
    const byId = await the().json(`${words} --tenant-id ${other}`, settings);
    expect(byId).toMatchObject({ exitCode: 1, json: { error: { code: "E202", status: 404 } } });
    const bySlug = await the().json(`${words} --workspace other`, settings);
    expect(bySlug.exitCode).toBe(1);
    expect(bySlug.json).toMatchObject({ error: { message: 'Workspace "other" not found' } });
  });
});

describe("wrong usage", () => {
  const strict = commandTable.commands.filter(({ anyOptions }) => anyOptions !== true);
  test.each(strict.map(({ path }) => path))("svc %s --bogus", async (path) => {
    const { exitCode, stdout, stderr } = await runCommand([...path.split(" "), "--bogus"]);
    expect(exitCode).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain('Error E305: Invalid input: unknown option "--bogus"');
    expect(stderr).toContain(`Help: \`svc ${path} --help\``);
  });

  const needing = commandTable.commands.filter(
    ({ arguments: words, formats }) =>
      formats !== false && words.some(({ optional }) => optional !== true),
  );
  test.each(needing.map(({ path }) => path))("svc %s without its arguments", async (path) => {
    const words = [...path.split(" "), "--format", "json"];
    const required = commandTable.commands.find((entry) => entry.path === path);
    for (const [name, option] of Object.entries(required?.options ?? {})) {
      if (option.type !== "boolean" && option.required === true) words.push(`--${name}`, "x");
    }
    const { exitCode, json } = await runCommand(words);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({ error: { code: "E303", exitCode: 2 } });
  });
});

const surface = z.object({
  $schema: z.string(),
  oneOf: z.array(
    z.looseObject({
      command: z.string(),
      properties: z.record(z.string(), z.record(z.string(), z.unknown())),
      required: z.array(z.string()),
      routes: z.array(z.string()).optional(),
    }),
  ),
});

/** A property's schema without its description, on one line. */
function schemaText({
  description: _description,
  ...schema
}: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(schema);
}

describe("help", () => {
  test.each(commandTable.commands)("svc $path fits 80 columns", async ({ path }) => {
    const { exitCode, stdout } = await runCommand([...path.split(" "), "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Usage: svc ${path}`);
    const [page = ""] = stdout.split("\nExamples:");
    expect(page.split("\n").filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
  });

  test("pages of the program, a command and a group match the golden files", async () => {
    const pages = ["--help", "docs upload --help", "publicapi --help"];
    for (const words of pages) {
      const { stdout } = await runCommand(words);
      const name = words.replaceAll(/-*\b(\w+)\b/g, "$1").replaceAll(" ", "-");
      await expect(stdout).toMatchFileSnapshot(`golden/${name}.txt`);
    }
  });

  test("--describe matches the golden surface", async () => {
    const { json } = await runCommand("--describe");
    const described = surface.parse(json);
    expect(described.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(described.oneOf.map(({ command }) => command)).toEqual(
      commandTable.commands.map(({ path }) => path),
    );
    const lines = described.oneOf.flatMap(({ command, properties, required, routes }) => [
      `svc ${command}`,
      ...Object.entries(properties)
        .filter(
          ([name, schema]) => !Object.hasOwn(globalOptions, name) || schema["type"] === "integer",
        )
        .map(
          ([name, schema]) =>
            `  ${name}${required.includes(name) ? "!" : ""} ${schemaText(schema)}`,
        ),
      ...(routes ?? []).map((route) => `  -> ${route}`),
      "",
    ]);
    await expect(lines.join("\n")).toMatchFileSnapshot("golden/describe.txt");
    const one = z.looseObject({}).parse((await runCommand("docs job --describe")).json);
    const { $defs: _definitions, ...own } = one;
    expect(described.oneOf).toContainEqual(own);
  });
});
