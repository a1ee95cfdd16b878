import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();
let id = "";

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  const properties = {
    species: { type: "string", required: true },
    note: { type: "text" },
    marks: { type: "object" },
  };
  const type = { name: "Tree", slug: "tree", properties };
  const headers = { "x-tenant-id": tenant };
  expect((await admin.post("/v4/data/resources/object-types", type, { headers })).status).toBe(201);
  const trees = `/v4/data/resources/${tenant}/tree`;
  const made = await admin.post(trees, { species: "oak", note: "old\u001b[31m" });
  id = String(field(made.json, "id"));
  await admin.put(`${trees}/${id}`, { data: { species: "elm" }, version: 1 });
});

describe("resources history", () => {
  test("shows the writes as lines, newest first", async () => {
    const { exitCode, stdout } = await the().svc(["resources", "history", "tree", id]);
    expect(exitCode).toBe(0);
    const [heading, ...lines] = stdout.trimEnd().split("\n");
    expect(heading).toMatch(/^V {2}OPERATION {2}AT +CHANGED +ACTOR$/);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^2 {2}update +\S+Z {2}species -note +\S+$/);
    expect(lines[1]).toMatch(/^1 {2}create +/);
  });

  test("shows the names of changes without a pointer's escapes", async () => {
    const trees = `/v4/data/resources/${the().platform.workspaces.tenant}/tree`;
    const admin = the().platform.as("tenant-admin");
    const made = await admin.post(trees, { species: "ash", marks: { "a/b": 1 } });
    const ash = String(field(made.json, "id"));
    await admin.put(`${trees}/${ash}`, {
      data: { species: "ash", marks: { "a/b": 2 } },
      version: 1,
    });
    const { stdout } = await the().svc(["resources", "history", "tree", ash, "--simple"]);
    expect(stdout.split("\n")[1]).toContain("\tmarks.a/b\t");
  });

  test("prints the list as JSON, and shows how to continue", async () => {
    const { json } = await the().json(["resources", "history", "tree", id]);
    expect(json).toMatchObject({
      items: [{ version: 2 }, { version: 1, changes: [{ op: "add", path: "" }] }],
      hasNextPage: false,
    });
    const { stderr } = await the().svc(["resources", "history", "tree", id, "--limit", "1"]);
    expect(stderr).toBe("More: --page 2\n");
    const paged = await the().json(["resources", "history", "tree", id, "--limit", "1"]);
    const cursor = String(field(paged.json, "nextCursor"));
    const rest = await the().json(["resources", "history", "tree", id, "--cursor", cursor]);
    const beyond = await the().svc(["resources", "history", "tree", id, "--page", "9"]);
    expect([beyond.exitCode, beyond.stdout]).toEqual([0, ""]);
    expect(beyond.stderr).toBe("No writes on page 9\n");
    expect(rest.json).toMatchObject({ items: [{ version: 1 }] });
  });

  test("a missing record", async () => {
    const none = "01890000-0000-7000-8000-000000000000";
    const { exitCode, json } = await the().json(["resources", "history", "tree", none]);
    expect([exitCode, json]).toMatchObject([1, { error: { code: "E202", status: 404 } }]);
  });
});

describe("resources get --version", () => {
  test("shows the old version", async () => {
    const { json } = await the().json(["resources", "get", "tree", id, "--version", "1"]);
    expect(json).toMatchObject({ version: 1, data: { species: "oak" } });
    const { stdout } = await the().svc(["resources", "get", "tree", id, "--version", "1"]);
    expect(stdout).toMatch(/^data\.species {2}oak$/m);
    expect(stdout).not.toContain("\u001b[31m");
  });

  test("refuses an invalid version before any network call", async () => {
    const settings = { fetch: platformDown };
    const words = ["resources", "get", "tree", id, "--version", "0"];
    expect((await the().svc(words, settings)).exitCode).toBe(2);
  });
});
