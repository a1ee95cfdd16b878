import { beforeAll, describe, expect, test } from "vitest";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const admin = the().platform.as("tenant-admin");
  const properties = { species: { type: "string" }, height: { type: "number" } };
  const type = { name: "Tree", slug: "tree", properties };
  const headers = { "x-tenant-id": tenant };
  expect((await admin.post("/v4/data/resources/object-types", type, { headers })).status).toBe(201);
  const heights = [1, 2, 3, 4, 5].map((height) => ({
    species: height < 5 ? "oak" : "a\u001b[31mb",
    height,
  }));
  await admin.post(`/v4/data/resources/${tenant}/tree/batch/create`, [...heights, { height: 9 }]);
});

describe("resources aggregate", () => {
  const metrics = '{"n":{"op":"count"},"sum":{"op":"sum","field":"height"}}';
  const words = ["resources", "aggregate", "tree", "--group-by", "species", "--metrics", metrics];

  test("shows the groups with bars that fit the terminal", async () => {
    const { exitCode, stdout } = await the().svc(words, { as: "tenant-viewer", terminal: 30 });
    expect(exitCode).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe("SPECIES  N  SUM");
    expect(lines[1]).toBe("(none)   1    9  ███▎");
    expect(lines[3]).toBe("oak      4   10  █████████████");
    expect(stdout).not.toContain("\u001b[31m");
    const narrow = await the().svc(words, { terminal: 20 });
    expect(narrow.stdout).not.toContain("█");
    const simple = await the().svc(["--simple", ...words]);
    expect(simple.stdout).toContain("oak\t4\t10\n");
  });

  test("prints the rows as JSON, and reports when there are more", async () => {
    const { json } = await the().json([...words, "--where", '{"species":"oak"}']);
    expect(json).toEqual({
      rows: [{ group: { species: "oak" }, metrics: { n: 4, sum: 10 } }],
      truncated: false,
    });
    const more = await the().svc([...words, "--limit", "1"]);
    expect(more.stderr).toBe("More than 1 groups: raise --limit\n");
    const none = await the().svc([...words, "--where", '{"species":"elm"}']);
    expect(none).toMatchObject({ stdout: "", stderr: "No records match\n" });
  });

  test.each([
    ["no JSON", "{", "E304", "--metrics is not JSON"],
    ["an unknown op", '{"n":{"op":"median"}}', "E302", "--metrics #/n/op"],
    ["no metrics", "{}", "E302", "must have at least 1 metric"],
  ])("refuses %s before any network call", async (_what, given, code, text) => {
    const { exitCode, json } = await the().json([...words.slice(0, -1), given], {
      fetch: platformDown,
    });
    expect([exitCode, json]).toMatchObject([
      2,
      { error: { code, message: expect.stringContaining(text) } },
    ]);
  });
});
