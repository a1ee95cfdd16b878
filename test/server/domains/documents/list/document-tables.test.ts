import { beforeAll, expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { makeContext, uploaded, type Context } from "#test/support/document-forms.ts";

const records = "/v4/data/documents/records";

const page = [
  "<html><title>Fees</title><p>Fees of the harbour",
  "<table><tr><th>Berth<th>Day<th>Month<tr><th>North<td>£12.50<td>£210.00",
  "<tr><th>South<td>£18.00<td>£295.00</table>",
  "<table><tr><th>Item<th>Price<tr><td>Crane<td>£40.00</table>",
].join("");

interface Table {
  readonly rows: { text: string; span: { start: number; end: number } }[][];
}

function itemsOf(json: unknown): Table[] {
  return field(json, "items") as Table[];
}

describePlatform("tables of documents", (the) => {
  let context: Context;
  let document: string;
  let text = "";
  const of = () => ({ headers: { "x-tenant-id": the().workspaces.tenant } });

  beforeAll(async () => {
    context = await makeContext(the());
    const { documentId } = await uploaded(the(), context, page, "fees.html");
    document = documentId ?? "";
    const first = await the().as("tenant-viewer").get(`${records}/${document}/pages/1`, of());
    text = String(field(first.json, "text"));
  });

  test("a viewer reads them with the place of each cell, page by page", async () => {
    const viewer = the().as("tenant-viewer");
    const all = await viewer.get(`${records}/${document}/tables?count=true`, of());
    expect(all.status, all.text).toBe(200);
    expect(all.json).toMatchObject({
      total: 2,
      hasNextPage: false,
      items: [
        { table: 1, page: 1, header: 1 },
        { table: 2, page: 1, header: 1 },
      ],
    });
    const rows = itemsOf(all.json)[0]?.rows ?? [];
    expect(rows.map((row) => row.map((cell) => cell.text))).toEqual([
      ["Berth", "Day", "Month"],
      ["North", "£12.50", "£210.00"],
      ["South", "£18.00", "£295.00"],
    ]);
    for (const { span, text: shown } of rows.flat()) {
      expect(text.slice(span.start, span.end)).toBe(shown);
    }
    const first = await viewer.get(`${records}/${document}/tables?limit=1`, of());
    expect(first.json).toMatchObject({ items: [{ table: 1 }], hasNextPage: true });
    const cursor = String(field(first.json, "nextCursor"));
    const second = await viewer.get(`${records}/${document}/tables?limit=1&cursor=${cursor}`, of());
    expect(second.json).toMatchObject({ items: [{ table: 2 }], hasNextPage: false });
    expect((await viewer.get(`${records}/${document}/tables?ofPage=2`, of())).json).toMatchObject({
      items: [],
    });
  });

  test("another workspace has no such document, and a page is a number", async () => {
    const stranger = await the()
      .as("outsider")
      .get(`${records}/${document}/tables`, { headers: { "x-tenant-id": the().workspaces.other } });
    expect(stranger.status).toBe(404);
    const wrong = await the()
      .as("tenant-viewer")
      .get(`${records}/${document}/tables?ofPage=x`, of());
    expect(wrong.status).toBe(422);
    expect(wrong.json).toMatchObject({ errors: [{ pointer: "#/query/ofPage" }] });
  });
});
