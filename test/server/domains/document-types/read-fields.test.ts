import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { invoiceText, invoiceWorkspace, readDocument } from "./world.ts";

describePlatform("document types", (the) => {
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
