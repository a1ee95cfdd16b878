import { describe, expect, test } from "vitest";
import { findTableCell } from "#server/text/analysis/configured/apply-rules.ts";
import { extract } from "../../extraction/formats/build-files.ts";

describe("a cell by its row's label and its column's heading", () => {
  test("rows on the next page have the headings of the page before", async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `berth ${index},free,${index * 2}`);
    const { pages } = await extract(["Place,State,Fee", ...lines].join("\n"), {
      filename: "a.csv",
    });
    expect(pages.length).toBeGreaterThan(2);
    expect(pages[1]?.tables).toMatchObject([{ header: 0, continues: true }]);
    const found = findTableCell(pages, { row: "Berth 1999", column: "fee:" });
    const text = pages.find(({ number }) => number === found?.page)?.text;
    expect(text?.slice(found?.start, found?.end)).toBe("3998");
  });

  test("the first cell with text is the label, and other tables do not count", async () => {
    const page =
      "<table><tr><th>Item<th>Price<tr><td>Rope<td>£3</table>" +
      "<table><tr><th>Item<th>Stock<tr><td>Rope<td>40<tr><td>Sail<td></table>";
    const { pages } = await extract(`<html>${page}`, { filename: "a.html" });
    const find = (rowLabel: string | undefined, column: string): string | undefined => {
      const found = findTableCell(pages, { row: rowLabel, column });
      return found === undefined ? undefined : pages[0]?.text.slice(found.start, found.end);
    };
    expect(find("Rope", "Stock")).toBe("40");
    expect(find(undefined, "Stock")).toBe("40");
    expect(find("Sail", "Stock")).toBeUndefined();
    expect(find("Sail", "Price")).toBeUndefined();
  });
});
