import { describe, expect, test } from "vitest";
import { alternativeText } from "#server/text/extraction/formats/pictures/alternative-text.ts";
import { extract, makeDocx, makeZip, paragraph } from "../build-files.ts";

describe("the alternative text of a picture", () => {
  test.each([
    ["A duck holding a paper", "A duck holding a paper"],
    ["  Two\n lines ", "Two lines"],
    ["A duck\n\nDescription automatically generated", "A duck"],
    ["Une carte\n\nDescription générée automatiquement", "Une carte"],
    ["Ein Bild\n\nAutomatisch generierte Beschreibung", "Ein Bild"],
    ["A table\n\nAI-generated content may be incorrect.", "A table"],
    ["信件\n\nAI 生成的内容可能不正确。", "信件"],
    ["Description: Plan of the quay", "Plan of the quay"],
    ["Picture of the automatic door", "Picture of the automatic door"],
    ["Route 66", "Route 66"],
    ["😀", "😀"],
  ])("%j is %j", (written, text) => {
    expect(alternativeText(written)).toBe(text);
  });

  test.each([
    undefined,
    "",
    " - ",
    "x",
    "logo.png",
    "C:\\Users\\Ada\\plan of it.jpeg",
    "https://example.org/a?b=1",
    "Picture 1",
    "image_12",
    "Grafik 3",
    "图片 4",
    "IMG_20260503",
    "Description: 2917126077_4faf7a30b7",
    "Description automatically generated",
  ])("%j has none", (written) => {
    expect(alternativeText(written)).toBe("");
  });
});

const pagesOf = async (file: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(file, { filename })).pages.map(({ text }) => text).join("\n");

test("it follows the paragraph of a Word document once, for each drawing", async () => {
  const drawing =
    '<w:drawing><wp:docPr id="1" name="Picture 1" descr="A duck"/>' +
    '<pic:cNvPr name="a.png" descr="A duck"/><pic:cNvPr descr="A goose"/></w:drawing>';
  const run = `<w:r>${drawing}</w:r>`;
  const shape = '<w:r><w:pict><v:shape alt="A swan"/></w:pict></w:r>';
  const body =
    `<w:p><w:r><w:t>See </w:t></w:r>${run}<w:r><w:t>here.</w:t></w:r></w:p>` +
    `<w:p>${run}</w:p><w:p>${shape}</w:p>${paragraph("End.")}`;
  expect(await pagesOf(makeDocx(body), "a.docx")).toBe(
    "See here.\n\nA duck\n\nA goose\n\nA duck\n\nA goose\n\nA swan\n\nEnd.",
  );
});

test("it follows the paragraph of an OpenDocument text, and a chart keeps its title", async () => {
  const frame =
    "<draw:frame><svg:title>A duck</svg:title><svg:desc>It swims.</svg:desc></draw:frame>";
  const body =
    `<text:p>See ${frame}here.</text:p>` +
    "<text:list><text:list-item><text:p>End.</text:p></text:list-item></text:list>";
  const file = makeZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml": `<d><office:body><office:text>${body}</office:text></office:body></d>`,
    "Object 1/content.xml":
      "<d><office:body><office:chart><chart:title><text:p>Fees</text:p></chart:title>" +
      "</office:chart></office:body></d>",
  });
  expect(await pagesOf(file, "a.odt")).toBe("See here.\n\nA duck\n\nIt swims.\n\nEnd.\nFees");
});

test("it is at the place of a picture of a web page", async () => {
  const html =
    '<p>See<img alt="A duck" src="a.png">here.</p><img alt="logo.png">' +
    '<img alt="A line" role="presentation"><a href="/"><img alt="Home page"></a>';
  expect(await pagesOf(html, "a.html")).toBe("See A duck here.\n\nHome page");
});
