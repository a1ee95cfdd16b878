import { expect, test } from "vitest";
import { layoutText } from "#server/text/extraction/formats/pdf/pdf-layout.ts";
import { fromRight, plainLetters } from "#server/text/extraction/formats/pdf/right-to-left.ts";
import { extract, makePdfOf } from "../build-files.ts";

/** Runs of a line in the order of the drawing, from the left. */
function lineOf(...texts: string[]) {
  return texts.map((text, at) => ({
    text,
    x: at * 50,
    y: 0,
    width: 40,
    size: 12,
    endsLine: at === texts.length - 1,
    isRightToLeft: /[\u0590-\u06ff]/.test(text),
  }));
}

const textOf = (line: readonly { text: string }[]): string => line.map(({ text }) => text).join("");

test("a line of Hebrew that is drawn from the left is read from the right", () => {
  const line = fromRight(lineOf("התקבל", " ", "A", " ", "17", " ", "מספר הבקשה"));
  expect(textOf(line)).toBe("מספר הבקשה A 17 התקבל");
  expect(line.map(({ endsLine }) => endsLine).indexOf(true)).toBe(line.length - 1);
});

test("lines of other scripts, and those that are drawn from the right, keep their order", () => {
  const latin = lineOf("The word ", "שלום", " is a greeting");
  expect(fromRight(latin)).toBe(latin);
  const drawn = lineOf("מספר", " ", "הבקשה").map((run) => ({ ...run, x: -run.x }));
  expect(fromRight(drawn)).toBe(drawn);
});

test("Arabic letters in the form of their place are plain letters", () => {
  expect(plainLetters("\ufee2\ufed7\u0631 \ufefb ffi")).toBe("\u0645\u0642\u0631 \u0644\u0627 ffi");
});

test("a gap between two words of a line from right to left is a space, also at a Latin name", () => {
  const line = lineOf("إذا كان", "لديك", "R", "و", "Python").map((run, at) => ({
    ...run,
    x: 400 - at * 43 - (at === 3 ? 3 : 0),
    width: at === 3 ? 43 : 40,
  }));
  expect(layoutText(line).text).toBe("إذا كان لديك R وPython");
});

test("a number of several runs within such a line has a space on both sides, and none within", () => {
  const places = [300, 200, 230, 150];
  const line = lineOf("حداقل", "47", ".500", "تن").map((run, at) => ({
    ...run,
    x: places[at] ?? 0,
    width: at === 1 ? 30 : at === 2 ? 64 : 44,
  }));
  expect(layoutText(line).text).toBe("حداقل 47.500 تن");
});

/** A PDF with these glyphs from the left, each with the letters that its font says it shows. */
function glyphsPdf(glyphs: readonly string[]): Uint8Array {
  const hex = (text: string): string =>
    Array.from({ length: text.length }, (_, at) =>
      text.charCodeAt(at).toString(16).padStart(4, "0"),
    ).join("");
  const letters = [...new Set(glyphs)];
  const codeOf = (glyph: string): string => (letters.indexOf(glyph) + 65).toString(16);
  const pairs = letters.map((glyph) => `<${codeOf(glyph)}> <${hex(glyph)}>`);
  const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange
    ${pairs.length} beginbfchar ${pairs.join("\n")} endbfchar endcmap`;
  return makePdfOf([
    { dictionary: "/Type /Catalog /Pages 2 0 R" },
    { dictionary: "/Type /Pages /Kids [5 0 R] /Count 1" },
    { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 4 0 R" },
    { dictionary: "", stream: Buffer.from(map) },
    {
      dictionary:
        "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] " +
        "/Resources <</Font <</F1 3 0 R>>>> /Contents 6 0 R",
    },
    {
      dictionary: "",
      stream: Buffer.from(`BT /F1 12 Tf 72 700 Td <${glyphs.map(codeOf).join("")}> Tj ET`),
    },
  ]);
}

test.each([
  ["a ligature", ["ت", "لا", "ك", "ش", "م", "ل", "ا"], "المشكلات"],
  ["a ligature after the article", ["ج", "ا", "ت", "ن", "لإ", "ا"], "الإنتاج"],
  ["a phrase of one glyph", ["A", " ", "حبيبي"], "حبيبي A"],
  ["a ligature of Latin letters", ["o", "ffi", "ce"], "office"],
])("%s keeps the order of its letters", async (_name, glyphs, text) => {
  const { pages } = await extract(glyphsPdf(glyphs), { filename: "letter.pdf" });
  expect(pages.map((page) => page.text)).toEqual([text]);
});
