import { describe, expect, test } from "vitest";
import { extract, failureOf } from "./build-files.ts";

const textOf = async (content: string | Uint8Array, filename: string): Promise<string> =>
  (await extract(content, { filename })).pages.map((page) => page.text).join("\n---\n");

describe("HTML", () => {
  test("text that a browser shows, without scripts and hidden parts", async () => {
    const html = `<html><head><title>Fees &amp; times</title><style>p{}</style></head><body>
      <script>alert(1)</script><h1>Fees</h1><p>The fee is
      <b>&pound;100</b>.<br>Pay <i>on</i>line.</p><ul><li>One</li><li>Two</li></ul>
      <p hidden>secret</p><pre>a  b\n c</pre></body></html>`;
    const document = await extract(html, { filename: "a.html" });
    expect(document.pages[0]?.text).toBe(
      "Fees\n\nThe fee is £100.\nPay online.\n\nOne\nTwo\n\na  b\n c",
    );
    expect(document.metadata).toEqual({ title: "Fees & times" });
  });

  test("a table gives one line per row, tabs between cells", async () => {
    const html =
      "<html><table><tr><th><p>Band</p></th><th>Fee</th></tr>\n<tr><td></td><td>£70</td></tr>" +
      "<tr><td>B</td><td></td></tr></table><p>End";
    expect(await textOf(html, "a.html")).toBe("Band\tFee\n\t£70\nB\n\nEnd");
  });

  test("a page that is not UTF-8 uses its declared charset", async () => {
    const latin = Buffer.from(
      '<html><meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>',
      "latin1",
    );
    expect(await textOf(latin, "a.html")).toBe("Привет");
  });
});

const mebibyte = 1024 * 1024;

describe("messages and web pages", () => {
  test("a web page nested too deep is refused", async () => {
    const html = `<html>${"<b>".repeat(100_000)}x`;
    expect((await failureOf(extract(html, { filename: "a.html" }))).code).toBe("limit-exceeded");
  });

  test("a million blanks and a million lines take linear time", async () => {
    const file = `a${" ".repeat(mebibyte)}b${"\n".repeat(mebibyte)}c${"\t\n".repeat(mebibyte)}d`;
    const { pages } = await extract(file, { filename: "a.txt" });
    expect(pages.at(-1)?.text).toBe("b\n\nc\n\nd");
  });

  test("comments before other text take linear time", async () => {
    const file = `${"<!-- a -->".repeat(300)}x`;
    expect((await extract(file, { filename: "a.txt" })).pages[0]?.text).toBe(file);
    const page = `${"<!-- a -->\n".repeat(300)}<html><body>Hello</body></html>`;
    expect((await extract(page, { filename: "page.txt" })).pages[0]?.text).toBe("Hello");
  });

  test("a heading of blanks and signs takes linear time", async () => {
    const file = `# ${" #".repeat(mebibyte / 4)}${"x".repeat(600)}\n\n# Title`;
    const { metadata } = await extract(file, { filename: "a.md" });
    expect(metadata.title).toBe("Title");
  });
});

test("formulas are text, without their source and what repeats them", async () => {
  const formula =
    "<math><semantics><mrow><mi>r</mi><mo>=</mo><mn>2</mn><mtext> if paid</mtext></mrow>" +
    "<annotation>r=2</annotation></semantics></math>";
  const html =
    `<p>Rent: ${formula}.</p><p><span class="katex"><span class="katex-mathml">${formula}</span>` +
    `<span class="katex-html">r=2</span></span></p>`;
  const { pages } = await extract(html, { filename: "a.html" });
  expect(pages[0]?.text).toBe("Rent: r=2 if paid.\n\nr=2");
});
