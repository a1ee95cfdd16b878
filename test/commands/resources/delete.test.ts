import { beforeAll, describe, expect, test } from "vitest";
import { testBaseUrl } from "#test/support/platform.ts";
import { plant, publishTrees } from "./trees.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await publishTrees(the());
});

describe("resources get, update, delete", () => {
  test("delete asks on a terminal, and only yes deletes the record", async () => {
    const id = await plant(the(), { species: "yew" });
    const words = ["resources", "delete", "tree", id];
    const no = await the().svc(words, { terminal: 80, stdin: "n\n" });
    expect(no.exitCode).toBe(1);
    expect(no.stderr).toContain(
      `Delete tree ${id}? [y/N] Error E305: Invalid input: not confirmed`,
    );
    expect(await the().svc(["resources", "get", "tree", id])).toMatchObject({ exitCode: 0 });
    const yes = await the().svc(words, { terminal: 80, stdin: "yes\n" });
    expect(yes).toMatchObject({ exitCode: 0, stdout: `Deleted tree ${id}\n` });
    expect((await the().json(["resources", "get", "tree", id])).json).toMatchObject({
      error: { code: "E202", message: `tree ${id} not found` },
    });
  });

  test("--dry-run shows what would be deleted, without a question", async () => {
    const id = await plant(the(), { species: "ash" });
    const words = ["resources", "delete", "tree", id];
    expect(await the().svc([...words, "--dry-run"])).toMatchObject({
      exitCode: 0,
      stdout: `Nothing was deleted\ndeletes tree ${id}\n`,
    });
    expect(await the().svc(["resources", "get", "tree", id])).toMatchObject({ exitCode: 0 });
  });

  test.each([{}, { terminal: 80, stdin: "y\n" }])("delete with %j needs --force", async (call) => {
    const id = await plant(the(), { species: "box" });
    const words = ["resources", "delete", "tree", id];
    const { exitCode, json } = await the().json(words, call);
    expect(exitCode).toBe(2);
    expect(json).toMatchObject({
      error: { code: "E303", message: "Required field missing: --force", exitCode: 2 },
    });
    const forced = await the().json([...words, "--force"]);
    expect(forced.json).toEqual({
      id,
      type: "tree",
      deleted: true,
      request: {
        publicApiUrl: testBaseUrl,
        tenantId: the().platform.workspaces.tenant,
        proofKind: "transport-response",
      },
    });
  });
});
