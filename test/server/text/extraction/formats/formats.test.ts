import { describe, expect, test } from "vitest";
import {
  docxRelationships,
  extract,
  failureOf,
  makeDocx,
  makePdf,
  makeXlsx,
  paragraph,
  pdfLines,
} from "./build-files.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map((page) => page.text).join("\n---\n");

describe("DOCX", () => {
  test("paragraphs, list items, tabs and breaks", async () => {
    const body =
      paragraph("First.") +
      "<w:p><w:pPr><w:tabs><w:tab/></w:tabs><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>" +
      "<w:p><w:pPr><w:numPr/></w:pPr><w:r>" +
      "<w:t>two</w:t><w:tab/><w:t>2</w:t><w:br/><w:t>more</w:t></w:r></w:p>" +
      paragraph("Last &amp; least.");
    expect(await textOf(makeDocx(body), "a.docx")).toBe(
      "First.\n\none\ntwo\t2\nmore\nLast & least.",
    );
  });

  test("a table gives one line per row, tabs between cells", async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const row = (...cells: string[]): string => `<w:tr>${cells.map(cell).join("")}</w:tr>`;
    const body = `<w:tbl>${row("Fee", "£120")}${row("", "paid")}</w:tbl>`;
    expect(await textOf(makeDocx(body + paragraph("End.")), "a.docx")).toBe(
      "Fee\t£120\n\tpaid\n\nEnd.",
    );
  });

  test("deleted text and the second form of a text box are left out", async () => {
    const box = (text: string): string => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
    const body =
      "<w:p><w:del><w:r><w:delText>gone</w:delText><w:t>gone</w:t></w:r></w:del>" +
      "<w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:t>kept</w:t></w:r>" +
      `<w:r><mc:AlternateContent><mc:Choice>${box("boxed")}</mc:Choice>` +
      `<mc:Fallback>${box("boxed")}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
    expect(await textOf(makeDocx(body), "a.docx")).toBe("kept\n\nboxed");
  });

  test("notes, headers and footers follow the body once, and the properties are read", async () => {
    const part = (text: string): string => `<w:hdr>${paragraph(text)}</w:hdr>`;
    const file = makeDocx(paragraph("Body."), {
      "word/_rels/document.xml.rels": docxRelationships([
        ["a", "header", "header1.xml"],
        ["b", "header", "header2.xml"],
        ["c", "footnotes", "footnotes.xml"],
      ]),
      "word/header1.xml": part("PA-2026-0042"),
      "word/header2.xml": part("PA-2026-0042"),
      "word/footnotes.xml": part("See policy H3."),
      "docProps/core.xml":
        "<cp><dc:title>Report</dc:title><dc:creator>M. Okafor</dc:creator>" +
        "<dcterms:created>2026-09-01T08:30:00Z</dcterms:created></cp>",
    });
    const document = await extract(file, { filename: "a.docx" });
    expect(document.pages[0]?.text).toBe("Body.\n\nSee policy H3.\n\nPA-2026-0042");
    expect(document.metadata).toEqual({
      title: "Report",
      author: "M. Okafor",
      createdAt: "2026-09-01T08:30:00.000Z",
    });
  });
});

test("metadata is text that every database can store", async () => {
  const pdf = makePdf([pdfLines(["Hello"])], {
    information: "/Title (Plan\\000)",
  });
  expect((await extract(pdf, { filename: "a.pdf" })).metadata).toEqual({ title: "Plan" });
  const page = `<!DOCTYPE html><title>${"a".repeat(499)}😀</title><p>x`;
  expect((await extract(page, { filename: "a.html" })).metadata.title).toBe("a".repeat(499));
  const messageWith = (name: string): string =>
    [
      "From: a@b.example",
      "Subject: =?utf-8?Q?A=00B?=",
      "MIME-Version: 1.0",
      "Content-Type: multipart/mixed; boundary=x",
      "",
      "--x",
      `Content-Disposition: attachment; filename*=utf-8''${name}`,
      "",
      "--x--",
      "",
    ].join("\n");
  const { metadata, warnings } = await extract(messageWith("a%00b.txt"), { filename: "a.eml" });
  expect(metadata.title).toBe("AB");
  expect(warnings).toEqual(["The attachment ab.txt is empty."]);
  const long = await extract(messageWith("a".repeat(100_000)), { filename: "a.eml" });
  expect(long.warnings.map(({ length }) => length)).toEqual([500]);
});

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

describe("PDF", () => {
  test("wrapped lines are joined, other line ends are kept", async () => {
    const page = pdfLines([
      "The committee noted that the report will come to the meeting of 10 December",
      "2026, and that the decision is due by then. Members asked for a study of the day-",
      "light before that meeting.",
      "Chair: Ruth Calloway",
      "Clerk: Iris Kemp",
    ]);
    expect(await textOf(makePdf([page]), "a.pdf")).toBe(
      "The committee noted that the report will come to the meeting of 10 December 2026, and " +
        "that the decision is due by then. Members asked for a study of the daylight before " +
        "that meeting.\n" +
        "Chair: Ruth Calloway\nClerk: Iris Kemp",
    );
  });

  test("tabs separate columns, empty lines separate paragraphs", async () => {
    const page =
      "BT /F1 11 Tf 72 760 Td (Fee) Tj 200 0 Td (120.00) Tj " +
      "-200 -14 Td (Paid) Tj 200 0 Td (Yes) Tj -200 -40 Td (End of form) Tj ET";
    expect(await textOf(makePdf([page]), "a.pdf")).toBe("Fee\t120.00\nPaid\tYes\n\nEnd of form");
  });

  test("title, author and creation time come from the file's information", async () => {
    const information = "/Title (Site plan) /Author (E. Marsh) /CreationDate (D:20260911093000Z)";
    const document = await extract(makePdf([pdfLines(["x"])], { information }), {
      filename: "a.pdf",
    });
    expect(document.metadata).toEqual({
      title: "Site plan",
      author: "E. Marsh",
      createdAt: "2026-09-11T09:30:00.000Z",
    });
  });

  test("a scan keeps its pages, which are perhaps pictures", async () => {
    const document = await extract(makePdf(["0 0 100 100 re f", ""]), { filename: "scan.pdf" });
    expect(document.pages).toEqual([
      { number: 1, text: "", isPicture: true },
      { number: 2, text: "", isPicture: true },
    ]);
  });
});

describe("HTML", () => {
  test("text that a browser shows, without scripts and hidden parts", async () => {
    const html = `<html><head><title>Fees &amp; times</title><style>p{}</style></head><body>
      <script>alert(1)</script><h1>Fees</h1><p>The fee is
      <b>&pound;100</b>.<br>Pay <i>on</i>line.</p><ul><li>One</li><li>Two</li></ul>
      <p hidden>secret</p><pre>a  b\n c</pre></body></html>`;
    const document = await extract(html, { filename: "a.html" });
    expect(document.pages[0]?.text).toBe(
      "Fees\n\nThe fee is £100.\nPay online.\n\nOne\nTwo\n\na  b\n c",
    );
    expect(document.metadata).toEqual({ title: "Fees & times" });
  });

  test("a table gives one line per row, tabs between cells", async () => {
    const html =
      "<html><table><tr><th><p>Band</p></th><th>Fee</th></tr>\n<tr><td></td><td>£70</td></tr>" +
      "<tr><td>B</td><td></td></tr></table><p>End";
    expect(await textOf(html, "a.html")).toBe("Band\tFee\n\t£70\nB\n\nEnd");
  });

  test("a page that is not UTF-8 uses its declared charset", async () => {
    const latin = Buffer.from(
      '<html><meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>',
      "latin1",
    );
    expect(await textOf(latin, "a.html")).toBe("Привет");
  });
});

describe("e-mail", () => {
  test("headers, body and the text of attachments, also of forwarded messages", async () => {
    const inner = "From: c@d.example\nTo: a@b.example\nSubject: Inner\n\nInner words.";
    const message = [
      "From: Priya Nair <priya@residents.example>",
      "To: planning@northwind.example",
      "Subject: =?utf-8?Q?Objection_=C2=A7_18_Quay_Street?=",
      "Date: Mon, 12 Oct 2026 09:15:00 +0100",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/html",
      "",
      "<p>I <b>object</b>.</p>",
      "--b",
      "Content-Type: message/rfc822",
      "Content-Disposition: attachment",
      "",
      inner,
      "--b",
      'Content-Type: application/pdf; name="count.pdf"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from(makePdf([pdfLines(["412 vehicles"])])).toString("base64"),
      "--b",
      'Content-Type: image/png; name="photo.png"',
      "Content-Transfer-Encoding: base64",
      "",
      Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString("base64"),
      "--b--",
    ].join("\r\n");
    const document = await extract(message, { filename: "objection.eml" });
    expect(document.mediaType).toBe("message/rfc822");
    expect(document.pages.map((page) => page.text)).toEqual([
      "From: Priya Nair <priya@residents.example>\nTo: planning@northwind.example\n" +
        "Date: 2026-10-12T08:15:00.000Z\nSubject: Objection § 18 Quay Street\n" +
        "Attachments: message.eml, count.pdf, photo.png\n\nI object.",
      "From: c@d.example\nTo: a@b.example\nSubject: Inner\n\nInner words.",
      "412 vehicles",
      "",
    ]);
    expect(document.pages[3]).toMatchObject({ isPicture: true });
    expect(document.metadata).toEqual({
      title: "Objection § 18 Quay Street",
      author: "Priya Nair <priya@residents.example>",
      createdAt: "2026-10-12T08:15:00.000Z",
    });
  });
});

describe("Markdown, CSV and plain text", () => {
  test("Markdown gives its text without its marks", async () => {
    const source =
      "---\ntitle: Site visit\nauthor: J. Lindqvist\ndate: 2026-11-24\n---\n" +
      "# Heading\n\nThe **fee** is [£293](https://x.example).\n\n- one\n- two\n\n" +
      "| A | B |\n|---|---|\n| 1 | 2 |\n";
    const document = await extract(source, { filename: "a.md" });
    expect(document.pages[0]?.text).toBe("Heading\n\nThe fee is £293.\n\none\ntwo\n\nA\tB\n1\t2");
    expect(document.metadata).toEqual({
      title: "Site visit",
      author: "J. Lindqvist",
      createdAt: "2026-11-24T00:00:00.000Z",
    });
  });

  test.each([
    ["# Site visit ##\n\nText", "Site visit"],
    ["#no heading\n#\t Site visit \t\n", "Site visit"],
    [`# ${"long ".repeat(200)}\n# Site visit`, "Site visit"],
    ["## Only a second one", undefined],
  ])("Markdown without a front matter has its first heading's title: %j", async (source, title) => {
    expect((await extract(source, { filename: "a.md" })).metadata.title).toBe(title);
  });

  test("CSV gives one line per record, with any delimiter", async () => {
    expect(await textOf('name;note\n"Holm; Greta";"two\nlines"\n\n', "a.csv")).toBe(
      "name\tnote\nHolm; Greta\ttwo lines",
    );
  });

  test.each([
    ["UTF-8", Buffer.from("Café £5")],
    ["UTF-8 with a mark", Buffer.from("\ufeffCafé £5")],
    ["UTF-16 little endian", Buffer.from("\ufeffCafé £5", "utf16le")],
    ["UTF-16 big endian", Buffer.from("\ufeffCafé £5", "utf16le").swap16()],
    ["Latin-1", Buffer.from("Café £5", "latin1")],
  ])("plain text in %s", async (_, bytes) => {
    expect(await textOf(bytes, "a.txt")).toBe("Café £5");
  });

  test("text is NFC and has no control characters", async () => {
    const source =
      "Cafe\u0301\u00a0bar \r\n\u001b[31mred\u001b[0m\u0007\rtab\there" +
      "\u202e\u200b\u0085\n\n\n\nend\u00ad";
    expect(await textOf(Buffer.from(source), "a.txt")).toBe("Café bar\nred\ntab\there\n\nend");
  });
});
