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

describe("resources patch, upsert", () => {
  test("patch changes what it names, in any version or in the given one", async () => {
    const id = await plant(the(), { species: "elm", height: 3, note: "old" });
    const patch = ["resources", "patch", "tree", id, "--data"];
    const any = await the().json([...patch, '{"height":4,"note":null}']);
    expect(any).toMatchObject({
      exitCode: 0,
      json: { version: 2, data: { species: "elm", height: 4 } },
    });
    expect(any.json).not.toHaveProperty(["data", "note"]);
    const stale = await the().json([...patch, '{"height":5}', "--version", "1"]);
    expect(stale).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E205", hint: expect.stringContaining("current version is 2") } },
    });
    const fault = await the().json([...patch, '{"species":null}']);
    expect(fault).toMatchObject({ exitCode: 1, json: { error: { code: "E302" } } });
  });

  test("upsert creates a record once, and changes it after that", async () => {
    const upsert = ["resources", "upsert", "tree", "label", "T/1 %", "--data"];
    const made = await the().json([...upsert, '{"species":"elm","height":3}']);
    expect(made).toMatchObject({
      exitCode: 0,
      json: {
        version: 1,
        data: { label: "T/1 %", species: "elm", height: 3 },
        request: { proofKind: "transport-response" },
      },
    });
    const changed = await the().json([...upsert, '{"height":4}']);
    expect(changed.json).toMatchObject({ version: 2, data: { species: "elm", height: 4 } });
    const replaced = await the().json([...upsert, '{"species":"fir"}', "--replace"]);
    expect(replaced.json).toMatchObject({ version: 3, data: { label: "T/1 %", species: "fir" } });
    expect(replaced.json).not.toHaveProperty(["data", "height"]);
    const wrong = ["resources", "upsert", "tree", "note", "x", "--data", "{}"];
    const refused = await the().svc(wrong);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("unique") });
  });
});
