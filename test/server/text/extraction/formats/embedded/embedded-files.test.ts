import { describe, expect, test } from "vitest";
import {
  docxRelationships,
  extract,
  makeDocx,
  makePdf,
  makeXlsx,
  makeZip,
  paragraph,
  pdfLines,
} from "../build-files.ts";
import { objectOfRtf, packedBytes, packedFile } from "./compound-file.ts";

const pdf = makePdf([pdfLines(["Survey of the culvert"])]);
const cells = (text: string): string => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`;
const workbook = makeXlsx({ Levels: cells("2.41 m") });

const textsOf = async (content: Uint8Array, filename: string): Promise<string[]> =>
  (await extract(content, { filename })).pages.map(({ text }) => text);

function presentation(more: Record<string, Uint8Array>): Uint8Array {
  return makeZip({
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": docxRelationships([["r1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml": '<p><sldIdLst><sldId r:id="s1"/></sldIdLst></p>',
    "ppt/_rels/presentation.xml.rels": docxRelationships([["s1", "slide", "slides/slide1.xml"]]),
    "ppt/slides/slide1.xml": "<sld><p><r><t>Slide</t></r></p></sld>",
    ...more,
  });
}

describe("files within Office documents", () => {
  test("those of a DOCX are pages after its text, each one once", async () => {
    const document = makeDocx(paragraph("See the survey."), {
      "word/embeddings/oleObject1.bin": packedFile("survey.pdf", pdf),
      "word/embeddings/oleObject2.bin": packedFile("survey.pdf", pdf),
      "word/embeddings/Sheet1.xlsx": workbook,
    });
    expect(await textsOf(document, "letter.docx")).toEqual([
      "See the survey.",
      "Survey of the culvert",
      "Levels\n2.41 m",
    ]);
  });

  test("those of a PPTX and of an XLSX are read too", async () => {
    const letter = makeDocx(paragraph("A letter."));
    const slides = presentation({ "ppt/embeddings/Document1.docx": letter });
    expect(await textsOf(slides, "a.pptx")).toEqual(["Slide", "A letter."]);
    const sheets = makeXlsx({ Fees: cells("£70") }, {}, { "xl/embeddings/Document1.docx": letter });
    expect(await textsOf(sheets, "a.xlsx")).toEqual(["Fees\n£70", "A letter."]);
  });

  test("those of an RTF file are read, packed or as objects", async () => {
    const packed = objectOfRtf("Package", packedBytes("survey.pdf", pdf));
    const object = objectOfRtf("AcroExch.Document", packedFile("plan.pdf", pdf.slice()));
    const letter = objectOfRtf("Package", packedBytes("note.txt", Buffer.from("A note.")));
    const part = (hex: string): string =>
      `{\\object\\objemb{\\*\\objdata ${hex}}{\\result {\\pict}}}`;
    const source = `{\\rtf1\\ansi See ${[packed, object, letter].map(part).join(" ")} below.}`;
    expect(await textsOf(Buffer.from(source), "a.rtf")).toEqual([
      "See    below.",
      "Survey of the culvert",
      "Survey of the culvert",
      "A note.",
    ]);
    const cut = `{\\rtf1\\ansi See{\\object{\\*\\objdata ${packed.slice(0, 40)}}}}`;
    const { leftOut, warnings } = await extract(Buffer.from(cut), { filename: "a.rtf" });
    expect([leftOut, ...warnings].join()).toContain("object 1");
  });

  test("the workbook of a chart is left out, because the chart shows it", async () => {
    const slides = presentation({
      "ppt/charts/chart1.xml": Buffer.from("<chart/>"),
      "ppt/charts/_rels/chart1.xml.rels": Buffer.from(
        docxRelationships([["w", "package", "../embeddings/Sheet1.xlsx"]]),
      ),
      "ppt/embeddings/Sheet1.xlsx": workbook,
    });
    expect(await textsOf(slides, "a.pptx")).toEqual(["Slide"]);
  });

  test("a file that is not read is named, and the document is incomplete", async () => {
    const program = packedFile("C:\\Tools\\setup.exe", Buffer.from("MZ\u0090\0", "latin1"));
    const document = makeDocx(paragraph("Text."), { "word/embeddings/oleObject1.bin": program });
    const { pages, leftOut } = await extract(document, { filename: "a.docx" });
    expect(pages.map(({ text }) => text)).toEqual(["Text."]);
    expect(leftOut).toContain("The attachment setup.exe was not read. This file is a program");
  });

  test("files within files are read up to the limit of levels", async () => {
    let inner: Uint8Array = makeDocx(paragraph("Level 0."));
    for (let level = 1; level <= 6; level += 1) {
      inner = makeDocx(paragraph(`Level ${level}.`), { "word/embeddings/inner.docx": inner });
    }
    const { pages, leftOut } = await extract(inner, { filename: "a.docx" });
    expect(pages.map(({ text }) => text)).toEqual(
      [6, 5, 4, 3, 2].map((level) => `Level ${level}.`),
    );
    expect(leftOut).toContain("inner.docx is nested too deep");
  });

  test("more files than the limit are named", async () => {
    const files = Array.from({ length: 4 }, (_, index) => [
      `word/embeddings/file${index}.txt`,
      Buffer.from(`File ${index}`),
    ]);
    const document = makeDocx(paragraph("Text."), Object.fromEntries(files));
    const options = { filename: "a.docx", limits: { attachments: 2 } };
    const { pages, leftOut } = await extract(document, options);
    expect(pages).toHaveLength(3);
    expect(leftOut).toContain("The file file2.txt and those after it were not read.");
  });
});
