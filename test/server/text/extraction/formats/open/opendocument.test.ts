import { describe, expect, test } from "vitest";
import { notice } from "../../../ocr/notice.ts";
import { extract, failureOf, makeZip } from "../build-files.ts";

const office = "application/vnd.oasis.opendocument";

/** A file of a kind with this body; names have the prefixes that LibreOffice writes. */
function makeFile(kind: string, body: string, parts: Record<string, string> = {}): Uint8Array {
  return makeZip({
    mimetype: `${office}.${kind}`,
    "content.xml":
      `<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b" xmlns:draw="d">` +
      `<office:automatic-styles><text:p>style</text:p></office:automatic-styles>` +
      `<office:body><office:${kind}>${body}</office:${kind}></office:body>` +
      `</office:document-content>`,
    ...parts,
  });
}

const cell = (text: string, more = "") =>
  `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join("")}</table:table-row>`;

describe("OpenDocument", () => {
  test("a text has its paragraphs, lists, tables, notes and comments, and no deleted text", async () => {
    const { mediaType, pages, metadata } = await extract(
      makeFile(
        "text",
        `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>` +
          `<text:h>Planning   statement</text:h>` +
          `<text:p>The wall<text:s text:c="2"/>is <text:span>2.4</text:span> m high.` +
          `<text:note><text:note-citation>1</text:note-citation>` +
          `<text:note-body><text:p>Measured in May.</text:p></text:note-body></text:note>` +
          `<office:annotation><dc:creator>Ada</dc:creator><text:p>Check it</text:p></office:annotation></text:p>` +
          `<text:list><text:list-item><text:p>first</text:p></text:list-item>` +
          `<text:list-item><text:p>second</text:p></text:list-item></text:list>` +
          `<table:table table:name="Fees"><table:table-header-rows>${row(cell("Band"), cell("Fee"))}` +
          `</table:table-header-rows>${row(cell("A"), cell("£70"))}</table:table>`,
        {
          "styles.xml": `<s xmlns:style="s" xmlns:text="t"><style:header><text:p>Harbour Council</text:p></style:header></s>`,
          "meta.xml": `<m xmlns:dc="d" xmlns:meta="m"><dc:title>Statement</dc:title><meta:initial-creator>Ada</meta:initial-creator></m>`,
        },
      ),
    );
    expect(mediaType).toBe(`${office}.text`);
    expect(metadata).toEqual({ title: "Statement", author: "Ada" });
    expect(pages.map(({ text }) => text)).toEqual([
      "Planning statement\n\nThe wall  is 2.4 m high.\n\nfirst\nsecond\nBand\tFee\nA\t£70",
      "Measured in May.\n\nCheck it\n\nHarbour Council",
    ]);
    expect(pages[0]?.tables).toMatchObject([{ header: 1, rows: [{}, {}] }]);
  });

  test("a formula is read where it is, or after the text that shows it as an object", async () => {
    const formula =
      `<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo>` +
      `<mi>m</mi><msup><mi>c</mi><mn>2</mn></msup></mrow>` +
      `<annotation encoding="StarMath 5.0">E = m cdot c^2</annotation></semantics></math>`;
    const shown = `<text:p>The energy is <draw:frame><draw:object xlink:href="./ObjA1"/></draw:frame>.</text:p>`;
    const asObject = await extract(makeFile("text", shown, { "ObjA1/content.xml": formula }));
    expect(asObject.pages.map(({ text }) => text)).toEqual(["The energy is .", "E=mc2"]);
    const own = `<text:p>The energy is <draw:object>${formula}</draw:object>.</text:p>`;
    const inText = await extract(makeFile("text", own));
    expect(inText.pages.map(({ text }) => text)).toEqual(["The energy is E=mc2."]);
  });

  test.each(["", "broken <math"])("is read without an object that is %j", async (content) => {
    const objects = { "Object 1/content.xml": content, "Object 2/content.xml": "<math>a+b</math>" };
    const { pages, warnings } = await extract(makeFile("text", "<text:p>Weir</text:p>", objects));
    expect(pages.map(({ text }) => text)).toEqual(["Weir", "a+b"]);
    expect(warnings).toEqual(['The embedded object "Object 1" was not read: it seems damaged.']);
  });

  test("a spreadsheet has a page for each sheet, days as ISO 8601, and few repetitions", async () => {
    const { pages } = await extract(
      makeFile(
        "spreadsheet",
        `<table:table table:name="Dues">${row(cell("Day"), cell("Sum"))}` +
          row(
            cell("3 May", 'office:value-type="date" office:date-value="2026-05-03T00:00:00"'),
            cell("70"),
            '<table:table-cell table:number-columns-repeated="16000"/>',
          ) +
          `<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>` +
          `</table:table><table:table table:name="Empty"/>` +
          `<table:table table:name="Names">${row(cell("Ada", 'table:number-columns-repeated="2"'))}</table:table>`,
      ),
    );
    expect(pages.map(({ text }) => text)).toEqual([
      "Dues\nDay\tSum\n2026-05-03\t70",
      "Empty",
      "Names\nAda\tAda",
    ]);
  });

  test("a presentation has a page for each slide, with its notes", async () => {
    const slide = (text: string, notes = "") =>
      `<draw:page><draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>` +
      `<presentation:notes><text:p>${notes}</text:p></presentation:notes></draw:page>`;
    const { pages } = await extract(
      makeFile("presentation", slide("One", "say it") + slide("Two")),
    );
    expect(pages.map(({ text }) => text)).toEqual(["One\n\nsay it", "Two"]);
  });

  test("a drawing has a page for each of its pages, with the text of its shapes", async () => {
    const body =
      `<draw:page><draw:g><draw:custom-shape><text:p>Harbour</text:p></draw:custom-shape>` +
      `<draw:ellipse><text:p>Quay</text:p></draw:ellipse></draw:g></draw:page>` +
      `<draw:page><draw:path/></draw:page>`;
    const files = [
      [`${office}.graphics`, makeFile("graphics", body)],
      [
        `${office}.graphics-flat-xml`,
        `<?xml version="1.0"?><office:document office:mimetype="${office}.graphics">` +
          `<office:body><office:drawing>${body}</office:drawing></office:body></office:document>`,
      ],
    ] as const;
    for (const [kind, file] of files) {
      const { mediaType, pages } = await extract(file, { filename: "plan" });
      expect([mediaType, ...pages.map(({ text }) => text)]).toEqual([kind, "Harbour\n\nQuay", ""]);
    }
  });

  test("what a master slide shows follows once, without page numbers and fields", async () => {
    const master =
      "<!DOCTYPE office:document-styles PUBLIC 'a' 'b'><s><style:master-page><text:p>" +
      "<presentation:header/>Harbour Council</text:p><text:p>&lt;number&gt;</text:p>" +
      "<style:footer><text:p>Draft</text:p></style:footer></style:master-page></s>";
    const slide = "<draw:page><text:p>One</text:p></draw:page>";
    const { pages } = await extract(makeFile("presentation", slide, { "styles.xml": master }));
    expect(pages.map(({ text }) => text)).toEqual(["One", "Draft\n\nHarbour Council"]);
  });

  test("a file that is one XML text is read as its kind, with its pictures", async () => {
    const picture = Buffer.from(await Bun.file(notice).bytes()).toString("base64");
    const { mediaType, pages, metadata } = await extract(
      `<?xml version="1.0"?><office:document office:version="1.3" office:mimetype="${office}.text">` +
        `<office:meta><dc:title>Statement</dc:title></office:meta><office:master-styles>` +
        `<style:footer><text:p>Harbour Council</text:p></style:footer></office:master-styles>` +
        `<office:body><office:text><text:h>Wall</text:h><text:p>It is high.<draw:frame><draw:image>` +
        `<office:binary-data>${picture}</office:binary-data></draw:image></draw:frame></text:p>` +
        `<table:table>${row(cell("A"), cell("£70"))}</table:table></office:text></office:body>` +
        `</office:document>`,
      { filename: "statement.fodt" },
    );
    expect([mediaType, metadata]).toEqual([`${office}.text-flat-xml`, { title: "Statement" }]);
    expect(pages.map(({ text, isPicture }) => isPicture ?? text)).toEqual([
      "Wall\n\nIt is high.\n\nA\t£70",
      "Harbour Council",
      true,
    ]);
  });

  test("encrypted, cut and other files are named", async () => {
    const manifest = "<manifest><encryption-data/></manifest>";
    const locked = makeFile("text", "", { "META-INF/manifest.xml": manifest });
    expect((await failureOf(extract(locked))).code).toBe("encrypted");
    const cut = makeZip({ mimetype: `${office}.text`, "content.xml": "<office:body>" });
    expect((await failureOf(extract(cut))).code).toBe("corrupt");
    const formula = makeZip({ mimetype: `${office}.formula`, "content.xml": "<a/>" });
    expect((await failureOf(extract(formula))).message).toContain("formula");
  });

  test("repeated cells cannot make a small file large", async () => {
    const many = Array.from({ length: 200 }, () =>
      cell("x".repeat(2_000), 'table:number-columns-repeated="900"'),
    );
    const file = makeFile("spreadsheet", `<table:table>${row(...many)}</table:table>`);
    const limits = { characters: 100_000 };
    expect((await failureOf(extract(file, { filename: "a.ods", limits }))).code).toBe(
      "limit-exceeded",
    );
  });
});
