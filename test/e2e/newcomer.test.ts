import { mkdir, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { finished } from "../../scripts/build/finished.ts";
import { cleanEnvironment, userEnvironment } from "../support/environment.ts";
import { compile, makeConsumer } from "../support/library-consumer.ts";
import { findNode } from "../support/node.ts";
import type { RunningPlatform } from "../support/platform-process.ts";
import { startPlatform, svcExecutable } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** README.md as a newcomer follows it, in an empty folder and without a network. */

const repository = resolve(import.meta.dirname, "../..");
const compiler = join(repository, "node_modules/typescript/bin/tsc");

/** The blocks of the section "A project". */
async function readmeBlocks(language: string): Promise<readonly string[]> {
  const text = await Bun.file(join(repository, "README.md")).text();
  const section = /^## A project$(.*?)^## /ms.exec(text)?.[1] ?? "";
  const pattern = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms");
  return Array.from(section.matchAll(pattern), ([, code = ""]) => code);
}

let platform: RunningPlatform;
let blocks: readonly string[];
let variables: Record<string, string>;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
  blocks = await readmeBlocks("sh");
  const home = await temporaryDirectory("newcomer");
  // The name of the compiled program is another one here.
  const programs = join(home, "bin");
  await mkdir(programs);
  await symlink(await svcExecutable(), join(programs, "svc"));
  const folders = [programs, dirname(findNode()), "/usr/bin", "/bin"];
  variables = userEnvironment(home, {
    PATH: folders.join(":"),
    BASE_URL_PUBLIC_API: platform.url,
    SVC_TOKEN: await platform.token(),
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_offline: "true",
  });
}, 120_000);

afterAll(async () => await platform.stop());

/** Runs lines as a person types them. */
async function typed(cwd: string, lines: string, more: Record<string, string> = {}) {
  const child = Bun.spawn(["sh", "-ec", lines], {
    cwd,
    env: { ...variables, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return await finished(child);
}

/** Starts a server, and resolves to its address once it has said it. */
async function serving(cwd: string, command: readonly string[]) {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...variables, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    if (said.includes("ready on")) break;
  }
  const origin = /http:\S+/.exec(said)?.[0] ?? "";
  return {
    origin,
    read: async (path: string) => await fetch(origin + path),
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

describe("the README leads without a network to", () => {
  test("a web app that tests, builds, checks its types strictly, and serves its pages", async () => {
    const folder = await temporaryDirectory("empty");
    const lines = (blocks[0] ?? "").split("\n").filter((line) => !line.startsWith("svc dev"));
    const made = await typed(folder, lines.join("\n"));
    expect(made.stderr).toContain("npm install && npm test && svc dev");
    expect(made).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("built dist/") });
    const root = join(folder, "tree-register");
    const types = await typed(root, `"${process.execPath}" "${compiler}" -p .`);
    expect(types).toEqual({ exitCode: 0, stdout: "", stderr: "" });

    for (const command of [
      ["svc", "dev", "--port", "0"],
      [findNode(), "dist/server.mjs"],
    ]) {
      await using app = await serving(root, command);
      const page = await app.read("/");
      expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
      expect(await page.text()).toContain("<title>tree-register</title>");
      const code = await (await app.read("/app/main.js")).text();
      expect(code).toContain('from "/svc.js"');
      expect(code).not.toContain("Promise<void>");
      expect((await app.read("/svc.js")).status).toBe(200);
      expect((await app.read("/..%2fpackage.json")).status).toBe(404);
      expect(await (await app.read("/v4/data/resources/health")).json()).toMatchObject({
        status: "ok",
      });
      expect(await (await app.read("/sign-in/settings")).json()).toEqual({
        issuer: `${platform.url}/auth`,
        authorization: expect.stringContaining(`${platform.url}/auth/`),
        clientId: "svc",
        scope: "openid profile email offline_access",
        redirectUri: `${app.origin}/callback`,
      });
    }
  }, 120_000);

  test("a script that runs with the newcomer's sign-in, and ends without it", async () => {
    const folder = await temporaryDirectory("empty");
    const made = await typed(folder, blocks[1] ?? "");
    expect(made).toMatchObject({ exitCode: 0 });
    expect(made.stderr).toContain("npm install && npm test && svc dev --with-token");
    expect(made.stdout).toContain("planning\tplanning-application\n");
    const without = await typed(join(folder, "nightly-report"), "svc dev");
    expect(without).toMatchObject({ exitCode: 1, stdout: "" });
    expect(without.stderr).toContain("SVC_TOKEN is missing");
  }, 60_000);

  test("a typed client, which svc types pull teaches the records of a workspace", async () => {
    const folder = await temporaryDirectory("empty");
    const packed = await makeConsumer({});
    const staged = join(packed, "node_modules/@svc-platform/client");
    const pack = await typed(staged, "npm pack --ignore-scripts --silent");
    const PACKAGE = join(staged, basename(pack.stdout.trim()));
    const made = await typed(folder, blocks[2] ?? "", { PACKAGE });
    expect(made).toMatchObject({ exitCode: 0 });
    const [program = ""] = await readmeBlocks("ts");
    const slip =
      '  const slip: "refrence" extends keyof typeof data ? never : "slip" = "slip";\n  void slip;\n';
    await writeFile(join(folder, "src/main.ts"), program.replace("  console.log", `${slip}$&`));
    // The types of Node, which such a program needs, are not of ours.
    for (const name of ["@types/node", "undici-types"]) {
      await mkdir(join(folder, "node_modules", name, ".."), { recursive: true });
      const installed = join(repository, "node_modules", name);
      await symlink(installed, join(folder, "node_modules", name));
    }
    const compiled = await compile(folder, "src/main.ts", { checksLibraries: false });
    expect(compiled).toEqual([0, ""]);
    const child = Bun.spawn([findNode(), "out/src/main.js"], {
      cwd: folder,
      env: cleanEnvironment(variables),
      stdio: ["ignore", "pipe", "inherit"],
    });
    expect(await child.stdout.text()).toContain("decided\n");
  }, 120_000);
});
