import { readdir, stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { completionScript, shells } from "#cli/completion/scripts.ts";
import { keepValues, readKeptValues } from "#local/configuration/completion-cache.ts";
import { userEnvironment } from "#test/support/environment.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openTerminal } from "#test/support/tty.ts";
import { commandWorld, platformDown, runCommand, type CallSettings } from "./world.ts";

const the = commandWorld();
let record = "";

beforeAll(async () => {
  const { platform } = the();
  const headers = { "x-tenant-id": platform.workspaces.tenant };
  const type = {
    name: "Tree",
    slug: "street-tree",
    displayName: "Street tree",
    properties: { species: { type: "string" } },
  };
  await platform.as("tenant-admin").post("/v4/data/resources/object-types", type, { headers });
  const path = `/v4/data/resources/${platform.workspaces.tenant}/street-tree`;
  const made = await platform.as("tenant-staff").post(path, { species: "elm" });
  record = String((made.json as { id: unknown }).id);
});

/** The lines after the kind, for the text up to the cursor. */
async function asked(text: string, settings: CallSettings = {}, shell = "zsh") {
  const words = text.split(" ");
  const current = words.pop() ?? "";
  const called = await the().svc(["__complete", shell, `=${current}`, ...words], settings);
  expect(called).toMatchObject({ exitCode: 0, stderr: "" });
  const [kind, ...lines] = called.stdout.trimEnd().split("\n");
  return { kind, lines };
}

describe("live values", () => {
  test("workspaces, types, records, members, roles and starter templates", async () => {
    const config = await the().selectedConfig();
    const values = async (text: string) => (await asked(text, { config })).lines;
    expect(await values("resources list --tenant-id ten")).toEqual(["tenant\ttenant"]);
    expect(await values("workspace info ")).toEqual(expect.arrayContaining(["tenant\ttenant"]));
    expect(await values("resources list str")).toEqual(["street-tree\tStreet tree"]);
    expect(await values("resources get street-tree ")).toEqual([`${record}\telm`]);
    expect(await values("resources query --types felling,str")).toEqual([
      "felling,street-tree\tStreet tree",
    ]);
    expect((await values("user remove ")).length).toBeGreaterThan(1);
    expect(await values("user role delete tenant-st")).toEqual(["tenant-staff\tStaff"]);
    expect(await values("workspace templates export blank")).toEqual([
      expect.stringContaining("blank-vertical-template\t"),
    ]);
    expect(await values("publicapi get --tenant-id ")).toEqual(
      expect.arrayContaining([`${the().platform.workspaces.tenant}\ttenant`]),
    );
  });

  test("an id is offered once it is begun", async () => {
    const config = await the().selectedConfig();
    const { tenant } = the().platform.workspaces;
    const values = async (text: string) => (await asked(text, { config })).lines;
    expect(await values(`workspace select ${tenant.slice(0, -2)}`)).toEqual([`${tenant}\ttenant`]);
    expect(await values("workspace select ")).not.toContain(`${tenant}\ttenant`);
    expect(await values("workspace select te")).toEqual(["tenant\ttenant"]);
  });

  test("a folder is offered where a release may lie", async () => {
    expect((await asked("update --from re")).kind).toBe("folders");
  });

  test("are kept for a minute, in files of the user alone, by user and workspace", async () => {
    const config = await the().selectedConfig();
    const first = await asked("resources list ", { config });
    expect(first.lines).toEqual(["street-tree\tStreet tree"]);
    // The second answer needs no platform.
    expect(await asked("resources list ", { config, fetch: platformDown })).toEqual(first);
    const other = { config, fetch: platformDown, as: "tenant-viewer" } as const;
    expect((await asked("resources list ", other)).lines).toEqual([]);
    const elsewhere = "resources list --tenant-id other ";
    expect((await asked(elsewhere, { config, fetch: platformDown })).lines).toEqual([]);

    const folder = join(config, "completions");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const [name = "", ...more] = await readdir(folder);
    expect(more).toEqual([]);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    const old = new Date(Date.now() - 61_000);
    await utimes(join(folder, name), old, old);
    expect((await asked("resources list ", { config, fetch: platformDown })).lines).toEqual([]);
  });

  test("the folder keeps the last 64 answers", async () => {
    const configDirectory = await temporaryDirectory("config");
    for (let count = 0; count < 70; count += 1) {
      await keepValues({ configDirectory, key: [String(count)] }, []);
    }
    expect(await readdir(join(configDirectory, "completions"))).toHaveLength(64);
    const huge = [{ value: "x".repeat(200_000), description: "" }];
    await keepValues({ configDirectory, key: ["huge"] }, huge);
    expect(await readKeptValues({ configDirectory, key: ["huge"] })).toBeUndefined();
  });

  test.each([
    ["without sign-in", { as: "anonymous" }],
    ["without a platform", { fetch: platformDown }],
    ["with a platform that never answers", { fetch: () => new Promise<Response>(() => {}) }],
  ] as const)("%s there are none, and the words still come", async (_case, settings) => {
    const config = await the().selectedConfig();
    expect((await asked("resources list ", { config, ...settings })).lines).toEqual([]);
    expect((await asked("resources li", { config, ...settings })).lines).toHaveLength(1);
  });

  test("a hostile platform puts no control character, quote or option into the line", async () => {
    const slugs = ["a b", "$(reboot)", "`id`", "--force", "x\u001b[31m", "x\ny", "'", "fine"];
    const items = slugs.map((slug) => ({ id: slug, slug, displayName: "n\u001b[31m\tm\nl" }));
    const fetch = () => Promise.resolve(Response.json({ items }));
    const config = await the().emptyConfig();
    const { lines } = await asked("workspace info ", { config, fetch });
    expect(lines).toEqual([expect.stringMatching(/^fine\tn ?m ?l$/)]);
  });
});

test("svc completion prints each script; another shell is refused", async () => {
  for (const shell of shells) {
    const { stdout, exitCode, stderr } = await runCommand(`completion ${shell}`);
    expect({ stdout, exitCode, stderr }).toEqual({
      stdout: completionScript(shell),
      exitCode: 0,
      stderr: "",
    });
    expect(stdout).toContain("__complete");
  }
  expect(await runCommand("completion tcsh")).toMatchObject({ exitCode: 2, stdout: "" });
  expect((await runCommand("__complete tcsh =")).exitCode).toBe(2);
});

/** A folder whose `svc` is the executable. */
async function folderWithSvc(): Promise<string> {
  const folder = await temporaryDirectory("bin");
  await symlink(await svcExecutable(), join(folder, "svc"));
  await Bun.write(join(folder, "svc.bash"), completionScript("bash"));
  await Bun.write(join(folder, "plan one.txt"), "");
  return folder;
}

/** zsh reads every completion of the system otherwise, which takes seconds on a busy machine. */
const zshBasics =
  "all=($fpath); fpath=(${(M)fpath:#*Completion(|/Base|/Zsh)}); autoload -Uz compinit; compinit -C -D; " +
  "fpath=($all); autoload -Uz _files _path_files _list_files _have_glob_qual";

describe("a real shell", () => {
  test("bash completes words, joined values, commas and files", async () => {
    const folder = await folderWithSvc();
    const lines: readonly [words: string, expected: string][] = [
      ["svc resources ag", "aggregate"],
      ["svc resources list --form", "--format"],
      ["svc resources list --format = js", "json"],
      ["svc workspace create --home-region = ", "au ca eu"],
      ["svc docs upload pl", "plan one.txt"],
    ];
    const script = lines.map(([words]) => {
      const list = words.split(" ").map((word) => `'${word}'`);
      return `COMP_WORDS=(${list.join(" ")}); COMP_CWORD=${list.length - 1}; _svc_complete 2>/dev/null; echo "\${COMPREPLY[*]}"`;
    });
    const child = Bun.spawn(["bash", "--norc", "-c", `. ./svc.bash\n${script.join("\n")}`], {
      cwd: folder,
      env: userEnvironment(folder, { PATH: `${folder}:/usr/bin:/bin` }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect({ lines: stdout.trimEnd().split("\n"), stderr }).toEqual({
      lines: lines.map(([, expected]) => expected),
      stderr: "",
    });
  });

  test.each([
    ["bash", ["--norc", "--noprofile", "-i"], ". ./svc.bash"],
    ["zsh", ["-f", "-i"], `${zshBasics}; . ./svc.zsh`],
    ["fish", ["--no-config", "-i"], ". ./svc.fish"],
  ] as const)("TAB in %s completes words and values, where it is installed", async (...row) => {
    const [shell, args, load] = row;
    if (Bun.which(shell) === null) return;
    const folder = await folderWithSvc();
    await Bun.write(join(folder, `svc.${shell}`), completionScript(shell));
    await using terminal = openTerminal({
      command: shell,
      args: [...args],
      cwd: folder,
      env: userEnvironment(folder, { PATH: `${folder}:/usr/bin:/bin`, XDG_RUNTIME_DIR: folder }),
    });
    // The answer differs from the typed line, so that only the running shell can print it.
    const sum = shell === "fish" ? "(math 40 + 2)" : "$((40 + 2))";
    terminal.write(`${load}; echo loaded-${sum}\r`);
    await terminal.waitFor("loaded-42");
    terminal.write("svc resources aggr\t");
    await terminal.waitFor("svc resources aggregate");
    terminal.write("--group\t");
    await terminal.waitFor("svc resources aggregate --group-by");
    terminal.write("\u0015svc resources list --format=js\t");
    await terminal.waitFor("svc resources list --format=json");
    terminal.write("\u0015svc docs upload pl\t");
    await terminal.waitFor(/svc docs upload plan\\ one\.txt/);
  });
});
