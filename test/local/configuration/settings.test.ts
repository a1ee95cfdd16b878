import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSignIns } from "#auth/token-file.ts";
import {
  findConfigDirectory,
  resolveSettings,
  withAuthUrl,
} from "#local/configuration/settings.ts";
import { parseEnv } from "#local/env/file.ts";
import {
  clearWorkspace,
  readProfile,
  selectPlatform,
  selectWorkspace,
  updateProfile,
} from "#local/configuration/profiles.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** A home directory, a project in it, and how to ask for the settings there. */
async function home() {
  const homeDirectory = await temporaryDirectory("home");
  const project = join(homeDirectory, "work", "portal");
  await mkdir(project, { recursive: true });
  const configDirectory = join(homeDirectory, ".svc");
  const ask = (
    variables: Readonly<Record<string, string>> = {},
    flags = {},
    currentDirectory = project,
  ) => resolveSettings({ variables, homeDirectory, currentDirectory, flags });
  return { homeDirectory, project, configDirectory, ask };
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => "done",
    (error: unknown) => Reflect.get(Object(error), "code") ?? String(error),
  );
}

const workspace = {
  id: "0198f0a0-1111-7000-8000-000000000001",
  slug: "planning",
  displayName: "Planning",
};

describe("settings", () => {
  it("have defaults", async () => {
    const { ask, configDirectory } = await home();
    expect(await ask()).toEqual({
      configDirectory: { value: configDirectory, source: "default" },
      profile: { value: "default", source: "default" },
      baseUrl: { value: "http://127.0.0.1:4400", source: "default" },
      authUrl: { value: "http://127.0.0.1:4400/auth", source: "default" },
      baseUrlTrusted: true,
      workspace: undefined,
      appKey: undefined,
      project: undefined,
      readOnly: undefined,
      profileSettings: {},
    });
  });

  it("come from the flag, else the environment, else the project, else the profile", async () => {
    const { ask, project, configDirectory } = await home();
    const place = { configDirectory, profile: "default" };
    await updateProfile(place, () => ({ baseUrl: "http://profile.example" }));
    expect((await ask()).baseUrl).toEqual({
      value: "http://profile.example",
      source: "profile",
      name: "default",
    });
    await writeFile(
      join(project, ".env.local"),
      "BASE_URL_PUBLIC_API=http://project.example/\nSVC_APP_KEY=portal\n",
    );
    expect(await ask()).toMatchObject({
      baseUrl: {
        value: "http://project.example",
        source: "project",
        name: ".env.local: BASE_URL_PUBLIC_API",
      },
      baseUrlTrusted: false,
      appKey: { value: "portal", source: "project" },
    });
    const environment = { BASE_URL_PUBLIC_API: "http://environment.example" };
    expect(await ask(environment)).toMatchObject({
      baseUrl: { value: "http://environment.example", source: "environment" },
      baseUrlTrusted: true,
    });
    expect((await ask(environment, { baseUrl: "http://flag.example" })).baseUrl).toMatchObject({
      value: "http://flag.example",
      source: "flag",
    });
  });

  it("are not passed over where the project's file is in another encoding", async () => {
    const { ask, project } = await home();
    const text = "BASE_URL_PUBLIC_API=http://project.example\r\n";
    for (const mark of ["\ufeff", ""]) {
      await writeFile(join(project, ".env.local"), `${mark}${text}`, "utf16le");
      await expect(ask()).rejects.toMatchObject({
        code: "E006",
        message: "Failed to load configuration: .env.local is not UTF-8 text",
      });
    }
    await writeFile(join(project, ".env.local"), `\ufeff${text}`);
    expect((await ask()).baseUrl.value).toBe("http://project.example");
  });

  it("take SVC_APP_KEY before its old name SVC_VERTICAL_KEY", async () => {
    const { ask } = await home();
    expect((await ask({ SVC_VERTICAL_KEY: "old" })).appKey?.value).toBe("old");
    expect((await ask({ SVC_VERTICAL_KEY: "old", SVC_APP_KEY: "new" })).appKey?.value).toBe("new");
  });

  it("choose the profile by flag or SVC_PROFILE, and refuse names that are paths", async () => {
    const { ask, configDirectory } = await home();
    await updateProfile({ configDirectory, profile: "work" }, () => ({
      baseUrl: "http://work.example",
    }));
    expect((await ask({ SVC_PROFILE: "work" })).baseUrl.value).toBe("http://work.example");
    expect((await ask({ SVC_PROFILE: "none" }, { profile: "work" })).profile).toEqual({
      value: "work",
      source: "flag",
      name: "--profile",
    });
    for (const name of ["../x", "", "a/b", ".hidden", "x".repeat(65)]) {
      expect(await codeOf(ask({}, { profile: name }))).toBe("E305");
    }
  });

  it("keep a chosen workspace to the platform that it was chosen on", async () => {
    const { ask, configDirectory } = await home();
    const place = { configDirectory, profile: "default" };
    await selectWorkspace({
      ...place,
      workspace: { ...workspace, origin: "http://127.0.0.1:4400" },
    });
    expect((await ask()).workspace).toEqual({
      value: workspace,
      source: "profile",
      name: "default",
    });
    expect((await ask({ BASE_URL_PUBLIC_API: "http://other.example" })).workspace).toBeUndefined();
    expect((await ask({}, { tenantId: "x" })).workspace).toMatchObject({
      value: { id: "x" },
      source: "flag",
    });
    await clearWorkspace(place);
    expect((await ask()).workspace).toBeUndefined();
  });

  it("keep a profile's identity provider to the profile's platform", async () => {
    const { ask, project, configDirectory } = await home();
    const profile = { baseUrl: "https://p.example", authUrl: "https://login.example/t" };
    await updateProfile({ configDirectory, profile: "default" }, () => profile);
    expect((await ask()).authUrl).toEqual({
      value: "https://login.example/t",
      source: "profile",
      name: "default",
    });
    await writeFile(join(project, ".env.local"), "BASE_URL_PUBLIC_API=https://hostile.example");
    expect((await ask()).authUrl.value).toBe("https://hostile.example/auth");
  });

  it("take the identity provider from flag, environment, project, profile, in this order", async () => {
    const { ask, project, configDirectory } = await home();
    const stored = { baseUrl: "http://127.0.0.1:4400", authUrl: "https://profile.example" };
    await updateProfile({ configDirectory, profile: "default" }, () => stored);
    const variables = { SVC_AUTH_URL: "https://environment.example/t/" };
    expect((await ask()).authUrl).toMatchObject({ source: "profile" });
    await writeFile(join(project, ".env.local"), "SVC_AUTH_URL=https://project.example");
    expect((await ask()).authUrl).toEqual({
      value: "https://project.example",
      source: "project",
      name: ".env.local: SVC_AUTH_URL",
    });
    const settings = await ask(variables);
    expect(settings.authUrl).toEqual({
      value: "https://environment.example/t",
      source: "environment",
      name: "SVC_AUTH_URL",
    });
    expect(withAuthUrl(settings, "https://flag.example").authUrl).toEqual({
      value: "https://flag.example",
      source: "flag",
      name: "--auth-url",
    });
    expect(withAuthUrl(settings, undefined)).toBe(settings);
    expect(await codeOf(ask({ SVC_AUTH_URL: "login.example" }))).toBe("E006");
  });

  it.each(["ftp://x", "x", "http://user:secret@host", "http://host?a=1", "http://host#a"])(
    "refuse the address %s",
    async (address) => {
      const { ask } = await home();
      const error = await ask({ BASE_URL_PUBLIC_API: address }).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ code: "E006" });
      expect(String(error)).not.toContain("secret");
    },
  );

  it("take SVC_CONFIG_DIR, which must be absolute", async () => {
    const { ask, homeDirectory } = await home();
    const elsewhere = join(homeDirectory, "elsewhere");
    expect((await ask({ SVC_CONFIG_DIR: elsewhere })).configDirectory).toEqual({
      value: elsewhere,
      source: "environment",
      name: "SVC_CONFIG_DIR",
    });
    expect(await codeOf(ask({ SVC_CONFIG_DIR: "here" }))).toBe("E006");
  });

  it("refuse a home directory that is another one in each folder", () => {
    expect(() => findConfigDirectory({}, "here")).toThrow("HOME must be an absolute path");
  });

  it.each([["profiles.json"], ["tokens.json"]])(
    "refuse a pipe or a device in the place of %s, which may never end",
    async (name) => {
      const { homeDirectory } = await home();
      const path = join(homeDirectory, name);
      const read = async () =>
        name === "tokens.json"
          ? await readSignIns(homeDirectory)
          : await readProfile({ configDirectory: homeDirectory, profile: "default" });
      await Bun.$`mkfifo ${path}`.quiet();
      await expect(read()).rejects.toMatchObject({ code: "E006" });
      await rm(path);
      await symlink("/dev/zero", path);
      await expect(read()).rejects.toMatchObject({ code: "E006" });
    },
  );
});

describe("the project", () => {
  it("is the nearest folder upwards with src/eai.config or .env.local", async () => {
    const { ask, project, homeDirectory } = await home();
    await mkdir(join(project, "src/eai.config"), { recursive: true });
    await mkdir(join(project, "src/deep/er"), { recursive: true });
    await writeFile(join(homeDirectory, "work", ".env.local"), "SVC_APP_KEY=outer");
    const found = (await ask({}, {}, join(project, "src/deep/er"))).project;
    expect(found).toEqual({
      root: project,
      configDirectory: join(project, "src/eai.config"),
      envFile: undefined,
      variables: {},
    });
  });

  it("is not looked for above the home directory", async () => {
    const outside = await temporaryDirectory("outside");
    await writeFile(join(outside, ".env.local"), "BASE_URL_PUBLIC_API=http://hostile.example");
    const homeDirectory = join(outside, "home");
    await mkdir(join(homeDirectory, "a"), { recursive: true });
    const settings = await resolveSettings({
      variables: {},
      homeDirectory,
      currentDirectory: join(homeDirectory, "a"),
    });
    expect(settings.project).toBeUndefined();
    expect(settings.baseUrl.source).toBe("default");
  });

  it("gives three keys of .env.local and no other", async () => {
    const { ask, project } = await home();
    await writeFile(
      join(project, ".env.local"),
      "SVC_TOKEN=canary\nSVC_CONFIG_DIR=/tmp/x\nAI_API_KEY=canary\nSVC_PROFILE=evil\nSVC_VERTICAL_KEY=v\n__proto__=x\n",
    );
    const settings = await ask();
    expect(settings.project?.variables).toEqual({ SVC_VERTICAL_KEY: "v" });
    expect(settings.profile.value).toBe("default");
    expect(JSON.stringify(settings)).not.toContain("canary");
  });

  it("with an .env.local that is too large is E006", async () => {
    const { ask, project } = await home();
    await writeFile(join(project, ".env.local"), "x".repeat(2_000_000));
    expect(await codeOf(ask())).toBe("E006");
  });
});

describe("an env file", () => {
  it.each([
    ["A=1", "1"],
    ["  export A = 1  ", "1"],
    ["A='single # quoted'", "single # quoted"],
    ['A="double \\"quoted\\" # \\n end"', 'double "quoted" # \n end'],
    ["A=plain # comment", "plain"],
    ["A=with#hash", "with#hash"],
    ["A=$(rm -rf /)", "$(rm -rf /)"],
    ["A=${HOME}", "${HOME}"],
    ["A=1\nA=2", "2"],
    ["\ufeffA=1", "1"],
    ["B=1\r\nA=2\r\n", "2"],
    ["A=", ""],
    ["# A=1", undefined],
    ["A", undefined],
    ["1A=1", undefined],
    ["A B=1", undefined],
    ["A =\t1 2 ", "1 2"],
  ])("%j gives %j", (text, value) => {
    expect(parseEnv(text).get("A")).toBe(value);
  });

  it("of one line as long as the file may be is read in one pass", () => {
    // A foreign project may have it: every command in its folder reads it.
    const blanks = " ".repeat(1_000_000);
    expect(parseEnv(`A=a${blanks}b`).get("A")).toBe(`a${blanks}b`);
    expect(parseEnv(`${blanks}A${blanks}=${blanks}b${blanks}`).get("A")).toBe("b");
  });
});

describe("profiles.json", () => {
  it("keeps what other processes write at the same time", async () => {
    const { configDirectory } = await home();
    await Promise.all(
      Array.from({ length: 12 }, (_none, index) =>
        updateProfile({ configDirectory, profile: `p${index % 3}` }, ({ settings }) => ({
          settings: { ...settings, [`s${index}`]: index },
        })),
      ),
    );
    expect((await readProfile({ configDirectory, profile: "p1" })).settings).toEqual({
      s1: 1,
      s4: 4,
      s7: 7,
      s10: 10,
    });
  });

  it.each(["", "{", "[]", '{"profiles":[]}'])(
    "with %j in it is E006 and is not overwritten",
    async (text) => {
      const { configDirectory, ask } = await home();
      await mkdir(configDirectory);
      await writeFile(join(configDirectory, "profiles.json"), text);
      expect(await codeOf(ask())).toBe("E006");
      const profile = { configDirectory, profile: "p" };
      expect(await codeOf(updateProfile(profile, () => ({ baseUrl: "http://a.test" })))).toBe(
        "E006",
      );
      expect(await Bun.file(join(configDirectory, "profiles.json")).text()).toBe(text);
    },
  );

  it.each([
    ["ftp://a.test", "is neither http nor https"],
    ["http://user:canary@a.test", "carries credentials"],
    ["https://a.test/v4/", "ends in /v4, which is added to it"],
    ["http://a.test/?x=1", "has a query or a fragment"],
    ["a platform", "is not an address"],
  ])("takes no platform whose address is %s, which would lock every command", async (text, why) => {
    const { configDirectory, ask } = await home();
    const place = { configDirectory, profile: "default" };
    const failure = await selectPlatform(place, text).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "E305",
      message: `Invalid input: the URL of the platform ${why}`,
    });
    expect((await ask()).baseUrl.source).toBe("default");
    expect(await selectPlatform(place, "HTTPS://A.test:443/v/")).toBe("https://a.test/v");
    expect((await ask()).baseUrl).toMatchObject({ value: "https://a.test/v", source: "profile" });
  });

  it("does not use the identity provider for another origin", async () => {
    const { configDirectory } = await home();
    const place = { configDirectory, profile: "default" };
    const authUrl = "https://login.example/t";
    await updateProfile(place, () => ({ baseUrl: "https://a.test", authUrl }));
    await selectPlatform(place, "https://a.test/v");
    expect(await readProfile(place)).toMatchObject({ baseUrl: "https://a.test/v", authUrl });
    await selectPlatform(place, "https://b.test");
    expect((await readProfile(place)).authUrl).toBeUndefined();
  });

  it("ignores unknown members", async () => {
    const { configDirectory } = await home();
    await mkdir(configDirectory);
    const content = {
      profiles: {
        default: { baseUrl: 7, workspace: { id: "x" }, settings: { columns: ["a"] } },
        odd: null,
      },
    };
    await writeFile(join(configDirectory, "profiles.json"), JSON.stringify(content));
    expect(await readProfile({ configDirectory, profile: "default" })).toEqual({
      settings: { columns: ["a"] },
    });
    expect(await readProfile({ configDirectory, profile: "odd" })).toEqual({});
  });
});
