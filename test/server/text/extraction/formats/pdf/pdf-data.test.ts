import { join } from "node:path";
import { expect, test } from "vitest";
import { extractText } from "#server/text/extraction/extract-text.ts";
import { pdfData } from "#server/text/extraction/formats/pdf/pdf-data.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { makeEncodedPdf } from "../build-files.ts";

test.each([
  ["90ms-RKSJ-H", "Adobe-Japan1", "938c8b9e9373", "東京都"],
  ["90ms-RKSJ-V", "Adobe-Japan1", "938c8b9e9373", "東京都"],
  ["UniJIS-UCS2-H", "Adobe-Japan1", "67714eac90fd", "東京都"],
  ["UniJIS-UTF16-H", "Adobe-Japan1", "67714eac90fd", "東京都"],
  ["EUC-H", "Adobe-Japan1", "c5ecb5fec5d4", "東京都"],
  ["GBK-EUC-H", "Adobe-GB1", "b9e6bbaed0edbfc9", "规划许可"],
  ["UniGB-UCS2-H", "Adobe-GB1", "89c452128bb853ef", "规划许可"],
  ["ETen-B5-H", "Adobe-CNS1", "abd8bf76b35ca569", "建築許可"],
  ["UniCNS-UTF16-H", "Adobe-CNS1", "5efa7bc98a3153ef", "建築許可"],
  ["KSCms-UHC-H", "Adobe-Korea1", "bcadbfefc6afbab0bdc3", "서울특별시"],
])("text in %s is read without its font", async (map, collection, hex, text) => {
  const path = join(await temporaryDirectory("characters"), "letter.pdf");
  await Bun.write(path, makeEncodedPdf(map, collection, hex));
  const { pages, warnings } = await extractText(path, { filename: "letter.pdf" });
  // Vertical text has a line for each character.
  expect(pages.map((page) => page.text.replace(/\s/g, ""))).toEqual([text]);
  expect(warnings).toEqual([]);
});

test("a file that the library does not have is an error", async () => {
  await expect(pdfData("cmaps", "no-such.bcmap")).rejects.toThrow();
});
