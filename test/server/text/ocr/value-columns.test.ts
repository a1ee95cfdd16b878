import { expect, test } from "vitest";
import { joinValueColumns } from "#server/text/ocr/value-columns.ts";

/** A line of words, each of which is ten units wide for a letter. */
function line(block: string, text: string, x: number, y: number) {
  let at = x;
  const words = text.split(" ").map((word) => {
    const placed = { text: word, x: at, y, width: word.length * 10, height: 20 };
    at += word.length * 10 + 10;
    return placed;
  });
  return { block, words };
}

const joined = (...lines: ReturnType<typeof line>[]): string[] =>
  joinValueColumns(lines).map((words) => words.map(({ text }) => text).join(" "));

test("values in their own block continue the lines of their labels", () => {
  expect(
    joined(
      line("1", "Net", 0, 0),
      line("1", "Total", 0, 40),
      line("2", "3 pieces", 400, 1),
      line("3", "5.00", 600, 2),
      line("3", "6.00", 600, 43),
    ),
  ).toEqual(["Net 3 pieces 5.00", "Total 6.00"]);
});

test("columns of running text and lines at other heights stay apart", () => {
  const prose = "In 2026 the council met in the old hall";
  const lines = [line("1", prose, 0, 0), line("2", prose, 600, 0)];
  expect(joined(...lines)).toEqual([prose, prose]);
  const narrow = [0, 40, 80].flatMap((y) =>
    ["1", "2"].map((block, at) => line(block, "paid in 2026 by the bank", at * 600, y)),
  );
  expect(joined(...narrow)).toHaveLength(narrow.length);
  expect(joined(line("1", "Net", 0, 0), line("2", "5.00", 400, 15))).toEqual(["Net", "5.00"]);
  expect(joined(line("1", "Net", 0, 0), line("2", "gross", 400, 0))).toEqual(["Net", "gross"]);
});
