import { describe, expect, test } from "vitest";
import { docxRelationships, extract, failureOf, makeZip } from "./build-files.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages[0]?.text ?? "";

const paragraph = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;

function makePptx(slides: readonly string[], notes?: string): Uint8Array {
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
  return makeZip(entries);
}

describe("PPTX", () => {
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
});

describe("RTF", () => {
  test("its text in any code page, without fonts, pictures and hidden groups", async () => {
    const source =
      "{\\rtf1\\ansi\\ansicpg1251\\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\generator Word;}\n" +
      "{\\info{\\title Plan}}\\pard \\b Fee\\b0  \\'cf\\'f0\\'e8 \\u8364?70 \\{a\\}\\par\n" +
      "A\\cell B\\cell\\row{\\pict\\wmetafile8 0102}End\\line here}";
    expect(await textOf(source, "a.rtf")).toBe("Fee При €70 {a}\n\nA\tB\nEnd\nhere");
  });

  test("groups nest up to the limit", async () => {
    const error = await failureOf(extract(`{\\rtf1 ${"{".repeat(1_000)}`, { filename: "a.rtf" }));
    expect(error.code).toBe("limit-exceeded");
  });
});

describe("JSON", () => {
  test("one line per value, with its path", async () => {
    const source = '{"site":{"name":"Quay","fees":[70,true,null,""]},"é":"x"}';
    expect(await textOf(source, "a.json")).toBe(
      "site.name: Quay\nsite.fees[0]: 70\nsite.fees[1]: true\né: x",
    );
  });

  test("several values in one file are read as text, and deep nesting is refused", async () => {
    const document = await extract('{"a":1}\n{"a":2}\n', { filename: "a.json" });
    expect(document.pages[0]?.text).toBe('{"a":1}\n{"a":2}');
    expect(document.warnings).toHaveLength(1);
    const deep = await failureOf(extract("[".repeat(100_000), { filename: "a.json" }));
    expect(deep.code).toBe("limit-exceeded");
  });
});
