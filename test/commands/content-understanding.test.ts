import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { definition } from "#test/server/domains/classifiers/world.ts";
import { analyzer, invoiceType } from "#test/server/domains/document-types/world.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "./world.ts";

const the = commandWorld();
const manifest = {
  version: 1,
  classifiers: { papers: definition },
  analyzers: { invoices: analyzer },
  documentTypes: { invoice: { ...invoiceType, analyzer: "invoices" } },
};
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

  test("apply refuses what is no plan, and a plan of another workspace", async () => {
    const none = await run(`apply --file good.json --plan other.json ${tenant()}`);
    expect(none).toMatchObject({ exitCode: 1, json: { error: { code: "E305" } } });
    const foreign = { digest: "a".repeat(64), tenantId: "01890000-0000-7000-8000-000000000000" };
    await Bun.write(join(folder, "foreign.json"), JSON.stringify(foreign));
    const refused = await run(`apply --file good.json --plan foreign.json ${tenant()}`);
    expect(refused.json).toMatchObject({ error: { code: "E305" } });
  });

  test("capabilities name methods and models", async () => {
    expect(await run(`capabilities ${tenant()}`)).toMatchObject({
      exitCode: 0,
      json: { methods: expect.arrayContaining(["table-cell"]), models: { chat: null } },
    });
  });
});
