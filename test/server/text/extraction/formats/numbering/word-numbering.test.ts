import { describe, expect, test } from "vitest";
import { docxRelationships, extract, makeDocx, paragraph } from "../build-files.ts";

const level = (at: number, format: string, text: string, more = ""): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>` +
  `<w:lvlText w:val="${text}"/>${more}</w:lvl>`;
const definition = (id: number, ...levels: string[]): string =>
  `<w:abstractNum w:abstractNumId="${id}">${levels.join("")}</w:abstractNum>`;
const list = (id: number, of: number, more = ""): string =>
  `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`;
const run = (text: string): string => `<w:r><w:t>${text}</w:t></w:r>`;
const item = (text: string, at = 0, id = 1, more = ""): string =>
  `<w:p><w:pPr>${more}<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${id}"/></w:numPr></w:pPr>` +
  `${text === "" ? "" : run(text)}</w:p>`;
const styled = (style: string, text: string, more = ""): string =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${more}</w:pPr>${run(text)}</w:p>`;
const style = (id: string, properties: string, parent = ""): string =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:basedOn w:val="${parent}"/>` +
  `<w:pPr>${properties}</w:pPr></w:style>`;

const documentOf = async (body: string, numbering: string, styles = "") =>
  await extract(
    makeDocx(body, {
      "word/_rels/document.xml.rels": docxRelationships([
        ["a", "numbering", "numbering.xml"],
        ["b", "styles", "styles.xml"],
        ["c", "footnotes", "footnotes.xml"],
      ]),
      "word/numbering.xml": `<w:numbering>${numbering}</w:numbering>`,
      "word/styles.xml": `<w:styles>${styles}</w:styles>`,
      "word/footnotes.xml": `<w:footnotes>${item("In a note.")}</w:footnotes>`,
    }),
    { filename: "a.docx" },
  );
const linesOf = async (body: string, numbering: string, styles = ""): Promise<string[]> =>
  (await documentOf(body, numbering, styles)).pages
    .map(({ text }) => text)
    .join("\n")
    .split(/\n+/)
    .slice(0, -1);

const clauses = definition(
  0,
  level(0, "decimal", "%1."),
  level(1, "decimal", "%1.%2"),
  level(2, "lowerLetter", "(%3)"),
);

describe("numbers of a Word document", () => {
  test("items have the number of their level, which begins again below the next one", async () => {
    const body =
      item("Term") +
      item("Start", 1) +
      item("End", 1) +
      item("early", 2) +
      item("late", 2) +
      item("Payment") +
      item("Rent", 1) +
      paragraph("Signed.") +
      item("Law");
    expect(await linesOf(body, clauses + list(1, 0))).toEqual([
      "1. Term",
      "1.1 Start",
      "1.2 End",
      "(a) early",
      "(b) late",
      "2. Payment",
      "2.1 Rent",
      "Signed.",
      "3. Law",
    ]);
  });

  test("bullets have no number, and their lines stay as they are", async () => {
    const { pages } = await documentOf(
      item("One") + item("Two"),
      definition(0, level(0, "bullet", "\uf0b7")) + list(1, 0),
    );
    expect(pages[0]?.text).toBe("One\nTwo\n\nIn a note.");
  });

  test("lists of one definition go on, and one that says so begins again", async () => {
    const restart = `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>`;
    const body =
      item("a") + item("b", 0, 2) + item("c", 0, 3) + item("d", 0, 3) + item("e") + item("f", 0, 3);
    expect(await linesOf(body, clauses + list(1, 0) + list(2, 0) + list(3, 0, restart))).toEqual([
      "1. a",
      "2. b",
      "5. c",
      "6. d",
      "7. e",
      "8. f",
    ]);
  });

  test("a list may have its own levels", async () => {
    const own = `<w:lvlOverride w:ilvl="0">${level(0, "upperRoman", "Article %1:")}</w:lvlOverride>`;
    expect(await linesOf(item("Term"), clauses + list(1, 0, own))).toEqual(["Article I: Term"]);
  });

  test("a level may be decimal throughout, have nothing after it, or never begin again", async () => {
    const levels = definition(
      0,
      level(0, "upperRoman", "%1."),
      level(1, "decimal", "%1.%2", "<w:isLgl/>"),
      level(2, "decimal", "§%3", '<w:suff w:val="nothing"/><w:lvlRestart w:val="0"/>'),
    );
    const body = item("A") + item("B", 1) + item("C", 2) + item("D") + item("E", 2);
    expect(await linesOf(body, levels + list(1, 0))).toEqual([
      "I. A",
      "1.1 B",
      "§1C",
      "II. D",
      "§2E",
    ]);
  });

  test("a level above that has no item counts as one", async () => {
    expect(await linesOf(item("a", 1) + item("b"), clauses + list(1, 0))).toEqual([
      "1.1 a",
      "2. b",
    ]);
  });

  test("styles number their paragraphs at the level that names them or that they say", async () => {
    const levels = definition(
      0,
      level(0, "decimal", "Section %1.", '<w:pStyle w:val="L1"/>'),
      level(1, "decimal", "%1.%2", '<w:pStyle w:val="L2"/>'),
      level(2, "lowerLetter", "(%3)"),
    );
    const at = (ilvl: number): string => `<w:numPr><w:ilvl w:val="${ilvl}"/></w:numPr>`;
    const styles =
      style("L1", '<w:numPr><w:numId w:val="1"/></w:numPr>') +
      style("L2", at(5), "L1") +
      style("L3", at(2), "L2") +
      style("Kind", "", "L2");
    const none = '<w:numPr><w:numId w:val="0"/></w:numPr>';
    const body =
      styled("L1", "General") +
      styled("L2", "Rent") +
      styled("L3", "paid") +
      styled("Kind", "Deposit") +
      styled("L1", "Apart", none) +
      styled("L1", "Other");
    expect(await linesOf(body, levels + list(1, 0), styles)).toEqual([
      "Section 1. General",
      "1.1 Rent",
      "(a) paid",
      "1.2 Deposit",
      "Apart",
      "Section 2. Other",
    ]);
  });

  test("a definition may be that of a style of lists", async () => {
    const link =
      '<w:abstractNum w:abstractNumId="7"><w:numStyleLink w:val="Legal"/></w:abstractNum>';
    const styles = style("Legal", '<w:numPr><w:numId w:val="1"/></w:numPr>');
    const body = item("a", 0, 2) + item("b", 1, 2);
    expect(await linesOf(body, clauses + link + list(1, 0) + list(2, 7), styles)).toEqual([
      "1. a",
      "1.1 b",
    ]);
  });

  test("headings stay apart, and so do items whose number a text may have", async () => {
    const heading = '<w:outlineLvl w:val="0"/>';
    const styles = style("Heading1", heading);
    const { pages } = await documentOf(
      item("Term", 0, 1, '<w:pStyle w:val="Heading1"/>') +
        item("Rent", 0, 1, heading) +
        item("paid", 1) +
        item("late", 2) +
        item("never", 2) +
        paragraph("End."),
      clauses + list(1, 0),
      styles,
    );
    expect(pages[0]?.text).toBe(
      "1. Term\n\n2. Rent\n\n2.1 paid\n\n(a) late\n(b) never\nEnd.\n\n1. In a note.",
    );
  });

  test("an empty item has its number in a cell alone, and a deleted one does not count", async () => {
    const cell = (content: string): string => `<w:tc>${content}</w:tc>`;
    const deleted = item("", 0, 1, "<w:rPr><w:del/></w:rPr>");
    const body =
      item("a") +
      item("") +
      deleted +
      item("b") +
      `<w:tbl><w:tr>${cell(item(""))}${cell(paragraph("Ada"))}</w:tr></w:tbl>`;
    expect(await linesOf(body, clauses + list(1, 0))).toEqual(["1. a", "3. b", "4.\tAda"]);
  });

  test("properties of before a change number nothing", async () => {
    const change =
      '<w:pPrChange><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:pPrChange>';
    const body = `<w:p><w:pPr>${change}</w:pPr>${run("Plain.")}</w:p>${item("a")}`;
    expect(await linesOf(body, clauses + list(1, 0))).toEqual(["Plain.", "1. a"]);
  });

  test("styles in a circle and lists without a definition number nothing", async () => {
    const styles = style("A", "", "B") + style("B", "", "A");
    const body = styled("A", "One") + item("Two", 0, 9) + item("Three", 0, 2);
    expect(await linesOf(body, clauses + list(2, 5), styles)).toEqual(["One", "Two", "Three"]);
  });

  test("damaged lists cost the numbers only", async () => {
    const { pages, leftOut } = await documentOf(item("Rent"), "<w:num");
    expect(pages[0]?.text).toBe("Rent\n\nIn a note.");
    expect(leftOut).toBe(
      "The numbers of lists and headings of this document were not read: they are damaged.",
    );
  });

  test("numbers count as characters of the document", async () => {
    const long = definition(0, level(0, "decimal", `%1${"x".repeat(99)}`));
    const work = extract(
      makeDocx(item("a").repeat(50), {
        "word/_rels/document.xml.rels": docxRelationships([["a", "numbering", "numbering.xml"]]),
        "word/numbering.xml": `<w:numbering>${long}${list(1, 0)}</w:numbering>`,
      }),
      { filename: "a.docx", limits: { characters: 1_000 } },
    );
    await expect(work).rejects.toThrow(/characters/);
  });
});
