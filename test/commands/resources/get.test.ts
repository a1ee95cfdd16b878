import { beforeAll, describe, expect, test } from "vitest";
import { plant, publishTrees } from "./trees.ts";
import { commandWorld, platformDown } from "../world.ts";

const the = commandWorld();
const noId = "01890000-0000-7000-8000-000000000000";

beforeAll(async () => {
  await publishTrees(the());
});

describe("resources get, update, delete", () => {
  test("get shows the record", async () => {
    const id = await plant(the(), { species: "ash" });
    const { json } = await the().json(["resources", "get", "tree", id], { as: "tenant-viewer" });
    expect(json).toMatchObject({ id, type: "tree", version: 1, data: { species: "ash" } });
    const text = await the().svc(["resources", "get", "tree", id]);
    expect(text.stdout.split("\n").slice(0, 3)).toEqual([
      `id            ${id}`,
      "type          tree",
      "version       1",
    ]);
  });

  test("a missing record is E202, and a wrong ID is refused", async () => {
    const missing = await the().json(["resources", "get", "tree", noId]);
    expect(missing).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E202", message: `tree ${noId} not found`, status: 404 } },
    });
    const noUuid = await the().json(["resources", "get", "tree", "../x"], { fetch: platformDown });
    expect(noUuid.json).toMatchObject({ error: { code: "E305" } });
  });
});
