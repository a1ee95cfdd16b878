import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { globalOptions } from "#cli/global-options.ts";
import { commandTable } from "#commands/registry.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandsWithoutPlatform } from "./platform-calls.ts";
import { commandWorld, platformDown, runCommand } from "./world.ts";

const the = commandWorld();
const id = "01890000-0000-7000-8000-000000000000";
let project = "";

beforeAll(async () => {
  project = await temporaryDirectory("project");
  await Bun.write(join(project, "plans.txt"), "plans");
  await Bun.write(join(project, "manifest.json"), JSON.stringify({ version: 1 }));
  await Bun.write(join(project, "plan.json"), JSON.stringify({ digest: "0".repeat(64) }));
  const type = {
    documentType: { key: "wood", displayName: "Wood" },
    fields: [{ name: "tree", rules: [{ method: "label-value", labels: ["Tree"] }] }],
  };
  await Bun.write(join(project, "type.json"), JSON.stringify(type));
  const classifier = { displayName: "Letters", labels: [{ key: "letter" }] };
  await Bun.write(join(project, "classifier.json"), JSON.stringify(classifier));
  await Bun.write(
    join(project, "src/eai.config/object-types.json"),
    JSON.stringify([{ name: "Tree", slug: "tree", properties: {} }]),
  );
});

/** Each command that needs the platform, with valid words. */
const calls: readonly string[] = [
  "workspace list",
  "workspace select tenant",
  "workspace info tenant",
  "workspace create --name X --slug x --parent tenant",
  "workspace delete tenant --force",
  "workspace restore tenant",
  "workspace templates list",
  "workspace templates export blank-vertical-template",
  "user list",
  "user invite --email new@example.org",
  "user invitations",
  `user uninvite ${id} --force`,
  "user accept no-secret",
  "user decline no-secret --force",
  "user roles",
  `user role set --member-id ${id} --role tenant-staff`,
  "user role create importer --name Importer --permissions documents.*",
  "user role delete no-role --force",
  "user rules",
  "user rule set planners --role tenant-staff --issuer https://login.example.org",
  "user rule delete no-rule --force",
  `user remove ${id} --force`,
  "user leave --force",
  `user disable ${id} --force`,
  `user enable ${id}`,
  `user revoke-tokens ${id} --force`,
  "user provision-me",
  "user can resources.list",
  "account sessions",
  "account factors list",
  `account factors confirm ${id} 123456`,
  `user reset-factors ${id} --force`,
  `account sign-out ${id} --force`,
  "workspace quota",
  "audit list",
  "audit verify",
  "audit export --output audit.ndjson",
  "key list",
  "key create Import --role tenant-staff",
  `key role ${id} --role tenant-viewer`,
  `key revoke ${id} --force`,
  "types diff",
  "types seed",
  "types pull --output pulled.ts",
  "resources list tree",
  `resources get tree ${id}`,
  "resources create tree --data {}",
  `resources update tree ${id} --data {} --version 1`,
  `resources delete tree ${id} --force`,
  `resources history tree ${id}`,
  "resources query --types tree",
  "resources search elm",
  'resources aggregate tree --group-by a --metrics {"n":{"op":"count"}}',
  "resources batch-create tree --data {}",
  `resources batch-update tree --data [{"id":"${id}","data":{},"version":1}]`,
  `resources batch-delete tree --ids ${id}`,
  `resources file upload tree ${id} plan plans.txt`,
  `resources file get tree ${id} plan --output plan.bin`,
  `resources file delete tree ${id} plan --force`,
  "resources schema",
  "resources storage status",
  "resources storage doctor",
  "resources doctor",
  "resources sync-schema",
  "resources indexes-plan --object-type tree",
  `provision entra --client-id ${id}`,
  "provision storage",
  "verify storage",
  `docs upload plans.txt --planning-application-id ${id}`,
  `docs classify plans.txt --planning-application-id ${id}`,
  `docs job ${id}`,
  `docs retry ${id}`,
  `docs cancel ${id}`,
  "docs index DOC-2026-000001",
  "docs list",
  "docs get DOC-2026-000001",
  "docs configure-type --file type.json",
  "docs review list",
  "docs review accept DOC-2026-000001 label",
  "docs review correct DOC-2026-000001 fields.total --value 3",
  `content-understanding capabilities --tenant-id ${id}`,
  `content-understanding plan --file manifest.json --tenant-id ${id}`,
  `content-understanding apply --file manifest.json --plan plan.json --tenant-id ${id}`,
  `content-understanding status --tenant-id ${id}`,
  "classifier list",
  "classifier get letters",
  "classifier put letters --file classifier.json",
  "classifier train letters",
  "classifier target letters --app portal --workflow intake",
  "docs search elms",
  "docs content DOC-2026-000001 --output plan.bin",
  "docs open DOC-2026-000001",
  "docs delete DOC-2026-000001 --force",
  "chat send hello --workflow planning-assistant",
  "chat stream hello --workflow planning-assistant",
  "chat list",
  `chat show ${id}`,
  `chat rename ${id} Heights`,
  `chat export ${id}`,
  `chat delete ${id} --force`,
  "app list",
  "app create Portal",
  "app select portal",
  "app provision portal",
  "workflow provision triage --app portal",
  "workflow readiness triage",
  "workflow status triage",
  "workflow request triage",
  "publicapi get /v4/identity/me",
  "publicapi post /v4/identity/me/provision",
  "publicapi patch /v4/identity/me/profile --data {}",
  "publicapi put /v4/identity/me/profile --data {}",
  "publicapi delete /v4/identity/me",
];
const local = new Set([
  ...commandsWithoutPlatform,
  // Needs a terminal; see its test.
  "chat",
  // Read passwords from stdin; see their tests.
  "account password",
  "account factors add",
  "account factors remove",
  "account factors codes",
  // Report failures as checks; see their test.
  "verify",
  "verify calls",
  // Needs two profiles; see its test.
  "verify isolation",
]);

/** Commands that need no workspace, or always name theirs. */
const withoutWorkspace =
  /^(workspace (?!quota)|publicapi|user (?:accept|decline|provision-me)|account|content-understanding)\b/;

test("the list above has every command", () => {
  const known = (path: string): boolean =>
    local.has(path) || calls.some((call) => `${call} `.startsWith(`${path} `));
  expect(commandTable.commands.map(({ path }) => path).filter((path) => !known(path))).toEqual([]);
});

describe("not signed in", () => {
  test.each(calls)("svc %s", async (words) => {
    const settings = { as: "anonymous", currentDirectory: project } as const;
    const { exitCode, json } = await the().json(words, settings);
    expect(exitCode).toBe(4);
    expect(json).toEqual({
      error: {
        code: "E101",
        message: "Not logged in",
        suggestion: "Run `svc login`",
        exitCode: 4,
      },
    });
    const text = await the().svc(words, settings);
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
