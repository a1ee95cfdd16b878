import { describe, expect, test } from "vitest";
import { docxRelationships, extract, makeDocx, makeZip, paragraph } from "./build-files.ts";

const drawn = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const points = (...values: string[]): string =>
  values.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("");
const series = (name: string, labels: string[], values: string[]): string =>
  `<c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache>${points(name)}</c:strCache></c:strRef></c:tx>` +
  `<c:cat><c:strRef><c:strCache>${points(...labels)}</c:strCache></c:strRef></c:cat>` +
  `<c:val><c:numRef><c:numCache><c:formatCode>General</c:formatCode>${points(...values)}` +
  "</c:numCache></c:numRef></c:val></c:ser>";
const chart =
  `<c:chartSpace><c:chart><c:title><c:tx><c:rich>${drawn("Fees by quarter")}</c:rich></c:tx>` +
  `</c:title><c:plotArea><c:barChart>${series("Paid", ["Q1", "Q2"], ["120", "95"])}` +
  `${series("Due", ["Q1", "Q2"], ["3", "7"])}</c:barChart><c:valAx><c:title><c:tx><c:rich>` +
  `${drawn("Thousand pounds")}</c:rich></c:tx></c:title></c:valAx></c:plotArea></c:chart>` +
  "</c:chartSpace>";
const chartText = "Fees by quarter\nThousand pounds\n\tPaid\tDue\nQ1\t120\t3\nQ2\t95\t7";
const diagram =
  `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t>${drawn("Apply")}</dgm:t></dgm:pt>` +
  `<dgm:pt><dgm:t>${drawn("Decide")}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`;

/** The text of a package with this main part and others, and relationships of each. */
async function textOf(
  main: string,
  parts: Record<string, string>,
  related: Record<string, [string, string, string][]>,
): Promise<string> {
  const entries: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": docxRelationships([["r1", "officeDocument", main]]),
    ...parts,
  };
  for (const [part, list] of Object.entries(related)) {
    entries[part.replace(/([^/]+)$/, "_rels/$1.rels")] = docxRelationships(list);
  }
  const { pages } = await extract(makeZip(entries), { filename: "a" });
  return pages.map(({ text }) => text).join("\n---\n");
}

describe("text in other parts", () => {
  test("a slide's charts, SmartArt and comments of both kinds", async () => {
    const text = await textOf(
      "ppt/presentation.xml",
      {
        "ppt/presentation.xml": '<p:presentation><p:sldId id="256" r:id="s1"/></p:presentation>',
        "ppt/slides/slide1.xml": `<p:sld>${drawn("Title")}</p:sld>`,
        "ppt/charts/chart1.xml": chart,
        "ppt/diagrams/data1.xml": diagram,
        "ppt/comments/comment1.xml":
          '<p:cmLst><p:cm authorId="0"><p:pos x="1" y="2"/><p:text>Old remark</p:text></p:cm></p:cmLst>',
        "ppt/comments/modern1.xml":
          `<q:cmLst><q:cm><q:replyLst><q:reply><q:txBody>${drawn("Reply")}</q:txBody></q:reply>` +
          `</q:replyLst><q:txBody>${drawn("New remark")}</q:txBody></q:cm></q:cmLst>`,
      },
      {
        "ppt/presentation.xml": [["s1", "slide", "slides/slide1.xml"]],
        "ppt/slides/slide1.xml": [
          ["c", "chart", "../charts/chart1.xml"],
          ["d", "diagramData", "../diagrams/data1.xml"],
          ["o", "comments", "../comments/comment1.xml"],
          ["n", "comments", "../comments/modern1.xml"],
        ],
      },
    );
    expect(text).toBe(`Title\n\n${chartText}\n\nApply\nDecide\n\nOld remark\n\nReply\nNew remark`);
  });

  const workbook = (sheet: [string, string, string][], parts: Record<string, string>) =>
    textOf(
      "xl/workbook.xml",
      {
        "xl/workbook.xml": '<workbook><sheet name="Fees" r:id="s1"/></workbook>',
        "xl/worksheets/sheet1.xml":
          "<worksheet><sheetData><row><c><v>7</v></c></row></sheetData></worksheet>",
        ...parts,
      },
      {
        "xl/workbook.xml": [["s1", "worksheet", "worksheets/sheet1.xml"]],
        "xl/worksheets/sheet1.xml": sheet,
        "xl/drawings/drawing1.xml": [["c", "chart", "../charts/chart1.xml"]],
      },
    );
  const comments =
    '<comments><commentList><comment ref="B2"><text><r><t>Ask </t></r><r><t>again</t></r></text>' +
    "</comment></commentList></comments>";

  test("a worksheet's text boxes, charts and comments", async () => {
    const text = await workbook(
      [
        ["d", "drawing", "../drawings/drawing1.xml"],
        ["c", "comments", "../comments1.xml"],
      ],
      {
        "xl/drawings/drawing1.xml": `<xdr:wsDr><xdr:txBody>${drawn("Boxed")}</xdr:txBody></xdr:wsDr>`,
        "xl/charts/chart1.xml": chart,
        "xl/comments1.xml": comments,
      },
    );
    expect(text).toBe(`Fees\n7\n\nBoxed\n\n${chartText}\n\nB2: Ask again`);
  });

  test("threaded comments once, not in their older form too", async () => {
    const text = await workbook(
      [
        ["c", "comments", "../comments1.xml"],
        ["t", "threadedComment", "../threadedComments/threadedComment1.xml"],
      ],
      {
        "xl/comments1.xml": comments,
        "xl/threadedComments/threadedComment1.xml":
          '<ThreadedComments><threadedComment ref="B2"><text>Ask again</text></threadedComment>' +
          '<threadedComment ref="B2"><text>Asked.</text></threadedComment></ThreadedComments>',
      },
    );
    expect(text).toBe("Fees\n7\n\nB2: Ask again\nB2: Asked.");
  });

  test("a Word document's charts and SmartArt", async () => {
    const file = makeDocx(paragraph("Body."), {
      "word/_rels/document.xml.rels": docxRelationships([
        ["c", "chart", "charts/chart1.xml"],
        ["d", "diagramData", "diagrams/data1.xml"],
      ]),
      "word/charts/chart1.xml": chart,
      "word/diagrams/data1.xml": diagram,
    });
    const { pages } = await extract(file, { filename: "a.docx" });
    expect(pages[0]?.text).toBe(`Body.\n\n${chartText}\n\nApply\nDecide`);
  });
});
