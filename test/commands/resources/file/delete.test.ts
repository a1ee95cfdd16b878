import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { field } from "#test/support/platform.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld, type CallSettings } from "../../world.ts";

const the = commandWorld();

let folder = "";
let settings: CallSettings = {};

beforeAll(async () => {
  const { tenant } = the().platform.workspaces;
  const properties = {
    species: { type: "string" },
    photo: { type: "file" },
    plan: { type: "file", accept: ["application/pdf"] },
  };
  const type = { name: "Tree", slug: "tree", properties };
  const headers = { "x-tenant-id": tenant };
  const made = await the()
    .platform.as("tenant-admin")
    .post("/v4/data/resources/object-types", type, { headers });
  expect(made.status).toBe(201);
  folder = await temporaryDirectory("files");
  await Bun.write(join(folder, "oak.txt"), "An oak.\n");
  await Bun.write(join(folder, "bytes.bin"), new Uint8Array([0, 255, 128, 10]));
  await mkdir(join(folder, "saved"));
  settings = { as: "tenant-staff", currentDirectory: folder };
});

async function tree(): Promise<string> {
  const { json } = await the().json(["resources", "create", "tree", "--data", "{}"]);
  return String(field(json, "id"));
}

const svc = (words: readonly string[], more: CallSettings = {}) =>
  the().svc(["resources", "file", ...words], { ...settings, ...more });
const json = (words: readonly string[], more: CallSettings = {}) =>
  the().json(["resources", "file", ...words], { ...settings, ...more });

describe("resources file delete", () => {
  test("asks, unless --force is given", async () => {
    const id = await tree();
    await svc(["upload", "tree", id, "photo", "oak.txt"]);
    const words = ["delete", "tree", id, "photo"];
    const refused = await json(words);
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "E303" } } });
    const done = await svc([...words, "--force"]);
    expect([done.exitCode, done.stdout]).toEqual([0, `Deleted the file photo of tree ${id}\n`]);
    const gone = await json([...words, "--force"]);
    expect(gone.json).toMatchObject({ error: { code: "E202", status: 404 } });
  });
});
