import { describe, expect, test } from "vitest";
import {
  docxRelationships,
  extract,
  makeDocx,
  makePdf,
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

describe("documents within a DOCX", () => {
  const withChunk = async (name: string, content: string | Uint8Array) =>
    await extract(
      makeDocx(`${paragraph("Before.")}<w:altChunk r:id="c"/>${paragraph("After.")}`, {
        "word/_rels/document.xml.rels": docxRelationships([["c", "aFChunk", name]]),
        ...(content === "" ? {} : { [`word/${name}`]: content }),
      }),
      { filename: "a.docx" },
    );

  test.each([
    ["a.mht", "MIME-Version: 1.0\nContent-Type: text/html\n\n<p>Rent <b>950</b></p>"],
    ["a.html", "<html><body><p>Rent <b>950</b></p></body></html>"],
    ["a.rtf", "{\\rtf1 Rent \\b 950\\par}"],
    ["a.docx", makeDocx(paragraph("Rent 950"))],
    ["a.txt", "Rent 950"],
  ])("%s is text at its place", async (name, content) => {
    const { pages, leftOut } = await withChunk(name, content);
    expect(pages[0]?.text).toBe("Before.\n\nRent 950\n\nAfter.");
    expect(leftOut).toBeUndefined();
  });

  test("one that is missing or unreadable is named", async () => {
    const missing = await withChunk("a.html", "");
    expect(missing.leftOut).toBe("The part a.html of this document is missing.");
    const archive = await withChunk("a.bin", Uint8Array.from([0x1f, 0x8b, 8, 0]));
    expect(archive.pages[0]?.text).toBe("Before.\n\nAfter.");
    expect(archive.leftOut).toMatch(/a\.bin was not read/);
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
