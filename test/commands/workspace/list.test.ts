import { describe, expect, test } from "vitest";
import { testBaseUrl } from "#test/support/platform.ts";
import { commandWorld } from "../world.ts";

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
