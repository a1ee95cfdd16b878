import { beforeAll, describe, expect, test } from "vitest";
import { publishTrees } from "./trees.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await publishTrees(the());
});

describe("resources schema", () => {
  test("lists the published types", async () => {
    const { stdout } = await the().svc("resources schema", { as: "tenant-viewer" });
    expect(stdout).toMatch(/^SLUG +NAME +RECORDS +PROPERTIES$/m);
    expect(stdout).toMatch(/^tree +Tree +\d+ +species, height, note, label$/m);
  });

  test.each([
    ["", ""],
    [" --columns slug --simple", ""],
    [" --format ndjson", ""],
    [" --columns slug --format csv", "slug\r\n"],
  ])("reports a workspace without types:%s", async (format, output) => {
    const words = `resources schema --tenant-id ${the().platform.workspaces.other}${format}`;
    const { exitCode, stdout, stderr } = await the().svc(words, { as: "outsider" });
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 0,
      stdout: output,
      stderr: "No Object Types\n",
    });
  });

  test("as JSON, a workspace without types is an empty list", async () => {
    const words = `resources schema --tenant-id ${the().platform.workspaces.other}`;
    const { stderr, json } = await the().json(words, { as: "outsider" });
    expect({ stderr, json }).toMatchObject({ stderr: "", json: { objectTypes: [] } });
  });
});
