import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { userEnvironment } from "#test/support/environment.ts";
import { svc, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openTerminal } from "#test/support/tty.ts";

/** A home with its own folder for temporary files, which shows the files that are left. */
async function homeWithTemporary(): Promise<{
  home: string;
  env: Record<string, string>;
  left(): Promise<string[]>;
}> {
  const home = await temporaryDirectory("home");
  const temporary = join(home, "tmp");
  await mkdir(temporary);
  return { home, env: { TMPDIR: temporary }, left: () => readdir(temporary) };
}

test("the tour as JSON is one value with its steps, and leaves no files", async () => {
  const { home, env, left } = await homeWithTemporary();
  // A killed demo of a week ago left its platform's data.
  const killed = join(home, "tmp", "svc-demo-killed");
  await mkdir(join(killed, "data"), { recursive: true });
  const old = new Date(Date.now() - 8 * 24 * 3_600_000);
  await utimes(killed, old, old);
  // The tour as text is a part of offline.test.ts.
  const words = ["demo", "--format", "json"];
  const { stdout, stderr, exitCode } = await svc(words, { home, env, timeoutMs: 60_000 });
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  const tour = JSON.parse(stdout) as { ok: boolean; steps: { command: string; outcome: string }[] };
  expect(tour.ok).toBe(true);
  expect(tour.steps[0]?.command).toBe("svc whoami");
  expect(tour.steps.at(-1)?.command).toContain("svc chat send ");
  expect(tour.steps.at(-1)?.outcome).toContain("quoted verbatim from ");
  expect(await left()).toEqual([]);
  // The user's own sign-in and settings are not touched.
  expect(await readdir(home)).toEqual(["tmp"]);
}, 60_000);

test("a temporary folder that is not there is named, and what names another one", async () => {
  const home = await temporaryDirectory("home");
  const missing = join(home, "nowhere");
  const { stderr, exitCode } = await svc(["demo", "--", "workspace", "list"], {
    home,
    env: { TMPDIR: missing },
  });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(`cannot create a temporary directory in ${missing}: it does not exist`);
  expect(stderr).toContain("Set TMPDIR to use another folder");
});

describe("one command against the sample data", () => {
  const words = ["resources", "list", "planning-application", "--limit", "2"];

  test("prints what the command prints, and ends with 0", async () => {
    const { home, env, left } = await homeWithTemporary();
    const text = await svc(["demo", "--", ...words], { home, env });
    expect({ stderr: text.stderr, exitCode: text.exitCode }).toEqual({
      stderr: "More: --page 2\n",
      exitCode: 0,
    });
    expect(text.stdout.trimEnd().split("\n")).toHaveLength(3);
    expect(await left()).toEqual([]);
  }, 60_000);

  test("ends as the command ends", async () => {
    const { home, env, left } = await homeWithTemporary();
    const failed = await svc(["demo", "--", "resources", "list", "nothing"], { home, env });
    expect(failed).toMatchObject({ exitCode: 1, stdout: "" });
    expect(failed.stderr).toContain("Error E202: Object Type nothing not found");
    expect(await left()).toEqual([]);
  }, 60_000);
});

describe("Ctrl-C", () => {
  test.each([
    ["once", "SIGINT", 130],
    ["once", "SIGTERM", 130],
    ["twice", "SIGINT", 130],
  ] as const)(
    "%s (%s) ends it and leaves no files",
    async (times, signal, exitCode) => {
      const { home, env, left } = await homeWithTemporary();
      const child = Bun.spawn([await svcExecutable(), "demo"], {
        cwd: home,
        env: userEnvironment(home, env),
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 60_000,
      });
      while ((await left()).length === 0) await Bun.sleep(5);
      child.kill(signal);
      if (times === "twice") child.kill(signal);
      const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
      expect(code).toBe(exitCode);
      expect(stderr).not.toMatch(/^\s+at |Error/m);
      expect(await left()).toEqual([]);
    },
    60_000,
  );
});

test("with --accessible its dashboard is lines, which move no cursor", async () => {
  const { home, env } = await homeWithTemporary();
  await using terminal = openTerminal({
    command: await svcExecutable(),
    args: ["demo", "--accessible"],
    env: userEnvironment(home, env),
    cwd: home,
  });
  await terminal.waitFor("The dashboard as lines", { timeoutMs: 20_000 });
  await terminal.waitFor("DUE NEXT", { timeoutMs: 20_000 });
  expect(terminal.raw()).not.toContain("\x1b[");
  terminal.write("q\r");
  expect(await terminal.exitCode).toBe(0);
});

test("on a terminal it opens the dashboard, serves others, and takes it all away again", async () => {
  const { home, env, left } = await homeWithTemporary();
  await using terminal = openTerminal({
    command: await svcExecutable(),
    args: ["demo"],
    env: userEnvironment(home, env),
    cwd: home,
    cols: 120,
    rows: 40,
  });
  await terminal.waitFor("planning", { timeoutMs: 20_000 });
  expect(await left()).toHaveLength(1);
  // Commands of other shells run on it, so that none makes a demo.
  const words = ["resources", "list", "planning-application", "--limit", "2", "--format", "json"];
  const json = await svc(["demo", "--", ...words], { home, env });
  expect(JSON.parse(json.stdout)).toMatchObject({
    items: [{ type: "planning-application" }, { type: "planning-application" }],
  });
  const usage = await svc(["demo", "--", "resources", "lsit"], { home, env });
  expect(usage.exitCode).toBe(2);
  const { stdout } = await svc(["demo", "--", "whoami", "--format", "json"], { home, env });
  const { settings } = JSON.parse(stdout) as { settings: { baseUrl: { value: string } } };
  const page = await fetch(`${settings.baseUrl.value}/docs`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("svc");
  expect(await left()).toHaveLength(1);
  terminal.write("q");
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.modes()).toMatchObject({
    alternateScreen: false,
    cursorHidden: false,
    raw: false,
  });
  expect(await left()).toEqual([]);
}, 60_000);
