import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { configurationServer } from "./configuration-server.ts";
import { runCommand, type CallSettings } from "./world.ts";

/** A project `portal` with this `.env.local`, and calls of `svc` in it with an own store. */
async function project(text?: string) {
  const root = join(await temporaryDirectory("project"), "portal");
  const config = await temporaryDirectory("config");
  const file = join(root, ".env.local");
  await Bun.write(join(root, "src/eai.config/object-types.json"), "[]");
  if (text !== undefined) await Bun.write(file, text);
  const svc = (words: string, settings: CallSettings = {}) =>
    runCommand(words, {
      config,
      currentDirectory: root,
      fetch: () => Promise.reject(new Error("no network")),
      ...settings,
    });
  const json = async (words: string, settings?: CallSettings) => {
    const called = await svc(`${words} --format json`, settings);
    return { ...called, json: called.json };
  };
  return { root, config, file, svc, json, text: () => Bun.file(file).text() };
}

const lines = [
  "# the portal",
  "SVC_APP_KEY=portal",
  "GREETING='Good day'",
  "API_TOKEN=t0p-secret-value",
  "DATABASE_URL=postgres://svc:hunter22@db/portal",
  "",
].join("\n");

describe("the folder store", () => {
  test("carries variables from one checkout to another; secrets only by name", async () => {
    const one = await project(lines);
    const pushed = await one.json("env push");
    expect(pushed.exitCode).toBe(0);
    expect(pushed.json).toMatchObject({
      store: join(one.config, "env"),
      project: "portal",
      label: "dev",
      pushed: ["SVC_APP_KEY", "GREETING"],
      skipped: [
        { name: "API_TOKEN", reason: "secret" },
        { name: "DATABASE_URL", reason: "secret" },
      ],
    });
    const two = await project("# mine\nexport GREETING=old\nLOCAL=1\n");
    const pulled = await two.json("env pull", { config: one.config });
    expect(pulled.json).toMatchObject({ written: ["SVC_APP_KEY", "GREETING"], unchanged: 0 });
    expect(await two.text()).toBe("# mine\nGREETING='Good day'\nLOCAL=1\nSVC_APP_KEY=portal\n");
    expect((await stat(two.file)).mode & 0o777).toBe(0o600);
    expect((await readdir(two.root)).toSorted()).toEqual([".env.local", "src"]);
    const again = await two.svc("env pull --env dev", { config: one.config });
    expect(again.stderr).toBe("0 variables written to .env.local, 2 unchanged\n");
  });

  test("finds them again from a clone in a folder of any name", async () => {
    const one = await project(lines);
    const two = await project();
    await Bun.write(join(one.root, "package.json"), '{"name":"@council/desk"}');
    // Variables of a former build, which stored them under the app or the folder.
    const former = { name: "FORMER", value: "1" };
    const stale = { name: "GREETING", value: "stale" };
    const settings = [former, stale];
    await Bun.write(join(one.config, "env/portal/dev.json"), JSON.stringify({ settings }));
    expect((await one.json("env push")).json).toMatchObject({ project: "council-desk" });
    const clone = join(two.root, "../any-name");
    await Bun.write(join(clone, "package.json"), '{"name":"@council/desk"}');
    await Bun.write(join(clone, "src/eai.config/object-types.json"), "[]");
    const call = { config: one.config, currentDirectory: clone };
    const pulled = await two.json("env pull", call);
    expect(pulled.json).toMatchObject({
      project: "council-desk",
      written: ["SVC_APP_KEY", "GREETING"],
    });
    // The app is known now, so its name is looked up too.
    expect((await two.json("env pull", call)).json).toMatchObject({ written: ["FORMER"] });
    expect(await Bun.file(join(clone, ".env.local")).text()).toContain("GREETING='Good day'");
  });

  test("finds them by the name of the repository", async () => {
    const one = await project(lines);
    const origin = '[remote "origin"]\n\turl = git@code.example:council/desk.git\n\tfetch = +x\n';
    await Bun.write(join(one.root, ".git/config"), `[core]\n\tbare = false\n${origin}`);
    expect((await one.json("env push")).json).toMatchObject({ project: "desk" });
  });

  test("--key sends a secret, and --include-secrets writes it", async () => {
    const one = await project(lines);
    expect((await one.json("env push --label test --key API_TOKEN")).json).toMatchObject({
      label: "test",
      pushed: ["API_TOKEN"],
      skipped: [],
    });
    const stored = join(one.config, "env", "portal", "test.json");
    expect((await stat(stored)).mode & 0o777).toBe(0o600);
    const without = await one.json("env pull --label test");
    expect(without.json).toMatchObject({
      written: [],
      skipped: [{ name: "API_TOKEN", reason: "secret" }],
    });
    const two = await project("SVC_APP_KEY=portal\n");
    const settings = { config: one.config };
    const pulled = await two.svc("env pull --env test --include-secrets", settings);
    expect(await two.text()).toBe("SVC_APP_KEY=portal\nAPI_TOKEN=t0p-secret-value\n");
    expect(pulled.stdout + pulled.stderr).not.toContain("t0p-secret-value");
    const absent = await one.json("env push --key NOTHING");
    expect(absent).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
  });

  test("values with quotes, blanks and line ends survive", async () => {
    const values = { A: 'it\'s "so"', B: "one\\two\nthree", C: "a # b", D: "", E: "$HOME `x`" };
    const one = await project();
    const store = join(one.config, "env/portal/dev.json");
    const settings = Object.entries(values).map(([name, value]) => ({ name, value }));
    await Bun.write(store, JSON.stringify({ version: 1, settings }));
    expect((await one.svc("env pull")).exitCode).toBe(0);
    const { parseEnv } = await import("#local/env/file.ts");
    expect(Object.fromEntries(parseEnv(await one.text()))).toEqual(values);
  });

  test("a hostile store can't add lines, start programs or draw", async () => {
    const one = await project();
    const store = join(one.config, "env/portal/dev.json");
    const settings = [
      { name: "NODE_OPTIONS", value: "--require ./x.js" },
      { name: "LD_PRELOAD", value: "/tmp/x.so" },
      { name: "A B\nC", value: "1" },
      { name: "NUL", value: "\0" },
      { name: "\u001b[2J", value: "1" },
      { name: "GOOD", value: "1\nEVIL=2" },
    ];
    await Bun.write(store, JSON.stringify({ settings }));
    const { stdout, stderr } = await one.svc("env pull");
    expect(stdout + stderr).not.toContain("\u001b");
    expect(await one.text()).toBe('GOOD="1\\nEVIL=2"\n');
  });

  test("refuses labels that are paths, damaged stores and relative folders", async () => {
    const one = await project(lines);
    for (const words of ["env pull --label ../x", "env pull --env a/b", "env push --label .."]) {
      expect((await one.json(words)).json).toMatchObject({ error: { code: "E305" } });
    }
    await Bun.write(join(one.config, "env/portal/dev.json"), "{");
    expect((await one.json("env pull")).json).toMatchObject({ error: { code: "E006" } });
    const relative = await one.json("env pull", { variables: { SVC_ENV_STORE: "store" } });
    expect(relative.json).toMatchObject({
      error: { message: expect.stringContaining("SVC_ENV_STORE must be an absolute path") },
    });
  });

  test("a project's own file can't choose the store", async () => {
    const elsewhere = await temporaryDirectory("elsewhere");
    const one = await project(`SVC_ENV_STORE=${elsewhere}\nGREETING=x\n`);
    await one.svc("env push");
    expect(await readdir(elsewhere)).toEqual([]);
    const chosen = { variables: { SVC_ENV_STORE: elsewhere } };
    await one.svc("env push", chosen);
    expect(await readdir(elsewhere)).toEqual(["portal"]);
  });

  test("needs a project", async () => {
    const currentDirectory = await temporaryDirectory("nothing");
    for (const words of ["env pull", "env list", "env push"]) {
      const { json } = await runCommand(`${words} --format json`, { currentDirectory });
      expect(json).toMatchObject({ error: { code: "E001" } });
    }
  });
});

describe("env list", () => {
  test("masks secrets without --show-secrets", async () => {
    const { svc, json } = await project(lines);
    const { stdout } = await svc("env list");
    expect(stdout).toContain("Good day");
    expect(stdout).not.toMatch(/t0p-secret|hunter22/);
    expect((await json("env list")).json).toMatchObject({
      variables: [
        { name: "SVC_APP_KEY", value: "portal", secret: false },
        { name: "GREETING", value: "Good day", secret: false },
        { name: "API_TOKEN", value: "••••••••", secret: true },
        { name: "DATABASE_URL", value: "••••••••", secret: true },
      ],
    });
    expect((await svc("env list --show-secrets")).stdout).toContain("t0p-secret-value");
  });
});

describe("Azure App Configuration", () => {
  test("stores and reads settings by its client, signed", async () => {
    await using server = configurationServer();
    const variables = { AZURE_APPCONFIG_CONNECTION_STRING: server.connectionString };
    // The real network: the server is on this machine.
    const settings = { variables, fetch: (request: Request) => fetch(request) };
    const one = await project(lines);
    const pushed = await one.json("env push --label test", settings);
    expect(pushed.json).toMatchObject({
      store: server.origin,
      pushed: ["SVC_APP_KEY", "GREETING"],
    });
    expect(server.settings()).toMatchObject([
      { key: "svc/portal/SVC_APP_KEY", label: "test", value: "portal" },
      { key: "svc/portal/GREETING", label: "test", value: "Good day" },
    ]);
    const two = await project("SVC_APP_KEY=portal\n");
    const pulled = await two.json("env pull --label test", settings);
    expect(pulled.json).toMatchObject({ written: ["GREETING"], unchanged: 1 });
    expect((await two.json("env pull", settings)).json).toMatchObject({ written: [] });
    expect(server.refused).toBe(0);
  });

  test("reports wrong credentials without showing them", async () => {
    await using server = configurationServer();
    const wrong = server.connectionString.replace(/Secret=.*/, `Secret=${btoa("wrong-secret")}`);
    const one = await project(lines);
    const { exitCode, stdout, stderr } = await one.svc("env pull", {
      variables: { AZURE_APPCONFIG_CONNECTION_STRING: wrong },
      fetch: (request) => fetch(request),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("refused the credentials (HTTP 401)");
    expect(stdout + stderr).not.toContain(btoa("wrong-secret"));
    const broken = await one.json("env pull", {
      variables: { AZURE_APPCONFIG_CONNECTION_STRING: "Endpoint=http://example.org;Id=a;Secret=b" },
    });
    expect(broken.json).toMatchObject({ error: { code: "E006" } });
  });
});
