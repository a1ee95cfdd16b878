import { describe, expect, test } from "vitest";
import { apiCases, forStaff, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import {
  analyzer,
  invoiceText,
  invoiceType,
  invoiceWorkspace,
  newAnalyzer,
  newType,
  readDocument,
} from "./world.ts";

const types = "/v4/data/documents/document-types";
const analyzers = "/v4/data/documents/analyzers";
const headers = { "x-tenant-id": "{tenant}" };

const good: readonly ApiCase[] = [
  {
    name: "lists document types",
    as: "tenant-viewer",
    method: "GET",
    path: `${types}?limit=500`,
    headers,
    before: newType,
    expect: { status: 200, body: { hasNextPage: false } },
  },
  {
    name: "reads a document type with its runtime",
    as: "tenant-viewer",
    method: "GET",
    path: `${types}/{key}`,
    headers,
    before: newType,
    expect: {
      status: 200,
      body: { key: "{key}", version: 1, runtime: { status: "applied" } },
      headers: { etag: '"1"' },
    },
  },
  {
    name: "replaces a document type",
    as: "tenant-builder",
    method: "PUT",
    path: `${types}/{key}`,
    headers: { ...headers, "if-match": '"1"' },
    body: invoiceType,
    before: newType,
    expect: { status: 200, body: { version: 2, analyzer: "{key}" } },
  },
  {
    name: "deletes a document type",
    as: "tenant-builder",
    method: "DELETE",
    path: `${types}/{key}`,
    headers,
    before: newType,
    expect: { status: 200, body: { removed: true } },
  },
  {
    name: "lists analyzers",
    as: "tenant-viewer",
    method: "GET",
    path: `${analyzers}?limit=500`,
    headers,
    before: newAnalyzer,
    expect: { status: 200, body: { hasNextPage: false } },
  },
  {
    name: "reads an analyzer",
    as: "tenant-viewer",
    method: "GET",
    path: `${analyzers}/{key}`,
    headers,
    before: newAnalyzer,
    expect: { status: 200, body: { key: "{key}", fields: analyzer.fields } },
  },
  {
    name: "replaces an analyzer",
    as: "tenant-builder",
    method: "PUT",
    path: `${analyzers}/{key}`,
    headers,
    body: { ...analyzer, displayName: "Bills" },
    before: newAnalyzer,
    expect: { status: 200, body: { displayName: "Bills", version: 2 } },
  },
  {
    name: "deletes an analyzer",
    as: "tenant-builder",
    method: "DELETE",
    path: `${analyzers}/{key}`,
    headers,
    before: newAnalyzer,
    expect: { status: 200, body: { removed: true } },
  },
];

describePlatform("document types", (the) => {
  apiCases(the, good);

  describe("are refused", () => {
    apiCases(the, [
      ...forStrangers(good),
      ...forStaff(good),
      {
        name: "with patterns that are none, or too large",
        as: "tenant-builder",
        method: "PUT",
        path: `${analyzers}/faulty`,
        headers,
        body: {
          displayName: "x",
          fields: {
            a: { rules: [{ method: "pattern", pattern: "(" }] },
            b: { rules: [{ method: "pattern", pattern: "(a)\\1" }] },
            c: { rules: [{ method: "pattern", pattern: "(?:[a-z]{50}){9}" }] },
          },
        },
        expect: {
          status: 422,
          pointers: [
            "#/fields/a/rules/0/pattern",
            "#/fields/b/rules/0/pattern",
            "#/fields/c/rules/0/pattern",
          ],
        },
      },
      {
        name: "with another version than the current one",
        as: "tenant-builder",
        method: "PUT",
        path: `${types}/{key}`,
        headers: { ...headers, "if-match": '"9"' },
        body: invoiceType,
        before: newType,
        expect: { status: 412, code: "precondition-failed" },
      },
      {
        name: "when a type uses the analyzer",
        as: "tenant-builder",
        method: "DELETE",
        path: `${analyzers}/{key}`,
        headers,
        before: newType,
        expect: { status: 409, code: "conflict" },
      },
    ]);
  });

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

  test("give documents their fields with place and quote", async () => {
    const { application } = await invoiceWorkspace(the());
    const record = await readDocument(the(), application, invoiceText);
    expect(field(record["classification"], "label")).toBe("invoice");
    const fields = record["fields"] as Record<string, { span: { start: number; end: number } }>;
    expect(fields).toMatchObject({
      number: { value: "INV-004711", quote: "INV-004711", page: 1, method: "pattern" },
      due: { value: "2026-06-02", quote: "2 June 2026", type: "date" },
      total: { value: "GBP 30.00", quote: "£30.00", method: "table-cell" },
      buyer: { value: null, confidence: 0 },
      title: { value: "INV-004711 of 2026-06-02", method: "template", quote: null },
    });
    const { start = 0, end = 0 } = fields["due"]?.span ?? {};
    expect(invoiceText.slice(start, end)).toBe("2 June 2026");

    // The same analyzer reads the table of a web page, whose cells have several lines.
    const page =
      "<html><p>Tax invoice INV-004712<p>Invoice date: 3 May 2026<p>Due: 2 June 2026" +
      "<table><tr><th>Item<th>Pieces<th>Amount<tr><td><p>Rope<p>20 m<td>2<td>£30.00" +
      "<tr><th colspan=2>Total<td>£60.00</table><p>Payment terms: 30 days";
    const { fields: ofPage } = await readDocument(the(), application, page, "html");
    expect(ofPage).toMatchObject({
      number: { value: "INV-004712" },
      total: { value: "GBP 60.00", quote: "£60.00", page: 1, method: "table-cell" },
    });
  });
});
