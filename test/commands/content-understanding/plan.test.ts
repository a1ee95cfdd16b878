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
  test("plan, apply, status", async () => {
    const planned = await run(`plan --file good.json --output plan.json ${tenant()}`);
    expect(planned).toMatchObject({
      exitCode: 0,
      json: { actions: [{ action: "create" }, {}, {}] },
    });
    const words = `apply --file good.json --plan plan.json --operation-id one ${tenant()}`;
    const applied = await run(words);
    expect(applied).toMatchObject({
      exitCode: 0,
      json: { operationId: "one", status: "succeeded" },
    });
    expect(await run(words)).toMatchObject({ exitCode: 0, json: { operationId: "one" } });
    expect(await run(`status --operation-id one ${tenant()}`)).toMatchObject({
      json: { status: "succeeded" },
    });
    expect(await run(`status ${tenant()}`)).toMatchObject({
      json: { items: [{ operationId: "one" }] },
    });
    const other = `apply --file changed.json --plan plan.json --operation-id two ${tenant()}`;
    expect(await run(other)).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
    const text = await the().svc(`content-understanding plan --file changed.json ${tenant()}`, {
      currentDirectory: folder,
    });
    expect(text.stdout).toMatch(/analyzers +invoices +update +displayName/);
  });
});
