import { expect, test } from "vitest";
import { missingTitles } from "#server/text/extraction/formats/pdf/bookmarks.ts";
import { extract, makePdfOf, pdfLines } from "../build-files.ts";

const page = "/Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources <</Font <</F1 3 0 R>>>>";

/** Two pages and these bookmarks, each a title and what else its dictionary has. */
function bookmarked(titles: readonly (readonly [string, string])[]): Uint8Array {
  const first = 9;
  const items = titles.map(([title, more], index) => {
    const next = index + 1 < titles.length ? `/Next ${first + index + 1} 0 R` : "";
    return { dictionary: `/Title (${title}) /Parent 8 0 R ${next} ${more}` };
  });
  const last = first + titles.length - 1;
  return makePdfOf([
    { dictionary: "/Type /Catalog /Pages 2 0 R /Outlines 8 0 R" },
    { dictionary: "/Type /Pages /Kids [4 0 R 6 0 R] /Count 2" },
    { dictionary: "/Type /Font /Subtype /Type1 /BaseFont /Helvetica" },
    { dictionary: `${page} /Contents 5 0 R` },
    { dictionary: "", stream: Buffer.from(pdfLines(["Summary", "The wall is high."])) },
    { dictionary: `${page} /Contents 7 0 R` },
    { dictionary: "", stream: Buffer.from(pdfLines(["2.1 Noise of fans"])) },
    { dictionary: `/Type /Outlines /First ${first} 0 R /Last ${last} 0 R /Count ${items.length}` },
    ...items,
  ]);
}

test("bookmarks whose title their page lacks follow its text", async () => {
  const pdf = bookmarked([
    ["Summary", "/Dest [4 0 R /Fit]"],
    ["Noise of  fans", "/Dest [6 0 R /Fit]"],
    ["Expert opinion", "/Dest [6 0 R /Fit]"],
    ["Appendix", "/Dest (nowhere)"],
  ]);
  const { pages } = await extract(pdf, { filename: "plan.pdf" });
  expect(pages.map(({ text }) => text)).toEqual([
    "Summary\nThe wall is high.\nBookmark: Appendix",
    "2.1 Noise of fans\nBookmark: Expert opinion",
  ]);
});

test("a bookmark that leads to itself loses no text", async () => {
  const { pages } = await extract(bookmarked([["Circle", "/First 9 0 R /Last 9 0 R"]]), {
    filename: "plan.pdf",
  });
  expect(pages[1]?.text).toBe("2.1 Noise of fans");
  expect(pages[0]?.text).toMatch(/^Summary\nThe wall is high\.(?:\nBookmark: Circle)?$/);
});

test.each([
  ["1  Introduction", "1. Introduction", true],
  ["ÜBERSICHT", "Übersicht", true],
  ["Fees", "The fee is due", false],
])("title %j is in the text %j: %j", (title, text, isWritten) => {
  expect(missingTitles([title], text)).toEqual(isWritten ? [] : [title]);
});
