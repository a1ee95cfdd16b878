import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();
const ids: Record<string, string> = {};

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  for (const name of ["Bridge", "Boat"]) {
    const text = { type: "text", searchable: true };
    const type = { name, slug: name.toLowerCase(), properties: { name: text, about: text } };
    const headers = { "x-tenant-id": tenant };
    expect((await admin.post("/v4/data/resources/object-types", type, { headers })).status).toBe(
      201,
    );
  }
  for (const [type, data] of [
    ["bridge", { name: "Swing bridge", about: "It turns aside \x1b[31mfor\x07 tall ships" }],
    ["boat", { name: "Tall ship" }],
  ] as const) {
    const made = await admin.post(`/v4/data/resources/${tenant}/${type}`, data);
    ids[type] = String(field(made.json, "id"));
  }
});

describe("resources search", () => {
  test("finds records of all types, and marks the words on a terminal with colours", async () => {
    const words = ["resources", "search", "tall ships"];
    const plain = await the().svc(words, { as: "tenant-viewer", terminal: 80 });
    expect(plain.exitCode).toBe(0);
    const lines = plain.stdout.split("\n");
    expect(lines[0]).toMatch(new RegExp(`^${ids["boat"]} {2}boat {2}0\\.[2-9]\\d*$`));
    expect(lines[1]).toBe("  name: Tall ship");
    expect(lines[2]).toMatch(new RegExp(`^${ids["bridge"]} {2}bridge {2}0\\.[2-9]\\d*$`));
    expect(lines.slice(3)).toEqual(["  about: It turns aside for tall ships", ""]);
    const coloured = await the().svc(words, {
      terminal: 80,
      variables: { NO_COLOR: undefined },
    });
    expect(coloured.stdout).toContain("name:\x1b[22m \x1b[1mTall\x1b[22m \x1b[1mship\x1b[22m\n");
    expect(coloured.stdout).toContain("aside for \x1b[1mtall\x1b[22m \x1b[1mships\x1b[22m\n");
  });

  test("fits a narrow terminal", async () => {
    const { stdout } = await the().svc(["resources", "search", "tall"], { terminal: 30 });
    for (const line of stdout.split("\n")) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40);
    expect(stdout).toContain("\n  about: It turns aside for\n    tall ships\n");
  });

  test("--simple prints one line per record", async () => {
    const { stdout } = await the().svc("resources search swing --simple --types bridge");
    expect(stdout).toMatch(
      new RegExp(`^${ids["bridge"]}\tbridge\t0\\.[2-9]\\d*\tname: Swing bridge\n$`),
    );
  });

  test.each([
    ["--fulltext", "fulltext", []],
    ["--vector", "vector", ["bridge"]],
    ["--hybrid", "hybrid", ["bridge"]],
    ["--mode vector", "vector", ["bridge"]],
  ])("searches with %s", async (flag, mode, types) => {
    const { json } = await the().json(`resources search swingg ${flag}`);
    expect(json).toMatchObject({ mode, results: types.map((type) => ({ type })) });
  });

  test("keeps to types, a filter and a limit", async () => {
    const of = await the().json("resources search tall --types boat");
    expect(of.json).toMatchObject({
      mode: "hybrid",
      embedding: "hashed",
      results: [{ type: "boat" }],
    });
    const where = ["resources", "search", "tall", "--where", '{"name":{"$startsWith":"Sw"}}'];
    expect((await the().json(where)).json).toMatchObject({ results: [{ type: "bridge" }] });
    const one = await the().json("resources search tall --limit 1");
    expect(field(one.json, "results")).toHaveLength(1);
  });

  test("reports an empty result", async () => {
    const none = await the().svc("resources search zeppelin");
    expect(none).toMatchObject({ exitCode: 0, stdout: "", stderr: "No records found\n" });
  });

  test.each([
    "resources search",
    "resources search x --vector --hybrid",
    "resources search x --fulltext --vector",
    "resources search x --fulltext --hybrid",
    "resources search x --mode vector --fulltext",
    "resources search x --mode semantic",
    "resources search x --limit 0",
    "resources search x --limit 101",
  ])("refuses wrong usage: %s", async (words) => {
    expect((await the().svc(words, { fetch: platformDown })).exitCode).toBe(2);
  });

  test("refuses wrong input", async () => {
    const settings = { fetch: platformDown };
    const empty = await the().svc(["resources", "search", "  "], settings);
    expect(empty).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("is empty") });
    const slug = await the().json("resources search x --types boat,", settings);
    expect(slug.json).toMatchObject({ error: { code: "E305" } });
    const unknown = await the().json("resources search x --types cow");
    expect(unknown.exitCode).toBe(1);
    expect(JSON.stringify(unknown.json)).toContain(
      String.raw`#/types/0 \"cow\" is not an Object Type`,
    );
  });
});
