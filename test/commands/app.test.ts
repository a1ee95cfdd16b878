import { lstat, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseEnv } from "#local/env/file.ts";
import { withAppTypes } from "#test/server/domains/apps/world.ts";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, platformDown } from "./world.ts";

const the = commandWorld();

async function project(env?: string): Promise<{ readonly folder: string; readonly file: string }> {
  const folder = await temporaryDirectory("project");
  await mkdir(join(folder, "src/eai.config"), { recursive: true });
  const file = join(folder, ".env.local");
  if (env !== undefined) await Bun.write(file, env);
  return { folder, file };
}

let count = 0;

/** A new app of the selected workspace; returns its key. */
async function enrolled(words: readonly string[] = []): Promise<string> {
  await withAppTypes(the().platform, the().platform.workspaces.tenant);
  count += 1;
  const made = await the().json(["app", "create", `Desk ${count}`, ...words]);
  expect(made).toMatchObject({ exitCode: 0, json: { key: `desk-${count}`, status: "pending" } });
  return `desk-${count}`;
}

const keysOf = ({ json }: { readonly json: unknown }): unknown[] =>
  (field(json, "items") as { data: unknown }[]).map(({ data }) => field(data, "vertical_key"));

test("apps are created with every option, and listed", async () => {
  const key = await enrolled();
  const options =
    `--key own-${key} --source script --template empty-template --status active ` +
    "--app-url https://own.example --parent-tenant tenant " +
    `--child-tenant ${the().platform.workspaces.child}`;
  const made = await the().json(["app", "create", "Été & Permits", ...options.split(" ")]);
  expect(made.json).toMatchObject({
    key: `own-${key}`,
    displayName: "Été & Permits",
    source: "script",
    template: "empty-template",
    appUrl: "https://own.example",
    status: "active",
    runtimeTenantId: the().platform.workspaces.child,
  });
  const listed = await the().json("app list");
  expect(keysOf(listed)).toEqual(expect.arrayContaining([key, `own-${key}`]));
  expect(keysOf(await the().json("app list --limit 1"))).toHaveLength(1);
  const text = await the().svc("app list --limit 1");
  expect(text).toMatchObject({ exitCode: 0, stderr: "There are more apps: raise --limit\n" });
});

test("a name becomes a key in kebab-case", async () => {
  await enrolled();
  const made = await the().json(["app", "create", "  Crème: Brûlée 7! "]);
  expect(made.json).toMatchObject({ key: "creme-brulee-7", source: "eai-cli" });
});

test("a child is created with the app that runs in it", async () => {
  await enrolled();
  const made = await the().json("app create Kiosk --child-tenant-slug kiosk-child");
  const child = field(made.json, "runtimeTenantId");
  const info = await the().json("workspace info kiosk-child");
  expect(info.json).toMatchObject({ id: child, parentId: the().platform.workspaces.tenant });
});

test("an app whose key is taken, or whose child is refused, leaves nothing", async () => {
  const key = await enrolled();
  const taken = await the().json(`app create Again --key ${key} --child-tenant-slug again-child`);
  expect(taken).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
  const info = await the().json("workspace info again-child");
  expect(info).toMatchObject({ exitCode: 1 });
  const words = `app create Fresh --key fresh-${key} --child-tenant-slug child`;
  const refused = await the().json(words);
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
  expect(refused.stderr).toContain(`App "fresh-${key}" is not enrolled`);
  expect(keysOf(await the().json("app list --limit 500"))).not.toContain(`fresh-${key}`);
});

test("a status that the platform does not have is refused with those that it has", async () => {
  await enrolled();
  const refused = await the().json("app create Odd --status bogus");
  expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
  expect(JSON.stringify(refused.json)).toContain("suspended");
});

describe("app select", () => {
  test("writes both names once, and leaves other lines as they are", async () => {
    const key = await enrolled();
    const { folder, file } = await project(
      "# mine\nexport SVC_APP_KEY=old\nOTHER='a b'\nSVC_APP_KEY=older\n",
    );
    const selected = await the().json(`app select ${key}`, { currentDirectory: folder });
    expect(selected).toMatchObject({ exitCode: 0, json: { key, file } });
    expect(await Bun.file(file).text()).toBe(
      `# mine\nSVC_APP_KEY=${key}\nOTHER='a b'\nSVC_VERTICAL_KEY=${key}\n`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).toSorted()).toEqual([".env.local", "src"]);
    const who = await the().json("whoami", { currentDirectory: folder });
    expect(JSON.stringify(who.json)).toContain(key);
  });

  test("follows a link, and quotes what a shell would expand", async () => {
    const { folder, file } = await project();
    await Bun.write(join(folder, "shared.env"), "A=1\r\n");
    await symlink("shared.env", file);
    const words = ["app", "select", 'a "b" $c', "--skip-validate"];
    const settings = { currentDirectory: folder, fetch: platformDown };
    expect(await the().svc(words, settings)).toMatchObject({ exitCode: 0 });
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    const text = await Bun.file(join(folder, "shared.env")).text();
    expect(text).toContain("A=1\n");
    expect(parseEnv(text).get("SVC_VERTICAL_KEY")).toBe('a "b" $c');
  });

  test("writes nothing for an app that does not exist, or without a project", async () => {
    await enrolled();
    const { folder, file } = await project();
    const missing = await the().json("app select nothing", { currentDirectory: folder });
    expect(missing).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    expect(await Bun.file(file).exists()).toBe(false);
    const outside = await the().json("app select x --skip-validate", {
      currentDirectory: await temporaryDirectory("empty"),
    });
    expect(outside).toMatchObject({ exitCode: 1, json: { error: { code: "E001" } } });
  });
});

describe("app provision", () => {
  test("waits until the app is ready, binds the project, and reads the job again", async () => {
    const key = await enrolled();
    const { folder, file } = await project();
    const done = await the().json(`app provision ${key} --select`, { currentDirectory: folder });
    expect(done).toMatchObject({ exitCode: 0, json: { key, status: "ready" } });
    expect(parseEnv(await Bun.file(file).text()).get("SVC_APP_KEY")).toBe(key);
    const job = String(field(done.json, "jobId"));
    const again = await the().svc(`app provision ${key} --tenant-id tenant --job-id ${job}`);
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout).toContain("activation succeeded");
  });

  test("reaches a separate child from its own id and from the company's", async () => {
    const { child, tenant } = the().platform.workspaces;
    const key = await enrolled(["--child-tenant", child]);
    const words = `app provision ${key} --tenant-id ${child} --app-tenant-id ${tenant}`;
    for (const each of [words, `app provision ${key}`]) {
      const done = await the().json(each);
      expect(done).toMatchObject({ exitCode: 0, json: { targetTenantId: child, status: "ready" } });
    }
  });

  test("binds nothing when the runtime workspace is gone", async () => {
    const key = await enrolled(["--child-tenant-slug", "failing-child"]);
    const id = String(field((await the().json("workspace info failing-child")).json, "id"));
    const { folder, file } = await project("A=1\n");
    await the().platform.as("tenant-admin").post(`/v4/platform/tenants/${id}/delete`);
    const words = `app provision ${key} --select --tenant-id ${id} --app-tenant-id tenant`;
    const failed = await the().json(words, { currentDirectory: folder });
    expect(failed).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
    expect(await Bun.file(file).text()).toBe("A=1\n");
  });

  test("binds nothing when the job fails", async () => {
    const { folder, file } = await project();
    for (const [status, exitCode] of [
      ["FAILED", 1],
      ["Cancelled", 1],
    ] as const) {
      const answer = { jobId: "j 1", status, error: { message: "no room" }, steps: [] };
      const failed = await the().svc("app provision portal --select --skip-validate", {
        currentDirectory: folder,
        fetch: () => Promise.resolve(Response.json(answer, { status: 202 })),
      });
      expect(failed).toMatchObject({ exitCode });
      expect(failed.stdout).toContain("no room");
    }
    expect(await Bun.file(file).exists()).toBe(false);
  });

  test("plans storage with --dry-run, and starts no job", async () => {
    const key = await enrolled();
    const planned = await the().json(
      `app provision ${key} --dry-run --backend search --rebuild-search`,
    );
    expect(planned).toMatchObject({
      exitCode: 0,
      json: { dryRun: true, results: [{ backend: "search", state: "planned" }] },
    });
  });

  const refusals: readonly [words: string, details: string][] = [
    ["--job-id x", "--job-id needs --tenant-id"],
    ["--job-id x --tenant-id tenant --dry-run", "--job-id cannot go with --dry-run"],
    ["--app-tenant-id tenant", "--app-tenant-id needs --tenant-id"],
    ["--backend blob", "--backend applies to --dry-run only"],
    ["--rebuild-search", "--rebuild-search applies to --dry-run only"],
    ["--dry-run --select", "--select cannot go with --dry-run"],
  ];
  test.each(refusals)("refuses %s before any network call", async (words, details) => {
    const refused = await the().svc(`app provision portal ${words}`, { fetch: platformDown });
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toContain(details);
  });
});

describe("the old name `vertical`", () => {
  test("works, and says so once", async () => {
    await enrolled();
    const old = await the().svc("vertical list --format json");
    expect(old.exitCode).toBe(0);
    expect(old.stderr).toBe("svc vertical is deprecated: use svc app\n");
    expect(keysOf(old)).toEqual(keysOf(await the().json("app list")));
  });

  test("has the help of the new one", async () => {
    const help = await the().svc("vertical select --help");
    expect(help.stdout).toContain("Usage: svc app select <key>");
  });
});
