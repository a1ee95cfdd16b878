import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { userEnvironment } from "../support/environment.ts";
import { svcExecutable } from "../support/svc.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { keys, openTerminal, type OpenedTerminal } from "../support/tty.ts";
import { copied, copyInForm } from "../ui/support/copied.ts";
import { goToApplications, patient } from "../ui/support/open-dashboard.ts";

const testLimitMs = 180_000;
const size = { cols: 120, rows: 40 };

interface Machine {
  readonly home: string;
  readonly env: Record<string, string>;
  /** Runs a command text in a shell that knows nothing of the dashboard. */
  run(text: string): Promise<string>;
}

/** A user's machine with `svc` on the path and its own folder for temporary files. */
async function machine(): Promise<Machine> {
  const home = await temporaryDirectory("home");
  const [bin, tmp, elsewhere] = ["bin", "tmp", "elsewhere"].map((name) => join(home, name));
  await Promise.all([bin, tmp, elsewhere].map((path) => mkdir(path ?? "")));
  await symlink(await svcExecutable(), join(bin ?? "", "svc"));
  // Other shells have no SVC_CONFIG_DIR: commands must name the folder.
  const { SVC_CONFIG_DIR, ...others } = userEnvironment(home, {
    TMPDIR: tmp,
    PATH: `${bin}:${process.env["PATH"]}`,
  });
  return {
    home,
    env: { ...others, SVC_CONFIG_DIR: SVC_CONFIG_DIR ?? "" },
    run: async (text) => {
      const child = Bun.spawn(["sh", "-c", text], {
        cwd: elsewhere ?? home,
        env: others,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: 60_000,
      });
      const [stdout, stderr, code] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ]);
      expect(code, `${text}\n${stderr}`).toBe(0);
      return stdout;
    },
  };
}

async function press(terminal: OpenedTerminal, key: string, shown: string | RegExp): Promise<void> {
  terminal.write(key);
  // A key immediately after Esc would be Alt with that key.
  if (key === keys.escape) await Bun.sleep(150);
  await terminal.waitFor(shown, patient);
  await terminal.waitForQuiet(100, patient);
}

test(
  "in a demo each copied command runs on the open demo, from any shell",
  async () => {
    const { env, home, run } = await machine();
    const command = await svcExecutable();
    await using terminal = openTerminal({ command, args: ["demo"], env, cwd: home, ...size });
    await terminal.waitFor(/PLANNING APPLICATION +\d/, patient);
    terminal.write("1");
    await terminal.waitFor("▸ assess-case", patient);
    /** Runs the command of a key, and looks at its text and at its output. */
    const check = async (words: string, output: string | RegExp, key?: string) => {
      const text = await copied(terminal, key);
      expect(text).toContain(`svc demo -- ${words}`);
      expect(await run(text)).toMatch(output);
      return text;
    };

    await check("resources schema", "assess-case");
    await goToApplications(terminal);
    // The profile of the demo has the workspace.
    expect(await check("resources list planning-application", "PA-2026-0042")).toBe(
      "svc demo -- resources list planning-application",
    );
    await press(terminal, "/", "filter");
    await terminal.type(`applicant:"O'Neill $(echo x) \`y\` & Co"`);
    await press(terminal, keys.enter, "No record matches");
    expect(await check("resources list", /^\s*$|No /)).toContain("O'\\''Neill");
    await press(terminal, keys.escape, "▸ PA-2026-0042");

    await press(terminal, "  ", "2 marked");
    const marked = await copied(terminal);
    const both = await run(marked);
    expect(both).toContain("PA-2026-0042");
    expect(both).toContain("PA-2026-0041");
    expect(both).not.toContain("PA-2026-0040");
    await press(terminal, keys.escape, /^(?!.*marked)/s);

    await press(terminal, "b", "planning-application by status");
    await check("resources aggregate planning-application", "decided");
    await press(terminal, keys.escape, "PA-2026-0042");
    terminal.write("g");
    await terminal.waitFor("▸ PA-2026-0042", patient);

    await press(terminal, "e", "Edit PA-2026-0042");
    terminal.write(keys.backspace);
    await terminal.type("9");
    await terminal.waitFor("PA-2026-0049", patient);
    await check("resources update planning-application", "PA-2026-0049", copyInForm);
    await press(terminal, keys.escape, "Close without saving");
    await press(terminal, "y", /▸ PA-2026-004[29]/);

    await press(terminal, "c", "Create planning-application");
    await terminal.type("PA-2026-7777\t1 Quay Street\to\t\t\t2026-11-21");
    await terminal.waitForQuiet(100, patient);
    await check("resources create planning-application", "PA-2026-7777", copyInForm);
    await press(terminal, keys.escape, "Close without saving");
    await press(terminal, "y", "▸ PA-");

    await press(terminal, keys.enter, /reference +PA-2026/);
    await check("resources get planning-application", "PA-2026-");
    await press(terminal, "]]", /operation/i);
    await check("resources history planning-application", "create");
    await press(terminal, keys.enter, "The record in this version");
    await check("resources get planning-application", "PA-2026-");
    await press(terminal, keys.escape, /operation/i);
    await press(terminal, keys.escape, "▸ PA-");

    await press(terminal, "2", "› documents");
    await terminal.waitFor(/▸[ •][a-z]/, patient);
    await check("docs get", /DOC-\d{4}-\d{6}/);
    // A document has its text once it is ready.
    await terminal.waitFor(/▸[ •][a-z].*✓ ready/, patient);
    await press(terminal, "t", "page 1");
    await check("docs get", /DOC-\d{4}-\d{6}/);

    await press(terminal, "3", "› jobs");
    await check("docs job", "succeeded");
    await press(terminal, "4", "planning-assistant");
    await press(terminal, "i", "a question");
    await terminal.type("When is the consultation's end?");
    await press(terminal, keys.escape, "i write a message");
    expect(await check("chat stream", /\S/)).toContain("--workflow planning-assistant");
    await press(terminal, "5", "› members");
    await terminal.waitFor("@", patient);
    await check("user list", "@");
    await press(terminal, "6", "› operations");
    await check("verify", "platform health");
    await press(terminal, "]", "[storage]");
    await check("resources storage doctor", /^/);
    await press(terminal, "w", "▾ northwind-council");
    await check("workspace select", "Selected planning");

    terminal.write(keys.ctrl("c"));
    await terminal.waitFor("Quit without saving", patient);
    terminal.write("y");
    expect(await terminal.exitCode).toBe(0);
  },
  testLimitMs,
);

test(
  "the local platform of a dashboard is reached by its copied commands while it is open",
  async () => {
    const { env, home, run } = await machine();
    const command = await svcExecutable();
    await using terminal = openTerminal({ command, env, cwd: home, ...size });
    await terminal.waitFor("start or use a platform on this machine", patient);
    const signIn = await copied(terminal);
    expect(signIn).toMatch(/svc login$/);
    await press(terminal, "l", "Your platform has no workspace yet");
    expect(await copied(terminal)).toMatch(/svc workspace create .*--slug my-workspace/);
    await press(terminal, "c", "New workspace");
    await terminal.type("My workspace");
    terminal.write(keys.tab);
    await terminal.type("my-workspace");
    await press(terminal, keys.ctrl("s"), "created my-workspace");
    await terminal.waitFor("the first Object Type", patient);
    terminal.write("w");
    await terminal.waitFor("my-workspace", patient);
    const select = await copied(terminal);
    expect(select).toMatch(/svc workspace select /);
    expect(await run(select)).toContain("Selected my-workspace");
    await press(terminal, "6", "› operations");
    expect(await run(await copied(terminal))).toContain("platform health");
    const isSignedIn = () => Bun.file(join(home, ".svc", "tokens.json")).exists();
    expect(await isSignedIn()).toBe(true);
    terminal.write("q");
    expect(await terminal.exitCode).toBe(0);
    // The sign-in ends with the platform.
    expect(await isSignedIn()).toBe(false);
  },
  testLimitMs,
);
