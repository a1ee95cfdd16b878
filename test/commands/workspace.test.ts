import { describe, expect, test } from "vitest";
import { testBaseUrl } from "#test/support/platform.ts";
import { commandWorld } from "./world.ts";

const the = commandWorld();

describe("workspace list", () => {
  test("shows those where the user is tenant-admin, and marks the selected one", async () => {
    const { tenant } = the().platform.workspaces;
    const { exitCode, stdout, stderr } = await the().svc("workspace list");
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "SLUG      NAME    ROLE          ID",
      `tenant ●  tenant  tenant-admin  ${tenant}`,
      "",
    ]);
    expect(stderr).toBe("");
  });

  test("reports how many it leaves out, and shows them with --all", async () => {
    const some = await the().svc("workspace list", { as: "tenant-staff" });
    expect(some).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "No workspaces to show\n1 more where you are not tenant-admin: use --all\n",
    });
    const all = await the().svc("workspace list --all", { as: "tenant-staff" });
    expect(all.stdout).toContain("tenant ●  tenant  tenant-staff");
    expect(all.stderr).toBe("");
  });

  test("as JSON: the memberships and the selected one", async () => {
    const { tenant } = the().platform.workspaces;
    const { json, stderr } = await the().json("workspace list");
    expect(json).toMatchObject({
      items: [{ id: tenant, slug: "tenant", role: "tenant-admin", homeRegion: "eu" }],
      selected: tenant,
    });
    expect(stderr).toBe("");
  });

  test("--simple prints columns separated by tabs", async () => {
    const { tenant } = the().platform.workspaces;
    const { stdout } = await the().svc("workspace list --simple");
    expect(stdout).toBe(`slug\tname\trole\tid\ntenant\ttenant\ttenant-admin\t${tenant}\n`);
  });

  test("--parent lists only the children of one workspace", async () => {
    const create = ["workspace", "create", "--name", "Trees", "--slug", "trees"];
    await the().svc([...create, "--parent", "tenant"]);
    const { json } = await the().json("workspace list --parent tenant");
    expect(json).toMatchObject({ items: [{ slug: "trees" }] });
    const tree = await the().svc("workspace list");
    expect(tree.stdout.split("\n").map((line) => line.slice(0, 8))).toEqual([
      "SLUG    ",
      "tenant ●",
      "  trees ",
      "",
    ]);
    expect(await the().svc("workspace list --parent nowhere")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Error E202: Workspace "nowhere" not found'),
    });
  });

  test("--debug reports the request on stderr", async () => {
    const { stderr } = await the().svc("workspace list --debug", { as: "tenant-viewer" });
    expect(stderr).toContain(`GET ${testBaseUrl}/v4/identity/tenants: 1 memberships, 0 shown`);
  });

  test("--raw-user is escaped on a terminal, and has the same value", async () => {
    const displayName = "a\u009b2J\u202ez";
    const item = { id: the().platform.workspaces.tenant, slug: "s", displayName };
    const { stdout } = await the().svc("workspace list --raw-user", {
      terminal: 80,
      fetch: () => Promise.resolve(Response.json({ items: [{ ...item, role: "tenant-admin" }] })),
    });
    expect(stdout).not.toMatch(/[\u007f-\u009f\p{Cf}]/u);
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ displayName }] });
  });

  test("--raw-user prints the route's response", async () => {
    const { stdout } = await the().svc("workspace list --raw-user", { as: "outsider" });
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ slug: "other" }] });
    // It has every workspace, not only children.
    const both = await the().svc("workspace list --raw-user --parent tenant");
    expect(both.exitCode).toBe(2);
    expect(both.stderr).toContain("--raw-user and --parent exclude each other");
  });
});

describe("workspace info", () => {
  test("takes a slug or an ID", async () => {
    const { tenant } = the().platform.workspaces;
    const bySlug = await the().json("workspace info tenant");
    const byId = await the().json(["workspace", "info", tenant.toUpperCase()]);
    expect(bySlug.json).toMatchObject({ id: tenant, role: "tenant-admin", parentId: null });
    expect(byId.json).toEqual(bySlug.json);
    const text = await the().svc("workspace info tenant");
    expect(text.stdout.split("\n").slice(0, 2)).toEqual([
      `id           ${tenant}`,
      "slug         tenant",
    ]);
  });

  test("another user's workspace is not found", async () => {
    const { exitCode, json } = await the().json("workspace info other");
    expect(exitCode).toBe(1);
    expect(json).toEqual({
      error: {
        code: "E202",
        message: 'Workspace "other" not found',
        suggestion: "Verify the ID or name",
        exitCode: 1,
      },
    });
  });
});

describe("workspace select", () => {
  test("is stored for its platform", async () => {
    const config = await the().emptyConfig();
    const { stdout, exitCode } = await the().svc("workspace select tenant", { config });
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`Selected tenant (${the().platform.workspaces.tenant})\n`);
    const here = await the().json("whoami", { config });
    expect(here.json).toMatchObject({ settings: { workspace: { value: { slug: "tenant" } } } });
    const there = await the().json("whoami", {
      config,
      variables: { BASE_URL_PUBLIC_API: "http://elsewhere.test" },
    });
    expect(there.json).not.toHaveProperty("settings.workspace");
  });

  test("each profile has its own selection", async () => {
    const config = await the().emptyConfig();
    await the().svc("workspace select tenant --profile work", { config });
    const slugOf = async (words: string, variables = {}): Promise<unknown> =>
      (await the().json(words, { config, variables })).json;
    const selected = { settings: { workspace: { value: { slug: "tenant" } } } };
    expect(await slugOf("whoami --profile work")).toMatchObject(selected);
    expect(await slugOf("whoami", { SVC_PROFILE: "work" })).toMatchObject(selected);
    expect(await slugOf("whoami")).not.toHaveProperty("settings.workspace");
  });

  test("asks on a terminal, and accepts a number or a slug", async () => {
    const config = await the().emptyConfig();
    const asked = { config, as: "system-admin", terminal: 80 } as const;
    const byNumber = await the().svc("workspace select", { ...asked, stdin: "1\n" });
    expect(byNumber.stdout).toMatch(/^Selected other \(/);
    expect(byNumber.stderr.split("\n").slice(0, 2)).toEqual([
      "#  SLUG    NAME    ROLE",
      "1  other   other   tenant-admin",
    ]);
    expect(byNumber.stderr).toMatch(/Which one \(number or slug\)\? $/);
    const bySlug = await the().svc("workspace select", { ...asked, stdin: "tenant\n" });
    expect(bySlug.stdout).toMatch(/^Selected tenant \(/);
    const none = await the().svc("workspace select", { ...asked, stdin: "\n" });
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("Error E305: Invalid input: no workspace was chosen");
  });

  test("Ctrl-C ends the question", async () => {
    const config = await the().emptyConfig();
    const aborter = new AbortController();
    const pending = the().svc("workspace select", {
      config,
      terminal: 80,
      signal: aborter.signal,
    });
    setTimeout(() => aborter.abort(), 50);
    expect(await pending).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining("Interrupted. Help: `svc workspace select --help`"),
    });
  });

  test("never asks without a terminal or in JSON mode", async () => {
    const piped = await the().svc("workspace select");
    expect(piped.exitCode).toBe(2);
    expect(piped.stderr.split("\n")).toEqual([
      "Error E303: Required field missing: <workspace>",
      "  `svc workspace list --all` lists your workspaces",
      "→ Provide <workspace>",
      "Help: `svc workspace select --help`, `svc errors E303`",
      "",
    ]);
    const json = await the().json("workspace select", { terminal: 80 });
    expect(json).toMatchObject({ exitCode: 2, json: { error: { code: "E303", exitCode: 2 } } });
  });
});

describe("workspace create", () => {
  const name = ["workspace", "create", "--name", "Street works"];

  test("creates a child whose first admin is the caller", async () => {
    const { exitCode, json } = await the().json([
      ...name,
      "--slug",
      "street-works",
      "--parent",
      "tenant",
      "--usecase",
      "council",
      "--industry",
      "roads",
      "--domain",
      "roads.example",
      "--starter-template",
      "blank-vertical-template",
    ]);
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      slug: "street-works",
      displayName: "Street works",
      parentId: the().platform.workspaces.tenant,
      homeRegion: "eu",
      usecase: "council",
      industry: "roads",
      domain: "roads.example",
      starterTemplate: "blank-vertical-template",
    });
    const info = await the().json("workspace info street-works");
    expect(info.json).toMatchObject({ role: "tenant-admin" });
  });

  test("creates a root in its region", async () => {
    const words = [...name, "--slug", "root-works", "--allow-root", "--home-region", "ca"];
    const { stdout, exitCode } = await the().svc(words, { as: "system-admin" });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^home region  ca$/m);
    const refused = await the().json([...words.slice(0, -1), "au"], { as: "tenant-admin" });
    expect(refused).toMatchObject({ exitCode: 1, json: { error: { code: "E204", status: 403 } } });
  });

  test("a slug that is taken is a conflict", async () => {
    const words = [...name, "--slug", "tenant", "--allow-root", "--home-region", "eu"];
    const { exitCode, json } = await the().json(words, { as: "system-admin" });
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { code: "E205", status: 409 } });
  });

  const slug = ["--slug", "x"];
  const refusals: [string, string[], number, string][] = [
    ["no name", ["workspace", "create", ...slug], 2, "Required field missing: --name"],
    ["no slug", [...name], 2, "Required field missing: --slug"],
    ["neither parent nor root", [...name, ...slug], 2, "Required field missing: --parent"],
    [
      "a root without its region",
      [...name, ...slug, "--allow-root"],
      2,
      "Required field missing: --home-region",
    ],
    [
      "a child with a region",
      [...name, ...slug, "--parent", "tenant", "--home-region", "eu"],
      2,
      "Invalid input: --home-region cannot go with --parent: a child inherits its parent's region",
    ],
    [
      "a child that is a root",
      [...name, ...slug, "--parent", "tenant", "--allow-root"],
      2,
      "Invalid input: --allow-root cannot go with --parent",
    ],
    [
      "two domains",
      [...name, ...slug, "--parent", "tenant", "--domain", "a.example,b.example"],
      2,
      "Invalid input: --domain takes one domain, not a list",
    ],
    [
      "an unknown region",
      [...name, ...slug, "--allow-root", "--home-region", "us"],
      2,
      'Invalid format: --home-region "us"',
    ],
    [
      "an unknown usecase",
      [...name, ...slug, "--parent", "tenant", "--usecase", "zoo"],
      2,
      'Invalid format: --usecase "zoo"',
    ],
    [
      "an invalid slug",
      [...name, "--slug", "Not Kebab", "--parent", "tenant"],
      1,
      "Validation failed: #/slug must be in kebab-case",
    ],
  ];
  test.each(refusals)("refuses %s before any network call", async (_what, words, code, message) => {
    const { exitCode, json } = await the().json(words, {
      fetch: (request) =>
        new URL(request.url).pathname === "/v4/identity/tenants"
          ? the().platform.platform.fetch(request)
          : Promise.reject(new Error("nothing may be sent")),
    });
    expect(exitCode).toBe(code);
    expect(json).toMatchObject({ error: { message, exitCode: code } });
  });

  test("another user's parent is not found", async () => {
    const words = [...name, ...slug, "--parent", "other"];
    const { exitCode, json } = await the().json(words);
    expect(exitCode).toBe(1);
    expect(json).toMatchObject({ error: { message: 'Workspace "other" not found' } });
  });
});
