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
  test("apply refuses what is no plan, and a plan of another workspace", async () => {
    const none = await run(`apply --file good.json --plan other.json ${tenant()}`);
    expect(none).toMatchObject({ exitCode: 2, json: { error: { code: "E305" } } });
    const foreign = { digest: "a".repeat(64), tenantId: "01890000-0000-7000-8000-000000000000" };
    await Bun.write(join(folder, "foreign.json"), JSON.stringify(foreign));
    const refused = await run(`apply --file good.json --plan foreign.json ${tenant()}`);
    expect(refused.json).toMatchObject({ error: { code: "E305" } });
  });
});
