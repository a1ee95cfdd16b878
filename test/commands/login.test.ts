import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { captureEnvironment, captureStream } from "#test/cli/world.ts";
import { runSvc } from "#commands/run.ts";
import { FormBrowser } from "#test/server/domains/sign-in/form-browser.ts";
import { testBaseUrl } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();
const email = "tenant-staff@example.org";
const password = "correct horse battery staple";
const fetchPage = (request: Request): Promise<Response> => the().platform.platform.fetch(request);

beforeAll(async () => {
  const { platform, users } = the().platform;
  await platform.services.signIn.setPassword(users["tenant-staff"].oid, password);
});

/** Runs `svc login`, and signs in with a browser when it shows the address. */
async function login(config: string, words: readonly string[] = [], project?: string) {
  const stderr = captureStream();
  const done: Promise<void>[] = [];
  const browse = async (address: string): Promise<void> => {
    const browser = new FormBrowser(testBaseUrl, fetchPage);
    await browser.visit(address);
    const { left } = await browser.press("sign-in", { email, password });
    await fetch(left?.href ?? "");
  };
  const environment = captureEnvironment(["login", ...words], {
    variables: {
      BASE_URL_PUBLIC_API: project === undefined ? testBaseUrl : undefined,
      SVC_CONFIG_DIR: config,
      BROWSER: "none",
    },
    ...(project === undefined ? {} : { currentDirectory: project }),
    fetch: fetchPage,
    stderr: {
      ...stderr,
      write: async (chunk) => {
        await stderr.write(chunk);
        const address = /http:\S+authorize\S+/.exec(String(chunk))?.[0];
        if (address !== undefined) done.push(browse(address));
      },
    },
  });
  const exitCode = await runSvc(environment);
  await Promise.all(done);
  return { exitCode, stdout: environment.stdout.text(), stderr: stderr.text() };
}

describe("login and logout", () => {
  test("remembers the provider of --auth-url with the platform", async () => {
    const config = await the().emptyConfig();
    const authUrl = `${testBaseUrl}/auth`;
    expect(await login(config, ["--auth-url", `${authUrl}/`])).toMatchObject({ exitCode: 0 });
    const { json } = await the().json("whoami", { config, as: "anonymous" });
    expect(json).toMatchObject({
      settings: { authUrl: { value: authUrl, source: "profile", name: "default" } },
    });
    const shown = await the().svc("whoami", { config, as: "anonymous" });
    expect(shown.stdout).toMatch(new RegExp(`^provider +${authUrl} +.*profile: default`, "m"));
    const wrong = await login(await the().emptyConfig(), ["--auth-url", "login.example.org"]);
    expect(wrong).toMatchObject({ exitCode: 2 });
    expect(wrong.stderr).toContain("--auth-url is not an address");
  });

  test("signs in with a browser, calls the platform, and signs out", async () => {
    const config = await the().emptyConfig();
    const own = { config, as: "anonymous" } as const;
    const signedIn = await login(config);
    expect(signedIn).toMatchObject({
      exitCode: 0,
      stdout: `Signed in as ${email} at ${testBaseUrl}\n`,
    });
    expect(signedIn.stderr).toContain(
      "No browser could be opened: open the address above on this machine, or use `svc login --device`",
    );
    expect(signedIn.stderr).toContain(
      "Next: svc workspace list --all, svc workspace select <slug>",
    );
    expect((await stat(join(config, "tokens.json"))).mode & 0o777).toBe(0o600);

    const me = await the().json("whoami", { ...own, fetch: platformDown });
    expect(me.json).toMatchObject({
      signedIn: true,
      source: "tokens.json",
      email,
      expired: false,
      renewable: true,
    });
    expect(await the().svc("workspace select tenant", own)).toMatchObject({ exitCode: 0 });
    // The profile now has the platform's address, so no variable is needed.
    const unnamed = { ...own, variables: { BASE_URL_PUBLIC_API: undefined } };
    expect((await the().json("whoami", unnamed)).json).toMatchObject({
      signedIn: true,
      settings: { baseUrl: { value: testBaseUrl, source: "profile", name: "default" } },
    });
    // Another profile and another platform are not signed in.
    expect((await the().json("whoami --profile other", own)).exitCode).toBe(4);
    const elsewhere = { ...own, variables: { BASE_URL_PUBLIC_API: "http://elsewhere.test" } };
    expect((await the().json("workspace list", elsewhere)).json).toMatchObject({
      error: {
        code: "E101",
        hint: `Signed in to ${testBaseUrl}, but not to http://elsewhere.test`,
      },
    });

    const out = await the().svc("logout", own);
    expect(out).toMatchObject({ exitCode: 0, stdout: "Signed out\n" });
    expect(await readdir(config)).not.toContain("tokens.json");
    const after = await the().json("whoami", own);
    expect(after).toMatchObject({ exitCode: 4, json: { signedIn: false } });
    expect(after.json).not.toHaveProperty("settings.workspace");
    expect((await the().svc("logout", own)).stdout).toBe("You were not signed in\n");
  });

  test("asks for the given scopes, and waits on the given port", async () => {
    const own = await the().emptyConfig();
    const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const port = String(free.port);
    await free.stop(true);
    const words = ["--scope", "openid email", "--callback-port", port];
    const { exitCode, stderr } = await login(own, words);
    expect(exitCode).toBe(0);
    const address = new URL(/http:\S+authorize\S+/.exec(stderr)?.[0] ?? "");
    expect(address.searchParams.get("scope")).toBe("openid email");
    expect(new URL(address.searchParams.get("redirect_uri") ?? "").port).toBe(port);
  });

  /** Two profiles that are signed in, and have a selected workspace. */
  async function twoProfiles(): Promise<string> {
    const config = await the().emptyConfig();
    expect((await login(config, ["--tenant-name", "tenant"])).exitCode).toBe(0);
    const second = ["--tenant-name", "tenant", "--profile", "second"];
    expect((await login(config, second)).exitCode).toBe(0);
    return config;
  }
  const stateOf = async (config: string, profile: string) =>
    (await the().json(`whoami --profile ${profile}`, { config, as: "anonymous" })).json;
  const selected = { settings: { workspace: { value: { slug: "tenant" } } } };

  test("logout deletes tokens.json and every selected workspace", async () => {
    const config = await twoProfiles();
    const out = await the().svc("logout", { config, as: "anonymous" });
    expect(out).toMatchObject({ exitCode: 0, stdout: "Signed out\n", stderr: "" });
    expect(await readdir(config)).not.toContain("tokens.json");
    for (const profile of ["default", "second"]) {
      const state = await stateOf(config, profile);
      expect(state).toMatchObject({ signedIn: false, otherOrigins: [] });
      expect(state).not.toHaveProperty("settings.workspace");
    }
  });

  test.each([
    ["--profile second", {}],
    ["", { SVC_PROFILE: "second" }],
  ])("logout %s %j signs out only that profile", async (words, variables) => {
    const config = await twoProfiles();
    const out = await the().svc(`logout ${words}`.trim(), { config, as: "anonymous", variables });
    expect(out).toMatchObject({ exitCode: 0, stdout: "Signed out\n" });
    expect(await stateOf(config, "default")).toMatchObject({ signedIn: true, ...selected });
    const state = await stateOf(config, "second");
    expect(state).toMatchObject({ signedIn: false });
    expect(state).not.toHaveProperty("settings.workspace");
  });

  test("logout deletes a damaged tokens.json", async () => {
    const config = await the().emptyConfig();
    await writeFile(join(config, "tokens.json"), "{");
    expect((await the().svc("logout", { config, as: "anonymous" })).exitCode).toBe(0);
    expect(await readdir(config)).not.toContain("tokens.json");
  });

  test.each(["a folder", "a symbolic link"])(
    "logout removes opened files and what killed commands left, in %s",
    async (kind) => {
      const config = await the().emptyConfig();
      const opened =
        kind === "a folder" ? join(config, "opened") : await temporaryDirectory("kept");
      if (kind === "a folder") await mkdir(opened);
      else await symlink(opened, join(config, "opened"));
      await mkdir(join(opened, "file-a1b2c3"));
      await writeFile(join(opened, "file-a1b2c3", "plan.pdf"), "%PDF");
      await writeFile(join(opened, "a file of the user"), "");
      const names = ["svc-edit-", "svc-demo-", "svc-edit-"];
      const left = await Promise.all(names.map((name) => mkdtemp(join(tmpdir(), name))));
      const [edited = "", demo = "", running = ""] = left;
      const old = new Date(Date.now() - 8 * 24 * 3_600_000);
      for (const folder of [edited, demo]) {
        await writeFile(join(folder, "record.json"), "{}");
        await utimes(folder, old, old);
      }
      expect((await the().svc("logout", { config, as: "anonymous" })).exitCode).toBe(0);
      expect(await readdir(opened)).toEqual(["a file of the user"]);
      const present = await Promise.all(left.map((folder) => stat(folder).catch(() => undefined)));
      expect(present.map((facts) => facts !== undefined)).toEqual([false, false, true]);
      await rm(running, { recursive: true });
    },
  );

  test("logout says that SVC_TOKEN still signs in", async () => {
    const out = await the().svc("logout", { config: await the().emptyConfig() });
    expect(out).toMatchObject({
      exitCode: 0,
      stdout: "You were not signed in\n",
      stderr: "SVC_TOKEN is still set, and commands use it\n",
    });
  });

  test("selects the named workspace", async () => {
    const config = await the().emptyConfig();
    const { exitCode, stdout } = await login(config, [
      "--tenant-name",
      "tenant",
      "--format",
      "json",
    ]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      signedIn: true,
      email,
      baseUrl: testBaseUrl,
      workspace: { slug: "tenant" },
    });
  });

  test("does not store a platform that only a project names", async () => {
    const config = await the().emptyConfig();
    const project = await temporaryDirectory("project");
    await writeFile(join(project, ".env.local"), `BASE_URL_PUBLIC_API=${testBaseUrl}\n`);
    expect(await login(config, [], project)).toMatchObject({ exitCode: 0 });
    const variables = { BASE_URL_PUBLIC_API: undefined };
    const own = { config, as: "anonymous", variables } as const;
    expect(await the().svc("whoami", own)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(
        `Signed in to ${testBaseUrl}, but not to http://127.0.0.1:4400: run \`svc login\``,
      ),
    });
  });

  test("fails before the sign-in when tokens can't be stored", async () => {
    const config = await the().emptyConfig();
    await mkdir(join(config, "tokens.lock"));
    let asked = 0;
    const { exitCode, json } = await the().json("login", {
      config,
      as: "anonymous",
      fetch: (request) => {
        asked += 1;
        return fetchPage(request);
      },
    });
    expect({ exitCode, asked }).toEqual({ exitCode: 1, asked: 0 });
    expect(json).toMatchObject({
      error: {
        code: "E006",
        message: "Failed to load configuration: tokens.json: it is a folder",
        hint: `The file is in ${config}; SVC_CONFIG_DIR sets another folder`,
      },
    });
  });

  test("refuses two workspaces, an invalid port, and a platform that is down", async () => {
    const both = await the().svc("login --tenant-name a --tenant-id b", { fetch: platformDown });
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain("--tenant-name and --tenant-id exclude each other");
    const port = await the().svc("login --callback-port 70000", { fetch: platformDown });
    expect(port.exitCode).toBe(2);
    expect(port.stderr).toContain('--callback-port "70000" is not a whole number from 1 to 65535');
    const idle = await the().svc("login --device --callback-port 7000", { fetch: platformDown });
    expect(idle.exitCode).toBe(2);
    expect(idle.stderr).toContain("--callback-port and --device exclude each other");
    const down = await the().json("login --device", { fetch: platformDown });
    expect(down).toMatchObject({ exitCode: 1, json: { error: { code: "E201" } } });
  });
});
