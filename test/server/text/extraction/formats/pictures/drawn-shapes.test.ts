import { describe, expect, test } from "vitest";
import { withFile, docxRelationships, makeDocx, makeZip, makePdf } from "../build-files.ts";
import { extractText } from "#server/text/extraction/extract-text.ts";

/** The text or the kind of picture of each page of a file, and the content that is left out. */
async function shown(content: Uint8Array): Promise<{ pages: string[]; leftOut?: string }> {
  const pages: string[] = [];
  const { leftOut } = await withFile(content, (path) =>
    extractText(path, {
      filename: "file",
      onPage: async ({ text }, picture) => {
        pages.push(text === "" ? ((await picture?.())?.kind ?? "nothing") : text);
      },
    }),
  );
  return leftOut === undefined ? { pages } : { pages, leftOut };
}

const named =
  "This document has no text; its shapes and the pictures outside the file were not read.";

describe("a slide without text", () => {
  const star = '<p:spPr><a:prstGeom prst="star5"/></p:spPr>';
  const shape = (properties: string): string =>
    `<p:sp><p:nvSpPr>${properties}</p:nvSpPr>${star}</p:sp>`;

  test.each([
    ["a star", shape('<p:cNvPr id="4"/>'), "drawing"],
    ["an arrow in a group", "<p:grpSp><p:cxnSp/></p:grpSp>", "drawing"],
    ["an empty place for a title", shape("<p:nvPr><p:ph/></p:nvPr>"), "nothing"],
    ["an empty text box", shape('<p:cNvSpPr txBox="1"/>'), "nothing"],
    ["a hidden star", shape('<p:cNvPr hidden="1"/>'), "nothing"],
    [
      "a picture",
      '<p:pic><p:spPr><a:custGeom><a:rect l="0"/></a:custGeom></p:spPr></p:pic>',
      "nothing",
    ],
    ["nothing", "", "nothing"],
  ])("shows a drawing if it has shapes: %s", async (_name, body, expected) => {
    const file = makeZip({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": docxRelationships([["r1", "officeDocument", "ppt/presentation.xml"]]),
      "ppt/presentation.xml": '<p:presentation><p:sldId r:id="s1"/></p:presentation>',
      "ppt/_rels/presentation.xml.rels": docxRelationships([["s1", "slide", "slides/slide1.xml"]]),
      "ppt/slides/slide1.xml": `<p:sld>${body}</p:sld>`,
    });
    expect(await shown(file)).toEqual({ pages: [expected] });
  });

  test("of OpenDocument shows a drawing if it has shapes", async () => {
    const page = (body: string): string => `<draw:page>${body}</draw:page>`;
    const file = makeZip({
      mimetype: "application/vnd.oasis.opendocument.presentation",
      "content.xml": `<o:c>${page("<draw:custom-shape/>")}${page("<draw:frame/>")}</o:c>`,
    });
    expect(await shown(file)).toEqual({ pages: ["drawing", "nothing"] });
  });
});

describe("a text without text", () => {
  const shape = "<w:p><w:r><w:drawing><wps:wsp/></w:drawing></w:r></w:p>";
  const line = '<w:p><w:r><w:pict><v:line style="x"/></w:pict></w:r></w:p>';

  test.each([
    ["a shape", shape, { pages: ["nothing"], leftOut: named }],
    ["a line of VML", line, { pages: ["nothing"], leftOut: named }],
    [
      "a linked picture",
      '<w:p><w:r><w:drawing><pic:pic><a:blip r:link="r1"/></pic:pic></w:drawing></w:r></w:p>',
      { pages: ["nothing"], leftOut: named },
    ],
    ["a picture", '<w:p><w:r><a:blip r:embed="r1"/></w:r></w:p>', { pages: ["nothing"] }],
    ["a shape and text", `${shape}<w:p><w:r><w:t>A</w:t></w:r></w:p>`, { pages: ["A"] }],
    [
      "WordArt",
      '<w:p><w:r><w:pict><v:shape style="x"><v:textpath string="Draft"/></v:shape></w:pict></w:r></w:p>',
      { pages: ["Draft"] },
    ],
    ["nothing", "<w:p/>", { pages: ["nothing"] }],
  ])("names its shapes: %s", async (_name, body, expected) => {
    expect(await shown(makeDocx(body))).toEqual(expected);
  });

  test("names the shapes of OpenDocument", async () => {
    const file = (body: string) =>
      makeZip({
        mimetype: "application/vnd.oasis.opendocument.text",
        "content.xml": `<o:c><text:p>${body}</text:p></o:c>`,
      });
    expect(await shown(file("<draw:path/>"))).toEqual({ pages: ["nothing"], leftOut: named });
    expect(await shown(file("<draw:path/>A"))).toEqual({ pages: ["A"] });
    const picture = (address: string) => file(`<draw:image xlink:href="${address}"/>`);
    expect(await shown(picture("https://a.test/b.png"))).toMatchObject({ leftOut: named });
    expect(await shown(picture("Pictures/b.png"))).toEqual({ pages: [] });
    expect(await shown(file(""))).toEqual({ pages: [] });
  });
});

test.each([
  ["<img src='https://a.test/b.png'>", { pages: ["nothing"], leftOut: named }],
  ["<svg><path/></svg>", { pages: ["nothing"], leftOut: named }],
  ["<p>A</p><img src='b.png'>", { pages: ["A"] }],
  ["<p></p>", { pages: ["nothing"] }],
])("a web page without text names its pictures: %s", async (body, expected) => {
  expect(await shown(Buffer.from(`<!doctype html><html>${body}</html>`))).toEqual(expected);
});

test.each([
  ["(\\264\\277\\242\\260\\241\\256) Tj", "drawing"],
  ["3 Tr (\\264\\277\\242\\260\\241\\256) Tj", "blank"],
  ["(   ) Tj", "blank"],
  ["(- * -) Tj", "- * -"],
  ["(\\264\\277\\242\\260\\241\\256 3) Tj", "´¿¢°¡® 3"],
])("a PDF page whose font has no text shows its signs: %s", async (text, expected) => {
  const page = `BT /F1 11 Tf 72 760 Td ${text} ET`;
  expect(await shown(makePdf([page]))).toEqual({ pages: [expected] });
});
