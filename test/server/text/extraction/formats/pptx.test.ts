import { describe, expect, test } from "vitest";
import { docxRelationships, extract, failureOf, makeZip } from "./build-files.ts";

const paragraph = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;

function makePptx(
  slides: readonly string[],
  notes?: string,
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = slides.map((_, index) => `slide${index + 1}`);
  const entries: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": docxRelationships([["r1", "officeDocument", "ppt/presentation.xml"]]),
    "ppt/presentation.xml":
      `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst>` +
      // The show begins with the last file.
      names
        .toReversed()
        .map((name, index) => `<p:sldId id="${256 + index}" r:id="${name}"/>`)
        .join("") +
      "</p:sldIdLst></p:presentation>",
    "ppt/_rels/presentation.xml.rels": docxRelationships(
      names.map((name) => [name, "slide", `slides/${name}.xml`]),
    ),
  };
  for (const [index, body] of slides.entries()) {
    entries[`ppt/slides/slide${index + 1}.xml`] = `<p:sld xmlns:p="p" xmlns:a="a">${body}</p:sld>`;
  }
  if (notes !== undefined) {
    entries["ppt/slides/_rels/slide1.xml.rels"] = docxRelationships([
      ["n1", "notesSlide", "../notesSlides/notesSlide1.xml"],
    ]);
    entries["ppt/notesSlides/notesSlide1.xml"] =
      `<p:notes xmlns:p="p" xmlns:a="a">${paragraph(notes)}` +
      "<a:p><a:fld><a:t>7</a:t></a:fld></a:p></p:notes>";
  }
  return makeZip({ ...entries, ...more });
}

describe("PPTX", () => {
  test("numbers of paragraphs, and the alternative text of each picture once", async () => {
    const item = (text: string): string =>
      `<a:p><a:pPr lvl="0"><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const picture = '<p:pic><p:nvPicPr><p:cNvPr name="a" descr="A duck"/></p:nvPicPr></p:pic>';
    const slide = `<p:sp><p:txBody>${item("Term")}<a:p/>${item("Rent")}</p:txBody></p:sp>`;
    const { pages } = await extract(makePptx([slide + picture + picture]), { filename: "a.pptx" });
    expect(pages[0]?.text).toBe("1. Term\n2. Rent\nA duck");
  });

  test("one page per slide in the order of the show, with tables and notes", async () => {
    const cell = (text: string): string => `<a:tc><a:txBody>${paragraph(text)}</a:txBody></a:tc>`;
    const table = `<a:tbl><a:tr>${cell("Band")}${cell("Fee")}</a:tr><a:tr>${cell("A")}${cell("£70")}</a:tr></a:tbl>`;
    const file = makePptx(
      [paragraph("Second") + table, paragraph("First &amp; title")],
      "Say why.",
    );
    const document = await extract(file, { filename: "deck.pptx" });
    expect(document.mediaType).toMatch(/presentationml\.presentation$/);
    expect(document.pages).toMatchObject([
      { number: 1, text: "First & title" },
      { number: 2, text: "Second\nBand\tFee\nA\t£70\n\nSay why." },
    ]);
  });

  test("a presentation without its slides is corrupt", async () => {
    const entries = {
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": docxRelationships([["r1", "officeDocument", "ppt/presentation.xml"]]),
      "ppt/other.xml": "<x/>",
    };
    const error = await failureOf(extract(makeZip(entries), { filename: "deck.pptx" }));
    expect(error.code).toBe("corrupt");
  });

  test("the text of a layout's and a master's own shapes follows once, without prompts", async () => {
    const shape = (text: string, more = "") => `<p:sp>${more}${paragraph(text)}</p:sp>`;
    const prompt = shape("Click to edit", "<p:nvPr><p:ph/></p:nvPr>");
    const layout = docxRelationships([["m", "slideMaster", "../slideMasters/master1.xml"]]);
    const slideRelationships = docxRelationships([["l", "slideLayout", "../slideLayouts/l1.xml"]]);
    const { pages } = await extract(
      makePptx([paragraph("One"), paragraph("Two")], undefined, {
        "ppt/slides/_rels/slide1.xml.rels": slideRelationships,
        "ppt/slides/_rels/slide2.xml.rels": slideRelationships,
        "ppt/slideLayouts/l1.xml": `<p:l>${prompt}${shape("Confidential")}</p:l>`,
        "ppt/slideLayouts/_rels/l1.xml.rels": layout,
        "ppt/slideMasters/master1.xml": `<p:m>${prompt}${shape("Harbour Council")}</p:m>`,
      }),
    );
    expect(pages.map(({ text }) => text)).toEqual([
      "Two",
      "One",
      "Confidential\n\nHarbour Council",
    ]);
  });
});
