import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { updateProfile } from "#local/configuration/profiles.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();

describe("whoami", () => {
  test("shows the user, and the source of each setting", async () => {
    const config = await the().emptyConfig();
    await the().svc("workspace select tenant", { config });
    const { exitCode, stdout, stderr } = await the().svc("whoami", { config, fetch: platformDown });
    expect(exitCode).toBe(0);
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "user       tenant-admin@example.org",
      `base URL   ${testBaseUrl}  [environment: BASE_URL_PUBLIC_API]`,
      `workspace  tenant (${the().platform.workspaces.tenant})  [profile: default]`,
      "profile    default  [default]",
      `files      ${config}  [environment: SVC_CONFIG_DIR]`,
      "",
    ]);
  });

  test("as JSON, each setting with its source, and never the token", async () => {
    const { json, stdout } = await the().json("whoami");
    expect(json).toMatchObject({
      signedIn: true,
      source: "environment",
      email: "tenant-admin@example.org",
      expired: false,
      renewable: false,
      settings: {
        profile: { value: "default", source: "default" },
        baseUrl: { value: testBaseUrl, source: "environment", name: "BASE_URL_PUBLIC_API" },
        workspace: { value: { slug: "tenant" }, source: "profile", name: "default" },
      },
    });
    expect(stdout).not.toContain(the().platform.users["tenant-admin"].token);
  });

  test("says that an API key has no name", async () => {
    const config = await the().emptyConfig();
    const { stdout } = await the().svc("whoami", {
      as: "anonymous",
      config,
      variables: { SVC_TOKEN: "svc_planted" },
    });
    expect(stdout).toMatch(/^user {7}unknown: the token has no claims \(an API key\)$/m);
    expect(stdout).not.toContain("planted");
  });

  test("without a sign-in it exits with 4, and shows the settings", async () => {
    const { exitCode, stdout, stderr } = await the().svc("whoami", { as: "anonymous" });
    expect(exitCode).toBe(4);
    expect(stdout).toMatch(/^user {7}not signed in$/m);
    expect(stderr).toBe("Not signed in: run `svc login`\nHelp: `svc whoami --help`\n");
    const json = await the().json("whoami", { as: "anonymous" });
    expect(json.json).toMatchObject({ signedIn: false, otherOrigins: [] });
  });

  test("flag before environment before project before profile before default", async () => {
    const config = await the().emptyConfig();
    const project = await temporaryDirectory("project");
    const place = { configDirectory: config, profile: "work" };
    await updateProfile(place, () => ({ baseUrl: "http://profile.test" }));
    await Bun.write(
      join(project, ".env.local"),
      "BASE_URL_PUBLIC_API=http://project.test\nSVC_APP_KEY=from-project\n",
    );
    const settingsOf = async (
      words: string,
      variables: Readonly<Record<string, string | undefined>>,
      currentDirectory?: string,
    ): Promise<unknown> => {
      const { json } = await the().json(words, {
        config,
        as: "anonymous",
        variables: { BASE_URL_PUBLIC_API: undefined, ...variables },
        ...(currentDirectory === undefined ? {} : { currentDirectory }),
      });
      return json;
    };
    expect(await settingsOf("whoami", {})).toMatchObject({
      settings: { baseUrl: { value: "http://127.0.0.1:4400", source: "default" } },
    });
    expect(await settingsOf("whoami --profile work", { SVC_PROFILE: "other" })).toMatchObject({
      settings: {
        profile: { value: "work", source: "flag", name: "--profile" },
        baseUrl: { value: "http://profile.test", source: "profile", name: "work" },
      },
    });
    expect(await settingsOf("whoami", { SVC_PROFILE: "work" }, project)).toMatchObject({
      settings: {
        profile: { value: "work", source: "environment", name: "SVC_PROFILE" },
        baseUrl: { value: "http://project.test", source: "project" },
        appKey: { value: "from-project", source: "project" },
      },
    });
    const variables = { BASE_URL_PUBLIC_API: "http://variable.test", SVC_VERTICAL_KEY: "vertical" };
    expect(await settingsOf("whoami", variables, project)).toMatchObject({
      settings: {
        baseUrl: { value: "http://variable.test", source: "environment" },
        appKey: { value: "vertical", source: "environment", name: "SVC_VERTICAL_KEY" },
      },
    });
  });

  const broken: [string, string, Record<string, string>, string, string][] = [
    ["a profile name that is a path", "whoami --profile ../x", {}, "E305", "a profile name"],
    ["an invalid address", "whoami", { BASE_URL_PUBLIC_API: "nonsense" }, "E006", "address"],
    ["a file address", "whoami", { BASE_URL_PUBLIC_API: "file:///x" }, "E006", "neither http"],
    ["an unknown format", "whoami", { SVC_FORMAT: "yaml" }, "E304", 'SVC_FORMAT "yaml"'],
  ];
  test.each(broken)("refuses %s", async (_what, words, variables, code, message) => {
    const { exitCode, stdout, stderr } = await the().svc(words, { variables });
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout).toBe("");
    expect(stderr).toContain(`Error ${code}: `);
    expect(stderr).toContain(message);
  });

  test("a damaged profile file is reported, with its path", async () => {
    const config = await the().emptyConfig();
    await Bun.write(join(config, "profiles.json"), "{");
    const { exitCode, stderr } = await the().svc("whoami", { config });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Error E006: Failed to load configuration: profiles.json is damaged");
    expect(stderr).toContain(`Repair or remove ${join(config, "profiles.json")}`);
  });
});

describe("a token and an address from a project", () => {
  test("are not used together", async () => {
    const project = await temporaryDirectory("project");
    await Bun.write(join(project, ".env.local"), "BASE_URL_PUBLIC_API=http://thief.test\n");
    let asked = 0;
    const { exitCode, json } = await the().json("workspace list", {
      currentDirectory: project,
      variables: { BASE_URL_PUBLIC_API: undefined },
      fetch: () => {
        asked += 1;
        return Promise.resolve(Response.json({ items: [] }));
      },
    });
    expect(asked).toBe(0);
    expect(exitCode).toBe(4);
    expect(json).toMatchObject({
      error: {
        code: "E104",
        message:
          "Authentication failed: SVC_TOKEN was not issued by http://thief.test, which is set only in .env.local",
      },
    });
  });
});

describe("an address that only a project names", () => {
  const named = (config: string, currentDirectory: string) => ({
    config,
    currentDirectory,
    variables: { BASE_URL_PUBLIC_API: undefined },
  });
  /** A project whose `.env.local` names this platform. */
  async function projectAt(address: string): Promise<string> {
    const project = await temporaryDirectory("project");
    await Bun.write(join(project, ".env.local"), `BASE_URL_PUBLIC_API=${address}\n`);
    return project;
  }

  test("is announced at its first use, by any project, once", async () => {
    const config = await the().emptyConfig();
    const announced = `First use of ${testBaseUrl}: this project's .env.local names it as the platform\n`;
    const first = await the().json("workspace list", named(config, await projectAt(testBaseUrl)));
    expect(first).toMatchObject({ exitCode: 0, stderr: announced });
    expect((await stat(join(config, "addresses.json"))).mode & 0o777).toBe(0o600);
    const again = await the().json("workspace list", named(config, await projectAt(testBaseUrl)));
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    // Another user's first use, and one without a project.
    const other = await the().emptyConfig();
    const settings = named(other, await projectAt(testBaseUrl));
    expect((await the().json("workspace list", settings)).stderr).toBe(announced);
    const none = { config: await the().emptyConfig() };
    expect((await the().json("workspace list", none)).stderr).toBe("");
  });

  test.each(["{", '{"addresses":7}', '{"addresses":[7,{}]}'])(
    "is announced again after the list was damaged: %s",
    async (damage) => {
      const config = await the().emptyConfig();
      await Bun.write(join(config, "addresses.json"), damage);
      const settings = named(config, await projectAt(testBaseUrl));
      expect((await the().json("workspace list", settings)).stderr).toContain("First use of");
      expect((await the().json("workspace list", settings)).stderr).toBe("");
    },
  );

  test("asks nothing of the network to be announced", async () => {
    const config = await the().emptyConfig();
    const settings = named(config, await projectAt("http://thief.test"));
    const { stderr } = await the().svc("whoami", settings);
    expect(stderr).not.toContain("First use");
    expect(await Bun.file(join(config, "addresses.json")).exists()).toBe(false);
  });
});
