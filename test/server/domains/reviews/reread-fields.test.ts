import { expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import { invoiceText, invoiceWorkspace, readDocument } from "../document-types/world.ts";

describePlatform("reviews", (the) => {
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
    // The answer already has the new type's fields, which are not read yet.
    expect(labelled.json).toMatchObject({
      classification: { label: "letter" },
      fields: {
        sender: { value: null, documentType: "letter" },
        buyer: { value: "Northwind", documentType: "letter", method: "review" },
      },
    });
    expect(Object.keys(field(labelled.json, "fields") as object).toSorted()).toEqual([
      "buyer",
      "sender",
    ]);
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
    const entries = await staff.get(`${path}/history?limit=2`, of(the()));
    expect(entries.json).toMatchObject({
      items: [
        {
          operation: "reread",
          target: "fields",
          version: version + 1,
          actor: the().users["tenant-staff"].oid,
          changes: [
            { op: "test", path: "/fields", value: { sender: { value: null } } },
            { op: "replace", path: "/fields", value: { sender: { value: "Ada Marsh" } } },
          ],
        },
        {
          operation: "correct",
          target: "label",
          changes: [
            { path: "/classification" },
            { path: "/classification" },
            { op: "test", path: "/fields", value: { total: { value: "GBP 30.00" } } },
            { op: "replace", path: "/fields", value: { sender: { value: null } } },
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
