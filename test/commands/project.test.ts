import { chmod, mkdir, readdir, rm, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { createClient as createClientHere } from "#client/index.ts";
import { devVariables } from "#commands/dev.ts";
import { version } from "#lib/version.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, runCommand, type CallSettings } from "./world.ts";

const the = commandWorld();

/** A folder, and calls of `svc` in it with its own configuration. */
async function place() {
  const folder = await temporaryDirectory("work");
  const config = await temporaryDirectory("config");
  const svc = (words: string, settings: CallSettings = {}) =>
    runCommand(words, { config, currentDirectory: folder, ...settings });
  return { folder, config, svc };
}

/** A new project of a template, and calls of `svc` in it. */
async function project(words = "") {
  const { folder, config, svc } = await place();
  const made = await svc(`init tree-register --skip-prompts${words}`);
  const root = join(folder, "tree-register");
  const inside = (more: string, settings: CallSettings = {}) =>
    svc(more, { currentDirectory: root, ...settings });
  const json = async (more: string, settings: CallSettings = {}) => {
    const called = await inside(`${more} --format json`, settings);
    return { ...called, json: called.json };
  };
  return { root, config, made, svc: inside, json };
}

/** A registry whose latest version is this one. */
function registry(latest: string): CallSettings {
  return {
    variables: { SVC_REGISTRY_URL: "https://registry.test" },
    fetch: (request) => {
      expect(request.url).toBe("https://registry.test/@svc-platform%2fsvc/latest");
      expect(request.headers.get("authorization")).toBeNull();
      return Promise.resolve(Response.json({ version: latest }));
    },
  };
}

describe("init", () => {
  test("--from script --package-profile internal makes that project", async () => {
    const { root, made } = await project(" --from script --package-profile internal");
    expect(made.exitCode).toBe(0);
    expect(await Bun.file(join(root, "package.json")).json()).toMatchObject({
      name: "tree-register",
      dependencies: { svc: "file:vendor/svc" },
      svc: { packageProfile: "internal" },
    });
    expect(await Bun.file(join(root, ".svc/project.json")).json()).toMatchObject({
      template: "script",
      packageProfile: "internal",
      version,
    });
  });

  test("the library in a project is the client", async () => {
    const { root } = await project();
    const path = join(root, "vendor/svc/index.js");
    const { createClient } = (await import(path)) as { createClient: typeof createClientHere };
    expect(createClient({ baseUrl: "http://platform.test" }).baseUrl).toBe("http://platform.test");
  });

  test("--current-dir writes here, and replaces nothing", async () => {
    const { folder, svc } = await place();
    await Bun.write(join(folder, "README.md"), "mine");
    const refused = await svc("init portal --current-dir --format json");
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
    expect(await readdir(folder)).toEqual(["README.md"]);
    await rm(join(folder, "README.md"));
    expect((await svc("init portal --current-dir --no-gofer")).exitCode).toBe(0);
    const entries = await readdir(folder);
    expect(entries).toContain("package.json");
    expect(entries).not.toContain(".svc");
    expect(entries).not.toContain("AGENTS.md");
  });

  test("never asks without a terminal, and refuses paths", async () => {
    const { folder, svc } = await place();
    expect((await svc("init --format json")).json).toMatchObject({ error: { code: "E303" } });
    expect((await svc("init ../out --format json")).json).toMatchObject({
      error: { code: "E305" },
    });
    expect(await readdir(folder)).toEqual([]);
  });

  test("--company-workspace creates the app before it writes files", async () => {
    const folder = await temporaryDirectory("work");
    const sent: unknown[] = [];
    const { platform } = the();
    const answering =
      (status: number): NonNullable<CallSettings["fetch"]> =>
      async (request) => {
        if (!request.url.endsWith("/apps")) return platform.platform.fetch(request);
        sent.push(await request.json());
        return Response.json({ status, title: "No", code: "x" }, { status });
      };
    const words =
      "init portal --company-tenant tenant --parent-tenant tenant --child-tenant portal-run " +
      "--create-child-tenant";
    const denied = await the().json("init denied --company-workspace tenant", {
      currentDirectory: folder,
      fetch: answering(403),
    });
    expect(denied).toMatchObject({ exitCode: 1, json: { error: { code: "E204" } } });
    expect(await readdir(folder)).toEqual([]);
    const made = await the().json(words, { currentDirectory: folder, fetch: answering(201) });
    expect(made.json).toMatchObject({
      app: { key: "portal", workspace: "tenant", created: true },
    });
    expect(sent.at(-1)).toMatchObject({
      key: "portal",
      source: "eai-cli",
      runtimeTenantId: expect.any(String),
    });
    const env = join(folder, "portal/.env.local");
    expect(await Bun.file(env).text()).toBe("SVC_APP_KEY=portal\nSVC_VERTICAL_KEY=portal\n");
    expect((await stat(env)).mode & 0o777).toBe(0o600);
    const bound = await the().json("init other --company-workspace tenant", {
      currentDirectory: folder,
      fetch: answering(409),
    });
    expect(bound.json).toMatchObject({ app: { key: "other", created: false } });
  });
});

describe("gofer refresh and template check", () => {
  test("restore missing files, keep changed ones, and back up with --force", async () => {
    const { root, svc, json } = await project();
    expect((await json("gofer refresh --check")).json).toMatchObject({ ok: true });
    await rm(join(root, "server.mjs"));
    await Bun.write(join(root, "AGENTS.md"), "my notes");
    await Bun.write(join(root, "src/app/main.ts"), "my page");
    expect((await json("template check")).exitCode).toBe(1);
    const check = await json("gofer refresh --check");
    expect(check).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(await Bun.file(join(root, "server.mjs")).exists()).toBe(false);
    const plain = await svc("gofer refresh");
    expect(plain.exitCode).toBe(1);
    expect(plain.stdout).toContain("! AGENTS.md (changed by you, kept)");
    expect(await Bun.file(join(root, "server.mjs")).exists()).toBe(true);
    const forced = await json("gofer refresh --force");
    expect(forced.exitCode).toBe(0);
    const { files } = forced.json as { files: { path: string; backup?: string }[] };
    const backup = files.find(({ path }) => path === "AGENTS.md")?.backup ?? "";
    expect(await Bun.file(join(root, backup)).text()).toBe("my notes");
    expect(await Bun.file(join(root, "src/app/main.ts")).text()).toBe("my page");
  });

  test("--preserve-ui leaves pages out of the steps, --ai-plan prints them", async () => {
    const { root, svc, json } = await project();
    await Bun.write(join(root, "src/app/main.ts"), "my page");
    expect((await json("template check --preserve-ui")).exitCode).toBe(0);
    expect((await json("template check --no-preserve-ui")).exitCode).toBe(1);
    const plan = await svc("template check --ai-plan --no-preserve-ui");
    expect(plan.stdout).toContain("1. `src/app/main.ts` is changed");
    expect((await svc("template check --ai-plan")).stdout).toContain("Nothing is to be done.");
  });

  test("a link out of the project is not followed", async () => {
    const { root, json } = await project();
    const outside = await temporaryDirectory("outside");
    await rm(join(root, "vendor"), { recursive: true });
    await mkdir(join(outside, "svc"));
    await symlink(outside, join(root, "vendor"));
    expect((await json("gofer refresh --force")).json).toMatchObject({
      error: { code: "E005", hint: expect.stringContaining("leads out of the project") },
    });
    expect(await readdir(join(outside, "svc"))).toEqual([]);
  });

  test("a damaged record is E005, and so is none", async () => {
    const { root, json } = await project();
    await Bun.write(join(root, ".svc/project.json"), "{");
    expect((await json("gofer refresh")).json).toMatchObject({ error: { code: "E005" } });
    await rm(join(root, ".svc"), { recursive: true });
    expect((await json("template check")).json).toMatchObject({ error: { code: "E005" } });
  });
});

describe("update", () => {
  test("--check compares versions and changes nothing", async () => {
    const { root, json } = await project();
    await rm(join(root, "build.mjs"));
    const behind = await json("update --check", registry("99.0.0"));
    expect(behind).toMatchObject({
      exitCode: 1,
      json: { update: { current: version, latest: "99.0.0", isNewer: true } },
    });
    expect(await Bun.file(join(root, "build.mjs")).exists()).toBe(false);
    const current = await json("update --check --no-project-refresh", registry(version));
    expect(current).toMatchObject({ exitCode: 0, json: { ok: true } });
    const unnamed = await json("update --check");
    expect(unnamed.json).toMatchObject({ error: { code: "E002" } });
    expect(JSON.stringify(unnamed.json)).toContain("svc update --from");
  });

  test("without a source of releases says so and fails, after it has renewed a project", async () => {
    const { root, svc, json } = await project();
    await rm(join(root, "build.mjs"));
    const outside = await json("update --no-project-refresh");
    expect(outside).toMatchObject({ exitCode: 1, json: { error: { code: "E002" } } });
    expect(await Bun.file(join(root, "build.mjs")).exists()).toBe(false);
    const inside = await svc("update");
    expect(inside).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("✓ build.mjs") });
    expect(inside.stderr).toContain("No newer version was looked for");
    expect(await Bun.file(join(root, "build.mjs")).exists()).toBe(true);
  });

  test("renews managed files after a backup, then checks the template", async () => {
    const { root, svc, json } = await project();
    await rm(join(root, "build.mjs"));
    const source = registry(version);
    expect((await svc("update --no-project-refresh", source)).stdout).toContain(`svc ${version}`);
    expect(await Bun.file(join(root, "build.mjs")).exists()).toBe(false);
    const { exitCode, json: answer } = await json("update", source);
    expect(exitCode).toBe(0);
    expect(answer).toMatchObject({ project: { matches: true } });
    expect(await Bun.file(join(root, "build.mjs")).exists()).toBe(true);
  });
});

describe("doctor", () => {
  const states = (json: unknown) =>
    Object.fromEntries(
      (json as { findings: { check: string; state: string }[] }).findings.map(
        ({ check, state }) => [check, state] as const,
      ),
    );

  test("finds and repairs rights, ignored files and managed files", async () => {
    const { root, config, json } = await project();
    const fetch: CallSettings["fetch"] = (request) => the().platform.platform.fetch(request);
    await Bun.write(join(config, "tokens.json"), '{"version":1,"signIns":[]}');
    await Bun.write(join(root, ".env.local"), "A=1\n");
    await chmod(join(config, "tokens.json"), 0o600);
    await chmod(join(root, ".env.local"), 0o644);
    await Bun.write(join(root, ".gitignore"), "dist");
    await rm(join(root, "server.mjs"));
    const before = await json("doctor", { fetch });
    expect(before.exitCode).toBe(1);
    expect(states(before.json)).toMatchObject({
      ".env.local": "failed",
      ".gitignore": "warning",
      "managed files": "failed",
      "tokens.json": "ok",
      platform: "ok",
      versions: "ok",
      profile: "ok",
      address: "ok",
    });
    const fixed = await json("doctor --fix", { fetch });
    expect(states(fixed.json)).toMatchObject({
      ".env.local": "fixed",
      ".gitignore": "fixed",
      "managed files": "fixed",
    });
    expect((await stat(join(root, ".env.local"))).mode & 0o777).toBe(0o600);
    expect(await Bun.file(join(root, ".gitignore")).text()).toBe("dist\n.env.local\n");
    expect((await json("doctor", { fetch })).exitCode).toBe(0);
  });

  test("compares the clock with the platform's, and reports one that is down", async () => {
    const { json } = await project();
    const late = await json("doctor", {
      fetch: () =>
        Promise.resolve(
          Response.json({ status: "ok" }, { headers: { date: "Thu, 01 Jan 2015 00:00:00 GMT" } }),
        ),
    });
    expect(states(late.json)).toMatchObject({ clock: "failed", platform: "ok" });
    const down = await json("doctor", { fetch: () => Promise.reject(new Error("down")) });
    expect(states(down.json)).toMatchObject({ platform: "failed" });
  });

  test("--check-updates asks the registry", async () => {
    const { json } = await project();
    const { variables } = registry("99.0.0");
    const fetch: CallSettings["fetch"] = (request) =>
      Promise.resolve(
        Response.json(request.url.includes("registry") ? { version: "99.0.0" } : { status: "ok" }),
      );
    const called = await json("doctor --check-updates", { ...(variables && { variables }), fetch });
    expect(states(called.json)).toMatchObject({ updates: "warning" });
  });
});

describe("dev", () => {
  test("checks the project first, unless --skip-checks is given", async () => {
    const { root, svc } = await project();
    const refused = await svc("dev --port 0 --turbo");
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain("The package svc is not installed");
    await Bun.write(join(root, "package.json"), "{}");
    expect((await svc("dev --skip-checks --no-turbo")).stderr).toContain("has no script `dev`");
  });

  test("gives the server its port and platform, and no secret that was not asked for", () => {
    const facts = { port: 3000, turbo: false, baseUrl: "http://platform.test" };
    const variables = { PATH: "/bin", SVC_TOKEN: "t", API_KEY: "k", DB: "postgres://a:b@c/d" };
    expect(devVariables(variables, facts)).toEqual({
      PATH: "/bin",
      PORT: "3000",
      BASE_URL_PUBLIC_API: "http://platform.test",
      SVC_DEV_TURBO: "0",
      BUN_BE_BUN: "1",
    });
    expect(devVariables({}, { ...facts, turbo: true })["SVC_DEV_TURBO"]).toBe("1");
    expect(devVariables(variables, { ...facts, token: "own" })["SVC_TOKEN"]).toBe("own");
  });
});
