import { describe, expect, test } from "vitest";
import { extract, failureOf, makeXlsx } from "./build-files.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map((page) => page.text).join("\n---\n");

describe("XLSX", () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/>' +
    '<numFmt numFmtId="165" formatCode="[$£-809]#,##0.00;[RED]-[$£-809]#,##0.00"/>' +
    '<numFmt numFmtId="166" formatCode="0 &quot;days&quot;"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>' +
    '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/>' +
    '<xf numFmtId="10"/><xf numFmtId="22"/><xf numFmtId="20"/><xf numFmtId="166"/></cellXfs>';

  test("numbers have the form of their cell's format", async () => {
    const cells = [
      ["0", "0.30000000000000004"],
      ["1", "46095"],
      ["2", "46095.75"],
      ["3", "1250"],
      ["3", "-7.5"],
      ["4", "0.255"],
      ["5", "46095.5"],
      ["6", "0.375"],
      ["7", "28"],
    ].map(([style, value]) => `<c s="${style}"><v>${value}</v></c>`);
    const file = makeXlsx({ Values: `<row>${cells.join("")}</row>` }, { styles });
    expect(await textOf(file, "a.xlsx")).toBe(
      "Values\n0.3\t2026-03-14\t2026-03-14\t£1,250.00\t-£7.50\t25.50%\t2026-03-14 12:00\t09:00\t28",
    );
  });

  test("days count from 1904 if the workbook says so", async () => {
    const file = makeXlsx(
      { Old: '<row><c s="1"><v>44633</v></c></row>' },
      { styles, workbook: '<workbookPr date1904="1"/>' },
    );
    expect(await textOf(file, "a.xlsx")).toBe("Old\n2026-03-14");
  });

  test("one page per sheet; shared, inline and formula strings, and empty cells", async () => {
    const strings =
      "<si><t>Holder</t></si><si><r><t>The </t></r><r><t>Anchor</t></r><rPh><t>x</t></rPh></si>";
    const first =
      '<row><c r="A1" t="s"><v>0</v></c><c r="D1" t="s"><v>1</v></c></row><row/>' +
      '<row><c r="B3" t="str"><f>A1</f><v>sum</v></c>' +
      '<c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c></row>';
    const second = '<row><c t="inlineStr"><is><t>note\nhere</t></is></c></row>';
    const file = makeXlsx({ Licences: first, Notes: second }, { strings });
    expect(await textOf(file, "a.xlsx")).toBe(
      "Licences\nHolder\t\t\tThe Anchor\n\tsum\tTRUE\t#REF!\n---\nNotes\nnote here",
    );
  });

  test("a cell with a missing shared string means a damaged file", async () => {
    const file = makeXlsx({ Sheet: '<row><c t="s"><v>7</v></c></row>' });
    expect((await failureOf(extract(file, { filename: "a.xlsx" }))).code).toBe("corrupt");
  });
});
