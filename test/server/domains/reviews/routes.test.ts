import { describe, expect, test } from "vitest";
import { apiCases, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import { invoiceWorkspace, readDocument } from "../document-types/world.ts";
import { newInvoice } from "./new-invoice.ts";

const headers = { "x-tenant-id": "{tenant}" };
const decide = "/v4/data/documents/records/{document}/reviews";
const history = "/v4/data/documents/records/{document}/history";
const queue = "/v4/data/documents/reviews";

const good: readonly ApiCase[] = [
  {
    name: "lists fields below their threshold",
    as: "tenant-viewer",
    method: "GET",
    path: `${queue}?documentId={document}&count=true`,
    headers,
    before: newInvoice,
    expect: {
      status: 200,
      body: {
        total: 2,
        items: [
          { target: "fields.buyer", confidence: 0, found: { value: null }, status: "open" },
          { target: "fields.total", threshold: 0.95, found: { quote: "£30.00" } },
        ],
      },
    },
  },
  {
    name: "accepts a field",
    as: "tenant-staff",
    method: "POST",
    path: decide,
    headers,
    body: { action: "accept", target: "fields.total" },
    before: newInvoice,
    expect: {
      status: 200,
      body: { fields: { total: { value: "GBP 30.00", confidence: 1, reviewed: true } } },
    },
  },
  {
    name: "corrects a field with a value of its type",
    as: "tenant-staff",
    method: "POST",
    path: decide,
    headers,
    body: { action: "correct", target: "fields.total", value: "£31.50" },
    before: newInvoice,
    expect: {
      status: 200,
      body: { fields: { total: { value: "GBP 31.50", method: "review", span: null } } },
    },
  },
  {
    name: "lists the history of a document",
    as: "tenant-viewer",
    method: "GET",
    path: history,
    headers,
    before: newInvoice,
    expect: { status: 200, body: { items: [] } },
  },
];

describePlatform("reviews", (the) => {
  apiCases(the, good);

  describe("are refused", () => {
    apiCases(the, [
      ...forStrangers(good),
      {
        name: "to a viewer",
        as: "tenant-viewer",
        method: "POST",
        path: decide,
        headers,
        body: { action: "accept", target: "fields.total" },
        before: newInvoice,
        expect: { status: 403, code: "permission-denied" },
      },
      ...(
        [
          ["a value of another type", { target: "fields.total", value: "soon" }, "#/value"],
          ["a field that is none", { target: "fields.colour", value: "red" }, "#/target"],
          ["a name that every object has", { target: "fields.constructor", value: 1 }, "#/target"],
          ["a label that is none", { target: "label", value: "novel" }, "#/value"],
          ["a target that is none", { target: "pages", value: 1 }, "#/target"],
        ] as const
      ).map(([name, body, pointer]): ApiCase => ({
        name: `for ${name}`,
        as: "tenant-staff",
        method: "POST",
        path: decide,
        headers,
        body: { action: "correct", ...body },
        before: newInvoice,
        expect: { status: 422, pointers: [pointer] },
      })),
      {
        name: "for another version than the current one",
        as: "tenant-staff",
        method: "POST",
        path: decide,
        headers: { ...headers, "if-match": '"1"' },
        body: { action: "accept", target: "fields.total" },
        before: newInvoice,
        expect: { status: 412, code: "precondition-failed" },
      },
    ]);
  });

  test("of a label train the classifier, and its text is forgotten with the document", async () => {
    const { application } = await invoiceWorkspace(the());
    const text = `Some papers without a rule. ${Bun.randomUUIDv7()}`;
    const record = await readDocument(the(), application, text);
    const document = String(record["documentId"]);
    const staff = the().as("tenant-staff");
    const open = await staff.get(`${queue}?documentId=${document}`, of(the()));
    expect(open.json).toMatchObject({ items: [{ target: "label", kind: "label" }] });
    const path = `/v4/data/documents/records/${document}`;
    const body = { action: "correct", target: "label", value: "letter" };
    const decided = await staff.post(`${path}/reviews`, body, of(the()));
    expect(decided.json).toMatchObject({
      classification: { label: "letter", confidence: 1, method: "review" },
    });
    const examples = "/v4/data/documents/classifiers/papers/examples";
    const learnt = await staff.get(examples, of(the()));
    expect(learnt.json).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ label: "letter", source: "correction", documentId: document }),
      ]),
    });
    const deleted = await the().as("tenant-admin").delete(path, of(the()));
    expect(deleted.status, deleted.text).toBe(200);
    await eventually(async () => {
      const { text: left } = await staff.get(examples, of(the()));
      expect(left).not.toContain(document);
    });
    const none = await staff.get(queue, of(the()));
    expect(none.text).not.toContain(document);
  });
});
