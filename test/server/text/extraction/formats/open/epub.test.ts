import { describe, expect, test } from "vitest";
import { extract, failureOf, makeZip } from "../build-files.ts";

const chapter = (text: string) =>
  `<html><head><title>x</title></head><body><p>${text}</p></body></html>`;
const container =
  '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>';
const book =
  "<package><metadata><dc:title>Tides</dc:title><dc:creator>Ada</dc:creator></metadata><manifest>" +
  '<item id="a" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/>' +
  '<item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/>' +
  '<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/>' +
  '</manifest><spine><itemref idref="b"/><itemref idref="a"/><itemref idref="c"/></spine></package>';
const parts = {
  mimetype: "application/epub+zip",
  "META-INF/container.xml": container,
  "OEBPS/book.opf": book,
  "OEBPS/text/one a.xhtml": chapter("The first written chapter."),
  "OEBPS/text/two.xhtml": chapter("The one that is read first."),
};

describe("EPUB", () => {
  test("the documents are read in the order of the spine, and a missing one is named", async () => {
    const found = await extract(makeZip(parts));
    expect(found).toMatchObject({
      mediaType: "application/epub+zip",
      metadata: { title: "Tides", author: "Ada" },
      leftOut: "The part OEBPS/gone.xhtml of this book was not read.",
    });
    expect(found.pages.map(({ text }) => text)).toEqual([
      "The one that is read first.",
      "The first written chapter.",
    ]);
  });

  test("an encrypted document is refused, an encrypted font is not", async () => {
    const locked = (name: string) =>
      makeZip({
        ...parts,
        "META-INF/encryption.xml": `<encryption><CipherReference URI="${name}"/></encryption>`,
      });
    expect((await failureOf(extract(locked("OEBPS/text/two.xhtml")))).code).toBe("encrypted");
    expect((await extract(locked("OEBPS/font.otf"))).pages).toHaveLength(2);
  });

  test("a book without a package is damaged", async () => {
    const broken = makeZip({ ...parts, "OEBPS/book.opf": "<package" });
    expect((await failureOf(extract(broken))).code).toBe("corrupt");
    const { "OEBPS/book.opf": _book, ...others } = parts;
    expect((await failureOf(extract(makeZip(others)))).code).toBe("corrupt");
  });
});
