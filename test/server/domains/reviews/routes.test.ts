import { describe, expect, test } from "vitest";
import { apiCases, forStrangers, type ApiCase } from "#test/support/api-cases.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import { invoiceText, invoiceWorkspace, readDocument } from "../document-types/world.ts";

const headers = { "x-tenant-id": "{tenant}" };
const decide = "/v4/data/documents/records/{document}/reviews";
const history = "/v4/data/documents/records/{document}/history";
const queue = "/v4/data/documents/reviews";

/** An invoice, whose total and buyer must be looked at. */
async function newInvoice(the: TestPlatform): Promise<{ readonly document: string }> {
  const { application } = await invoiceWorkspace(the);
  const text = `${invoiceText}\n${Bun.randomUUIDv7()}`;
  const record = await readDocument(the, application, text);
  return { document: String(record["documentId"]) };
}

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

  test("leave the queue, and are in the history with the value before", async () => {
    const { document } = await newInvoice(the());
    const staff = the().as("tenant-staff");
    const path = `/v4/data/documents/records/${document}`;
    const before = await staff.get(path, of(the()));
    const body = { action: "correct", target: "fields.buyer", value: "Northwind" };
    const decided = await staff.post(`${path}/reviews`, body, of(the()));
    expect(field(decided.json, "version")).toBe(Number(field(before.json, "version")) + 1);
    const open = await staff.get(`${queue}?documentId=${document}`, of(the()));
    expect(open.json).toMatchObject({ items: [{ target: "fields.total" }] });
    const corrected = await staff.get(
      `${queue}?documentId=${document}&status=corrected`,
      of(the()),
    );
    expect(corrected.json).toMatchObject({
      items: [{ target: "fields.buyer", decidedBy: the().users["tenant-staff"].oid }],
    });
    const entries = await staff.get(`${path}/history`, of(the()));
    expect(entries.json).toMatchObject({
      items: [
        {
          operation: "correct",
          target: "fields.buyer",
          version: field(decided.json, "version"),
          changes: [
            { op: "test", path: "/fields/buyer", value: { value: null } },
            { op: "replace", path: "/fields/buyer", value: { value: "Northwind" } },
          ],
        },
      ],
    });
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

  test("of a label read the fields of its type again, and keep the values of users", async () => {
    const { application } = await invoiceWorkspace(the());
    const admin = the().as("tenant-admin");
    const rule = (label: string) => ({ rules: [{ method: "label-value", labels: [label] }] });
    const analyzer = {
      displayName: "Letters",
      fields: { sender: rule("From"), buyer: rule("To") },
    };
    await admin.put("/v4/data/documents/analyzers/letters", analyzer, of(the()));
    const fields = { sender: { required: true }, buyer: {} };
    const type = { displayName: "Letter", label: "letter", analyzer: "letters", fields };
    const made = await admin.put("/v4/data/documents/document-types/letter", type, of(the()));
    expect(made.status, made.text).toBe(200);
    const text = `${invoiceText}\nFrom: Ada Marsh\nTo: Tom Ash\n${Bun.randomUUIDv7()}`;
    const record = await readDocument(the(), application, text);
    expect(record).toMatchObject({ fields: { total: { value: "GBP 30.00" } } });
    const path = `/v4/data/documents/records/${String(record["documentId"])}`;
    const staff = the().as("tenant-staff");
    const decide = async (target: string, value: string) =>
      staff.post(`${path}/reviews`, { action: "correct", target, value }, of(the()));
    await decide("fields.buyer", "Northwind");
    const labelled = await decide("label", "letter");
    const version = Number(field(labelled.json, "version"));
    await eventually(async () => {
      const { json } = await staff.get(path, of(the()));
      expect(json).toMatchObject({
        version: version + 1,
        fields: {
          sender: { value: "Ada Marsh", quote: "Ada Marsh", documentType: "letter" },
          buyer: { value: "Northwind", method: "review" },
        },
      });
      expect(field(field(json, "fields"), "total")).toBeUndefined();
    });
    const entries = await staff.get(`${path}/history?limit=1`, of(the()));
    expect(entries.json).toMatchObject({
      items: [
        {
          operation: "reread",
          target: "fields",
          version: version + 1,
          actor: the().users["tenant-staff"].oid,
          changes: [
            { op: "test", path: "/fields", value: { total: { value: "GBP 30.00" } } },
            { op: "replace", path: "/fields", value: { sender: { value: "Ada Marsh" } } },
          ],
        },
      ],
    });
    // The reviews of the old type are gone.
    const open = await staff.get(
      `/v4/data/documents/reviews?documentId=${String(record["documentId"])}`,
      of(the()),
    );
    expect(open.json).toMatchObject({ items: [] });
  });
});
