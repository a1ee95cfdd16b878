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

describe("content-understanding", () => {
  test("schema and validate need no sign-in", async () => {
    expect(await run("schema", "anonymous")).toMatchObject({
      exitCode: 0,
      json: { properties: { documentTypes: { type: "object" } } },
    });
    expect(await run("validate --file good.json", "anonymous")).toMatchObject({
      exitCode: 0,
      json: { valid: true, faults: [] },
    });
    expect(await run("validate --file faulty.json", "anonymous")).toMatchObject({
      exitCode: 1,
      json: { valid: false, faults: [{ pointer: "#/version" }, { pointer: "#/more" }] },
    });
  });
});
