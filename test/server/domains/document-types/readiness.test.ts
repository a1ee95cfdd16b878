import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import { analyzer, invoiceType, newAnalyzer } from "./world.ts";

const types = "/v4/data/documents/document-types";
const analyzers = "/v4/data/documents/analyzers";

describePlatform("document types", (the) => {
  test("say which fields can not be read here", async () => {
    const { key } = await newAnalyzer(the());
    const fields = { number: {}, colour: {}, summary: { mode: "generate" } };
    const builder = the().as("tenant-builder");
    await builder.put(
      `${analyzers}/${key}`,
      {
        ...analyzer,
        fields: {
          number: analyzer.fields.number,
          summary: { rules: [{ method: "model", instruction: "Summarize it" }] },
        },
      },
      of(the()),
    );
    const body = { ...invoiceType, analyzer: key, fields };
    const made = await builder.put(`${types}/${key}`, body, of(the()));
    expect(made.json).toMatchObject({
      runtime: {
        status: "partial",
        fields: [
          { field: "number", status: "applied" },
          { field: "colour", status: "skipped", reason: expect.stringContaining("no rules") },
          { field: "summary", status: "skipped", reason: expect.stringContaining("no model") },
        ],
      },
    });
  });
});
