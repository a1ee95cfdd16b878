import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { of } from "#test/server/domains/classifiers/world.ts";
import {
  analyzer,
  invoiceText,
  invoiceType,
  invoiceWorkspace,
  readDocument,
} from "#test/server/domains/document-types/world.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

describe("docs review", () => {
  test("lists, accepts and corrects the fields of a document", async () => {
    const { platform } = the();
    const { application } = await invoiceWorkspace(platform);
    const record = await readDocument(platform, application, invoiceText);
    const number = String(record["documentNumber"]);
    const list = await the().svc(`docs review list --document ${number}`);
    expect(list.stdout).toMatch(/fields\.buyer +missing +0 % +50 %/);
    expect(list.stdout).toMatch(/fields\.total +GBP 30\.00 +88 % +95 % +£30\.00/);
    const accepted = await the().json(`docs review accept ${number} fields.total`);
    expect(accepted).toMatchObject({ exitCode: 0, json: { fields: { total: { confidence: 1 } } } });
    const words = `docs review correct ${number} fields.buyer --value Northwind`;
    const stale = await the().json(`${words} --version 1`);
    expect(stale).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
    const text = await the().svc(words);
    expect(text.stdout).toContain("Northwind");
    const none = await the().svc("docs review list");
    expect(none.stderr).toContain("Nothing to review");
    const read = await platform
      .as("tenant-viewer")
      .get(`/v4/data/documents/records/${number}/history`, of(platform));
    expect(read.json).toMatchObject({ items: [{ operation: "correct" }, { operation: "accept" }] });
  });

  test("correct needs a value", async () => {
    const refused = await the().json("docs review correct DOC-2026-000001 label");
    expect(refused).toMatchObject({ json: { error: { code: "E303" } } });
  });
});

describe("docs configure-type", () => {
  const fields = Object.entries(invoiceType.fields).map(([name, field]) => ({
    name,
    ...field,
    rules: analyzer.fields[name as keyof typeof analyzer.fields].rules,
  }));
  const configuration = { documentType: { key: "bill", displayName: "Bill" }, fields };

  async function configure(content: object) {
    const folder = await temporaryDirectory("configuration");
    await Bun.write(join(folder, "configuration.json"), JSON.stringify(content));
    const settings = { currentDirectory: folder };
    return the().json("docs configure-type --file configuration.json", settings);
  }

  test("stores a type with its analyzer, and reads both back", async () => {
    expect(await configure(configuration)).toMatchObject({
      exitCode: 0,
      json: {
        verified: true,
        documentType: { key: "bill", label: "bill", analyzer: "bill" },
        runtimeSync: { status: "applied" },
      },
    });
  });

  test("reports a partial runtime sync with exit code 1", async () => {
    const model = { method: "model", instruction: "Summarize it" };
    const summary = { name: "summary", mode: "generate", rules: [model] };
    expect(await configure({ ...configuration, fields: [...fields, summary] })).toMatchObject({
      exitCode: 1,
      json: {
        verified: true,
        runtimeSync: {
          status: "partial",
          fields: expect.arrayContaining([
            {
              field: "summary",
              status: "skipped",
              reason: expect.stringContaining("no model is configured"),
            },
          ]),
        },
      },
    });
  });

  test("refuses a faulty file before any request", async () => {
    const twice = { ...configuration, fields: [...fields, ...fields] };
    const refused = await configure(twice);
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "E302" } } });
    expect(JSON.stringify(refused.json)).toContain("/fields");
  });

  test("names the methods of a rule with an unknown one", async () => {
    const rules = [{ method: "guess" }];
    const refused = await configure({ ...configuration, fields: [{ name: "total", rules }] });
    expect(refused).toMatchObject({
      exitCode: 2,
      json: {
        error: {
          code: "E302",
          message: expect.stringContaining('/method must be "pattern" or "label-value" or'),
        },
      },
    });
  });
});
