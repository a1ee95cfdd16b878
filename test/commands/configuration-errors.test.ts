import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { platformDown, runCommand, type CallSettings } from "./world.ts";

/** The errors of spec 7.1 about a project and its configuration, each where it belongs. */

const tenantId = "0198f0a0-1111-7000-8000-000000000001";

async function svc(words: string, settings: CallSettings = {}) {
  const config = settings.config ?? (await temporaryDirectory("config"));
  const own = { config, token: "a-token", ...settings };
  const text = await runCommand(words, own);
  const { exitCode, json } = await runCommand(`${words} --format json`, own);
  const { stdout, stderr } = text;
  return { exitCodes: [text.exitCode, exitCode], stdout, stderr, json };
}

/** A project in a folder; `lay` puts its files there. */
async function projectWith(lay: (folder: string) => Promise<unknown>): Promise<CallSettings> {
  const currentDirectory = await temporaryDirectory("project");
  await lay(currentDirectory);
  return { currentDirectory };
}

const refused = (code: string, hint: unknown = expect.anything()) => ({
  exitCodes: [1, 1],
  stdout: "",
  json: { error: { code, exitCode: 1, hint } },
});

describe("E001, not in a project", () => {
  test.each(["types validate", "types diff", "types seed", "types pull"])("%s", async (words) => {
    const outside = await projectWith(() => Promise.resolve());
    const called = await svc(words, { ...outside, fetch: platformDown });
    expect(called).toMatchObject(refused("E001"));
    expect(called.stderr).toContain("Error E001: Not in a project");
  });
});

describe("E002, a variable that is not set", () => {
  const unset = { variables: { BASE_URL_PUBLIC_API: undefined } };

  test.each(["workspace list", "login", `resources list tree --tenant-id ${tenantId}`])(
    "%s without any platform address, where no platform listens",
    async (words) => {
      const called = await svc(words, { ...unset, fetch: platformDown });
      expect(called).toMatchObject({
        exitCodes: [1, 1],
        json: {
          error: {
            code: "E002",
            message: "BASE_URL_PUBLIC_API environment variable not set",
            suggestion:
              "Set BASE_URL_PUBLIC_API; workspace selection comes from login and workspace select",
            hint: expect.stringContaining("No platform answers at the default address http://127."),
          },
        },
      });
    },
  );

  test("an address that is set is unreachable instead", async () => {
    expect((await svc("workspace list", { fetch: platformDown })).json).toMatchObject({
      error: { code: "E201" },
    });
  });

  test("a write that may have reached the default address keeps its unknown outcome", async () => {
    const cut = () =>
      Promise.reject(Object.assign(new Error("connection reset"), { code: "ECONNRESET" }));
    const words = `resources create tree --data {} --tenant-id ${tenantId}`;
    expect((await svc(words, { ...unset, fetch: cut })).json).toMatchObject({
      error: { code: "E201", hint: expect.stringContaining("The outcome is unknown") },
    });
  });

  test.each([
    [{}, "S3_ACCESS_KEY_ID"],
    [{ S3_ACCESS_KEY_ID: "key" }, "S3_SECRET_ACCESS_KEY"],
  ])("serve with a bucket and the keys %j", async (variables, name) => {
    const data = await temporaryDirectory("data");
    const words = `serve --port 0 --data-dir ${data} --files-url s3://files`;
    expect(await svc(words, { variables })).toMatchObject({
      exitCodes: [1, 1],
      json: { error: { code: "E002", message: `${name} environment variable not set` } },
    });
  });
});

describe("E003, a configuration file that does not exist", () => {
  test.each(["whoami", "workspace list", "types validate", "login"])(
    "%s with an .env.local that links to nothing",
    async (words) => {
      const project = await projectWith((folder) =>
        symlink(join(folder, "gone.env"), join(folder, ".env.local")),
      );
      const file = join(project.currentDirectory ?? "", ".env.local");
      const { exitCodes, json } = await svc(words, { ...project, fetch: platformDown });
      expect({ exitCodes, json }).toMatchObject({
        exitCodes: [1, 1],
        json: {
          error: {
            code: "E003",
            message: `Configuration file not found: ${file}`,
            suggestion: `Make sure ${file} exists`,
          },
        },
      });
    },
  );
});

describe("E004, an Object Types file that is missing or invalid", () => {
  test.each<[string, string, string | undefined]>([
    ["is missing", "object-types.md", undefined],
    ["is no JSON", "object-types.json", "{"],
  ])("types validate where it %s", async (_name, name, text) => {
    const project = await projectWith((folder) =>
      Bun.write(join(folder, "src/eai.config", name), text ?? ""),
    );
    expect(await svc("types validate", project)).toMatchObject({
      exitCodes: [1, 1],
      json: {
        error: {
          code: "E004",
          message: "Object Types file not found or invalid",
          suggestion: "Create `src/eai.config/object-types.ts`",
        },
      },
    });
  });
});

describe("E005, an invalid project structure", () => {
  const withoutFolder = () =>
    projectWith((folder) => Bun.write(join(folder, "src/eai.config"), "not a folder"));

  test.each(["types validate", "types diff", "types seed", "types pull"])(
    "%s where src/eai.config is a file",
    async (words) => {
      const project = await withoutFolder();
      const called = await svc(words, { ...project, fetch: platformDown });
      const hint = `${project.currentDirectory}/src/eai.config is a file; a folder is expected`;
      expect(called).toMatchObject(refused("E005", hint));
      expect(called.json).toMatchObject({ error: { suggestion: "Run `svc verify`" } });
    },
  );

  test("other commands work there", async () => {
    expect((await svc("whoami", await withoutFolder())).exitCodes).toEqual([0, 0]);
  });

  test.each(["whoami", "workspace list"])("%s where .env.local is a folder", async (words) => {
    const project = await projectWith((folder) => mkdir(join(folder, ".env.local")));
    const hint = `${project.currentDirectory}/.env.local is a folder; a file is expected`;
    expect(await svc(words, { ...project, fetch: platformDown })).toMatchObject(
      refused("E005", hint),
    );
  });

  test("verify, which the error suggests, says what is wrong", async () => {
    const project = await withoutFolder();
    const { exitCodes, stdout, json } = await svc("verify", { ...project, fetch: platformDown });
    expect(exitCodes).toEqual([1, 1]);
    expect(stdout).toBe(
      "✗ project: E005 Invalid project structure: " +
        `${project.currentDirectory}/src/eai.config is a file; a folder is expected\n`,
    );
    expect(json).toMatchObject({ ok: false, checks: [{ name: "project", code: "E005" }] });
  });
});

describe("E006, a configuration that can't be loaded", () => {
  test("whoami with an .env.local that is no text", async () => {
    const project = await projectWith((folder) =>
      Bun.write(join(folder, ".env.local"), new Uint8Array([0xff, 0xfe, 0x00])),
    );
    const details = ".env.local is not UTF-8 text";
    expect(await svc("whoami", project)).toMatchObject({
      exitCodes: [1, 1],
      json: { error: { code: "E006", message: `Failed to load configuration: ${details}` } },
    });
  });

  test("whoami with damaged profiles", async () => {
    const config = await temporaryDirectory("config");
    await Bun.write(join(config, "profiles.json"), "{");
    expect((await svc("whoami", { config })).json).toMatchObject({ error: { code: "E006" } });
  });
});
