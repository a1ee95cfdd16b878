import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzer } from "#test/server/domains/document-types/world.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";
import { manifest } from "./manifest.ts";

const the = commandWorld();

let folder = "";

beforeAll(async () => {
  folder = await temporaryDirectory("understanding");
  const files = {
    "good.json": manifest,
    "changed.json": { ...manifest, analyzers: { invoices: { ...analyzer, displayName: "Bills" } } },
    "faulty.json": { ...manifest, version: 2, more: true },
    "other.json": { digest: "no" },
  };
  for (const [name, content] of Object.entries(files)) {
    await Bun.write(join(folder, name), JSON.stringify(content));
  }
});

const run = (words: string, as?: "anonymous") =>
  the().json(`content-understanding ${words}`, {
    currentDirectory: folder,
    ...(as === undefined ? {} : { as }),
  });
const tenant = () => `--tenant-id ${the().platform.workspaces.tenant}`;

describe("content-understanding", () => {
  test("capabilities name methods and models", async () => {
    expect(await run(`capabilities ${tenant()}`)).toMatchObject({
      exitCode: 0,
      json: { methods: expect.arrayContaining(["table-cell"]), models: { chat: null } },
    });
  });
});
