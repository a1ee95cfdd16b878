import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  for (const name of ["Tree", "Bush"]) {
    const type = { name, slug: name.toLowerCase(), properties: { height: { type: "number" } } };
    const headers = { "x-tenant-id": tenant };
    expect((await admin.post("/v4/data/resources/object-types", type, { headers })).status).toBe(
      201,
    );
    for (const height of [1, 5]) {
      await admin.post(`/v4/data/resources/${tenant}/${type.slug}`, { height });
    }
  }
});

describe("resources query", () => {
  const words = ["resources", "query", "--types", "tree, bush", "--where", '{"height":{"$gt":2}}'];

  test("finds records of all the types", async () => {
    const { exitCode, json } = await the().json(words, { as: "tenant-viewer" });
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({ items: [{ type: "bush" }, { type: "tree" }], limit: 20 });
    const { stdout } = await the().svc(words, { terminal: 100 });
    const [heading, first] = stdout.split("\n");
    expect(heading).toMatch(/^ID +TYPE +V +HEIGHT$/);
    expect(first).toMatch(/^\S{36} {2}bush +1 +5$/);
  });

  test("shows how to continue, and reports an empty result", async () => {
    const { stderr } = await the().svc([...words, "--limit", "1", "--sort", "height"]);
    const cursor = /^More: --cursor (\S+)\n$/.exec(stderr)?.[1] ?? "";
    const rest = await the().json([
      ...words,
      "--limit",
      "1",
      "--sort",
      "height",
      "--cursor",
      cursor,
    ]);
    expect(field(rest.json, "hasNextPage")).toBe(false);
    const none = await the().svc('resources query --types tree --where {"height":9}');
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "No records match\n" });
  });

  test("refuses wrong input", async () => {
    const settings = { fetch: platformDown };
    expect((await the().svc("resources query", settings)).exitCode).toBe(2);
    const empty = await the().json("resources query --types tree,", settings);
    expect(empty.json).toMatchObject({ error: { code: "E305" } });
    const text = await the().json("resources query --types tree --where 5", settings);
    expect(text.json).toMatchObject({ error: { code: "E304" } });
    // The runtime's form of "caf\xe9" among a program's words.
    const latin = await the().json(
      ["resources", "query", "--types", "tree", "--where", '{"note":"caf\ufffd"}'],
      settings,
    );
    expect(latin.json).toMatchObject({
      error: { code: "E304", message: "Invalid format: --where is not UTF-8 text" },
    });
    const endless = `{"height":${"[".repeat(1e6)}${"]".repeat(1e6)}}`;
    const deep = await the().json("resources query --types tree --where -", {
      ...settings,
      stdin: endless,
    });
    expect(deep.json).toMatchObject({
      error: { code: "E305", message: "Invalid input: --where nests deeper than 1000 levels" },
    });
    const unknown = await the().json("resources query --types tree,cow");
    expect(unknown.json).toMatchObject({
      error: { code: "E302", status: 422, errors: [{ pointer: "#/types/1" }] },
    });
  });
});
