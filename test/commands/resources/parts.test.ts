import { beforeAll, describe, expect, test } from "vitest";
import { plant, publishTrees } from "./trees.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await publishTrees(the());
  const { tenant } = the().platform.workspaces;
  const properties = { tree: { type: "reference", targetObjectType: "tree" } };
  const made = await the()
    .platform.as("tenant-admin")
    .post(
      "/v4/data/resources/object-types",
      { name: "Permit", slug: "permit", properties },
      { headers: { "x-tenant-id": tenant } },
    );
  expect(made.status).toBe(201);
});

async function permitOf(tree: string): Promise<string> {
  const data = JSON.stringify({ tree });
  const { json } = await the().json(["resources", "create", "permit", "--data", data]);
  return String(new Map(Object.entries(json ?? {})).get("id"));
}

describe("parts of records", () => {
  test("get, list, query and search return named properties", async () => {
    const id = await plant(the(), { species: "rowan", height: 3, note: "Old and tall" });
    const where = JSON.stringify({ id });
    const get = await the().json(["resources", "get", "tree", id, "--fields", "height"]);
    expect(get.json).toHaveProperty("data", { height: 3 });
    const words = ["--where", where, "--fields=-note,-label"];
    const list = await the().json(["resources", "list", "tree", ...words]);
    expect(list.json).toMatchObject({ items: [{ id }] });
    expect(list.json).toHaveProperty("items.0.data", { species: "rowan", height: 3 });
    const query = await the().json(["resources", "query", "--types", "tree", ...words]);
    expect(query.json).toHaveProperty("items.0.data", { species: "rowan", height: 3 });
  });

  test("expansions follow references both ways, and text names them", async () => {
    const id = await plant(the(), { species: "yew" });
    const permit = await permitOf(id);
    const up = await the().json(["resources", "get", "permit", permit, "--expand", "tree"]);
    expect(up.json).toMatchObject({ expanded: { tree: { id, data: { species: "yew" } } } });
    const down = await the().json(["resources", "get", "tree", id, "--expand", "permit.tree"]);
    expect(down.json).toMatchObject({
      expanded: { "permit.tree": { items: [{ id: permit }], total: 1 } },
    });
    const text = await the().svc(["resources", "get", "tree", id, "--expand", "permit.tree"]);
    expect(text.stdout).toContain(`1 record, ${permit}`);
  });

  test("an unknown name is refused with its place", async () => {
    const { exitCode, stderr, stdout } = await the().svc([
      "resources",
      "list",
      "tree",
      "--fields",
      "nope",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr + stdout).toContain('"nope" is not a property of this type');
  });

  test("distinct lists values with their records", async () => {
    for (const height of [90, 90, 91]) await plant(the(), { species: "palm", height });
    const where = JSON.stringify({ species: "palm" });
    const words = ["resources", "distinct", "tree", "height", "--where", where];
    const { json } = await the().json(words);
    expect(json).toMatchObject({
      items: [
        { value: 90, count: 2 },
        { value: 91, count: 1 },
      ],
    });
    const csv = await the().svc([...words, "--format", "csv"]);
    expect(csv.stdout.trim().split(/\r?\n/)).toEqual(["value,count", "90,2", "91,1"]);
  });
});

describe("resources batch", () => {
  test("writes items of each kind from stdin, and exits with 1 when one fails", async () => {
    const id = await plant(the(), { species: "ash", label: "B-1" });
    const items = [
      { op: "patch", id, data: { height: 4 } },
      { op: "upsert", property: "label", value: "B-2", data: { species: "elm" } },
      { op: "create", data: { height: 1 } },
    ];
    const stdin = items.map((item) => JSON.stringify(item)).join("\n");
    const batch = await the().json(["resources", "batch", "tree", "-"], { stdin });
    expect(batch).toMatchObject({ exitCode: 1, json: { succeeded: 2, failed: 1 } });
    const get = await the().json(["resources", "get", "tree", id]);
    expect(get.json).toMatchObject({ version: 2, data: { height: 4 } });
  });

  test("checks every item before the first request", async () => {
    const stdin = '{"op":"delete","id":"x"}\n{"op":"merge"}';
    const { json } = await the().json(["resources", "batch", "tree", "-"], { stdin });
    expect(json).toMatchObject({ error: { code: "E302" } });
  });
});
