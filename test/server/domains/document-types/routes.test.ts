import { describe } from "vitest";
import { apiCases, forStaff, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { describePlatform, type TestPlatform } from "#test/support/platform.ts";
import { analyzer, invoiceType, newAnalyzer, newType } from "./world.ts";

const types = "/v4/data/documents/document-types";
const analyzers = "/v4/data/documents/analyzers";
const headers = { "x-tenant-id": "{tenant}" };

const invoices = new WeakMap<TestPlatform, Promise<string>>();

/** The id of a document of the platform that has a date; the first call uploads it. */
function invoiceIn(the: TestPlatform): Promise<string> {
  const upload = async (): Promise<string> => {
    const text = "Invoice no: INV-004711\nDate: 3 May 2026\n";
    return (await uploaded(the, await makeContext(the), text, "invoice.txt")).documentId ?? "";
  };
  const known = invoices.get(the) ?? upload();
  invoices.set(the, known);
  return known;
}

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
    body: { ...invoiceType, displayName: "Bill" },
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
  {
    name: "learns rules from marked values",
    as: "tenant-builder",
    method: "POST",
    path: `${analyzers}/by-example`,
    headers,
    body: { type: "date", examples: [{ documentId: "{document}", value: "3 May 2026" }] },
    before: async (the) => ({ document: await invoiceIn(the) }),
    expect: {
      status: 200,
      body: {
        rules: [{ method: "label-value", labels: ["Date"] }],
        examples: [{ value: "2026-05-03", quote: "3 May 2026", page: 1 }],
      },
    },
  },
];

describePlatform("document types", (the) => {
  apiCases(the, good);

  apiCases(the, [
    {
      name: "make no version when nothing changes",
      as: "tenant-builder",
      method: "PUT",
      path: `${analyzers}/{key}`,
      headers,
      body: analyzer,
      before: newAnalyzer,
      expect: { status: 200, body: { version: 1 }, headers: { etag: '"1"' } },
    },
    {
      name: "make no version of a type when nothing changes",
      as: "tenant-builder",
      method: "PUT",
      path: `${types}/{key}`,
      headers,
      body: invoiceType,
      before: newType,
      expect: { status: 200, body: { version: 1 }, headers: { etag: '"1"' } },
    },
  ]);

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
        name: "with an example of a document that does not exist",
        as: "tenant-builder",
        method: "POST",
        path: `${analyzers}/by-example`,
        headers,
        body: { examples: [{ documentId: "DOC-2026-999999", value: "x" }] },
        expect: { status: 422, pointers: ["#/examples/0/documentId"] },
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
});
