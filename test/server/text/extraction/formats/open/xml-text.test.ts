import { expect, test } from "vitest";
import { extract, failureOf } from "../build-files.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';
const bytes = (text: string) => Buffer.from(text);
const textOf = async (text: string, filename = "file.xml") =>
  (await extract(bytes(text), { filename })).pages.map((page) => page.text).join("\n");

test.each([
  [
    "data",
    "<order><id>17</id><buyer>Ada Fenn</buyer><item price='3' unit='kg' x:style='b'/></order>",
    "17\nAda Fenn\nprice: 3\nunit: kg",
  ],
  [
    "a document",
    "<article><para>Run <command>ls</command> in the\n folder.</para><para>Then stop.</para></article>",
    "Run ls in the folder.\nThen stop.",
  ],
  [
    "Word's XML",
    "<w:body><w:p><w:r><w:t>Har</w:t></w:r><w:r><w:t>bour </w:t><w:tab/><w:t>plan</w:t></w:r></w:p>" +
      "<w:p><w:r><w:t>Second</w:t></w:r></w:p><w:binData>AAAA</w:binData></w:body>",
    "Harbour \tplan\nSecond",
  ],
  [
    "a document type",
    "<!DOCTYPE note [<!ENTITY who 'Ada'>]><note><to>Ada</to><body>x &lt; y</body></note>",
    "Ada\nx < y",
  ],
])("XML has its text without tags: %s", async (_, body, expected) => {
  expect(await textOf(declaration + body)).toBe(expected);
});

test("text that only looks like XML is read as it is, with a warning", async () => {
  const broken = `${declaration}<a><b>open</a>`;
  const { pages, warnings } = await extract(bytes(broken), { filename: "broken.xml" });
  expect([pages[0]?.text, warnings]).toEqual([
    broken,
    [expect.stringContaining("not well-formed")],
  ]);
});

const svg = (body: string) => `${declaration}<svg xmlns="http://www.w3.org/2000/svg">${body}</svg>`;

test("a drawing has its text and names, and none of its shapes", async () => {
  const text = svg(
    '<title>Site plan</title><style>text { fill: red }</style><path d="M0 0"/>' +
      "<text x='1'>Plot <tspan>17</tspan></text><text>Scale 1:500</text>",
  );
  expect(await textOf(text, "plan.svg")).toBe("Site plan\nPlot 17\nScale 1:500");
});

test("a drawing of shapes alone names what was not read", async () => {
  const { leftOut } = await extract(bytes(svg('<path d="M0 0"/>')), { filename: "plan.svg" });
  expect(leftOut).toContain("has no text");
  const broken = extract(bytes("<svg><text>open</svg>"), { filename: "a.svg" });
  expect((await failureOf(broken)).code).toBe("corrupt");
});
