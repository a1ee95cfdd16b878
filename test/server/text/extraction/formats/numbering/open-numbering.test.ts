import { expect, test } from "vitest";
import { extract, makeZip } from "../build-files.ts";

const level = (at: number, format: string, more = ""): string =>
  `<text:list-level-style-number text:level="${at}" style:num-format="${format}" ${more}/>`;
const dot = 'style:num-suffix="."';
const lists =
  `<text:list-style style:name="L">${level(1, "1", dot)}` +
  `${level(2, "a", `style:num-suffix=")" text:display-levels="2"`)}</text:list-style>` +
  `<text:list-style style:name="B"><text:list-level-style-bullet text:level="1"/></text:list-style>` +
  `<text:list-style style:name="R">${level(1, "I", 'loext:num-list-format="Part %1%:" text:start-value="3"')}` +
  "</text:list-style>";
const headings =
  `<text:outline-style style:name="Outline">` +
  `<text:outline-level-style text:level="1" style:num-format="1"/>` +
  `<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>` +
  `</text:outline-style>`;

const list = (style: string, items: string, more = ""): string =>
  `<text:list ${style === "" ? "" : `text:style-name="${style}"`} ${more}>${items}</text:list>`;
const item = (content: string, more = ""): string =>
  `<text:list-item ${more}>${content}</text:list-item>`;
const p = (text: string, style = ""): string =>
  `<text:p text:style-name="${style}">${text}</text:p>`;

const textOf = async (body: string, paragraphs = ""): Promise<string> => {
  const file = makeZip({
    mimetype: "application/vnd.oasis.opendocument.text",
    "content.xml":
      `<office:document-content><office:automatic-styles>${lists}${paragraphs}` +
      `</office:automatic-styles><office:body><office:text>${body}</office:text></office:body>` +
      `</office:document-content>`,
    "styles.xml": `<s><office:styles>${headings}</office:styles></s>`,
  });
  return (await extract(file, { filename: "a.odt" })).pages[0]?.text ?? "";
};

test("items have the number of their level, and only their first paragraph", async () => {
  const inner = list("", item(p("early")) + item(p("late")));
  const body = list("L", item(p("Term") + p("as agreed") + inner) + item(p("Rent")));
  expect(await textOf(body)).toBe("1. Term\nas agreed\n1.a) early\n\n1.b) late\n\n2. Rent");
});

test("bullets and headers of lists have no number", async () => {
  const header = `<text:list-header>${p("Head")}</text:list-header>`;
  expect(await textOf(list("B", item(p("One"))) + list("L", header + item(p("Two"))))).toBe(
    "One\nHead\n\n1. Two",
  );
});

test("a list begins again unless it continues one, and an item may have its own number", async () => {
  const body =
    list("L", item(p("a")), 'xml:id="first"') +
    list("L", item(p("b")), 'text:continue-numbering="true"') +
    list("L", item(p("c"))) +
    list("L", item(p("d")) + item(p("e"), 'text:start-value="9"'), 'text:continue-list="first"');
  expect(await textOf(body)).toBe("1. a\n2. b\n1. c\n3. d\n9. e");
});

test("a level has a start and a text around its number", async () => {
  expect(await textOf(list("R", item(p("Fees")) + item(p("Law"))))).toBe(
    "Part III: Fees\n\nPart IV: Law",
  );
});

test("a heading in a list is apart from the text after it", async () => {
  const heading = `<text:h text:outline-level="1">Term</text:h>`;
  expect(await textOf(list("L", item(heading + p("as agreed"))))).toBe("1. Term\n\nas agreed");
});

test("headings have the numbers of the outline, unless their style takes it away", async () => {
  const h = (at: number, text: string, more = ""): string =>
    `<text:h text:outline-level="${at}" ${more}>${text}</text:h>`;
  const bare = `<style:style style:name="Bare" style:family="paragraph" style:list-style-name=""/>`;
  const child = `<style:style style:name="Child" style:family="paragraph" style:parent-style-name="Bare"/>`;
  const body =
    h(1, "<text:number>1</text:number>Term") +
    h(2, "Start") +
    h(1, "Annex", 'text:style-name="Child"') +
    h(1, "Also", 'text:is-list-header="true"') +
    h(2, "End") +
    h(1, "Rent") +
    h(1, "Law", 'text:restart-numbering="true" text:start-value="7"');
  expect(await textOf(body, bare + child)).toBe(
    "1 Term\n\n1.1 Start\n\nAnnex\n\nAlso\n\n1.2 End\n\n2 Rent\n\n7 Law",
  );
});

test("the style of a paragraph gives a list without one its numbers, or takes them away", async () => {
  const styles =
    `<style:style style:name="N" style:family="paragraph" style:list-style-name="L"/>` +
    `<style:style style:name="O" style:family="paragraph" style:list-style-name=""/>` +
    `<style:style style:name="X" style:family="paragraph" style:parent-style-name="X"/>`;
  const body = list("", item(p("a", "N"))) + list("L", item(p("b", "O")) + item(p("c", "X")));
  expect(await textOf(body, styles)).toBe("1. a\nb\n1. c");
});
