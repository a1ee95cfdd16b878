import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { of } from "../classifiers/world.ts";
import { newInvoice } from "./new-invoice.ts";

const queue = "/v4/data/documents/reviews";

describePlatform("reviews", (the) => {
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
});
