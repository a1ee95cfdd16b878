import { describe, expect, test } from "vitest";
import { extract, failureOf, makeDocx, makeXlsx } from "./build-files.ts";

describe("XML", () => {
  test("entities that multiply (billion laughs) are refused", async () => {
    const entities = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    );
    const document =
      `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "lol">${entities.join("")}]>` +
      "<d><p><r><t>&l9;</t></r></p></d>";
    const file = makeDocx("", { "word/document.xml": document });
    const error = await failureOf(extract(file, { filename: "a.docx" }));
    expect(error.code).toBe("corrupt");
    expect(error.message).toContain("DOCTYPE");
  });

  test("elements nested too deep are refused", async () => {
    const body = "<w:p>".repeat(300) + "</w:p>".repeat(300);
    const error = await failureOf(extract(makeDocx(body), { filename: "a.docx" }));
    expect(error.message).toBe("This file was not read: it nests deeper than 256 levels.");
  });

  test("one long string in many cells is refused", async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(300);
    const file = makeXlsx(
      { Sheet: `<row>${cells}</row>` },
      { strings: `<si><t>${"x".repeat(100_000)}</t></si>` },
    );
    expect((await failureOf(extract(file, { filename: "a.xlsx" }))).code).toBe("limit-exceeded");
  });

  test("truncated XML", async () => {
    const file = makeDocx("", { "word/document.xml": "<w:document><w:body><w:p>" });
    expect((await failureOf(extract(file, { filename: "a.docx" }))).code).toBe("corrupt");
  });
});
