import { expect, test } from "vitest";
import { extract, makePdf } from "../build-files.ts";

const textOf = async (content: string): Promise<string> => {
  const { pages } = await extract(makePdf([content]), { filename: "letter.pdf" });
  return pages.map((page) => page.text).join("\n");
};

test.each([
  ["by the spacing of characters", "5 Tc (MEDITACIONES DE MARCO) Tj", "MEDITACIONES DE MARCO"],
  ["by the spacing of a heading in two sizes", "4 Tc (SITE) Tj 0 Tc ( plan) Tj", "SITE plan"],
  ["by gaps of each letter", "[(N) -500 (O) -500 (T) -500 (I) -500 (C) -500 (E)] TJ", "NOTICE"],
  [
    "one by one",
    // The widths of these letters of Helvetica, and 6 units after each.
    "(N) Tj 14.664 0 Td (O) Tj 15.336 0 Td (T) Tj 13.332 0 Td (I) Tj 9.336 0 Td (C) Tj 14.664 0 Td (E) Tj",
    "NOTICE",
  ],
])("letters that are set wide %s make words", async (_name, shown, text) => {
  expect(await textOf(`BT /F1 12 Tf 72 700 Td ${shown} ET`)).toBe(text);
});

test("letters in columns that are drawn one by one stay apart", async () => {
  const shown = "(A) Tj 18 0 Td (I) Tj 18 0 Td (C) Tj 18 0 Td (M) Tj 18 0 Td (E) Tj";
  expect(await textOf(`BT /F1 12 Tf 72 700 Td ${shown} ET`)).toMatch(/^A\sI\sC\sM\sE$/);
});

test("letters that the file has with spaces stay apart", async () => {
  expect(await textOf("BT /F1 12 Tf 72 700 Td (A B C D E F) Tj ET")).toBe("A B C D E F");
});
