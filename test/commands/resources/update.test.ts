import { beforeAll, describe, expect, test } from "vitest";
import { plant, publishTrees } from "./trees.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await publishTrees(the());
});

describe("resources get, update, delete", () => {
  test("update fetches the version when none is named, and refuses a stale one", async () => {
    const id = await plant(the(), { species: "elm" });
    const update = ["resources", "update", "tree", id, "--data"];
    const first = await the().json([...update, '{"species":"wych elm"}']);
    expect(first).toMatchObject({
      exitCode: 0,
      json: { version: 2, data: { species: "wych elm" } },
    });
    const second = await the().json([...update, '{"species":"elm"}', "--version", "2"]);
    expect(second.json).toMatchObject({ version: 3 });
    const stale = await the().json([...update, '{"species":"fir"}', "--version", "2"]);
    expect(stale.exitCode).toBe(1);
    expect(stale.json).toMatchObject({
      error: {
        code: "E205",
        message: expect.stringMatching(/^Resource conflict: .*its current version is 3/),
        status: 409,
        hint: expect.stringContaining("The current version is 3"),
      },
    });
    const now = await the().json(["resources", "get", "tree", id]);
    expect(now.json).toMatchObject({ version: 3, data: { species: "elm" } });
    const usage = await the().json([...update, "{}", "--version", "0"]);
    expect(usage).toMatchObject({ exitCode: 2, json: { error: { code: "E305" } } });
  });
});
