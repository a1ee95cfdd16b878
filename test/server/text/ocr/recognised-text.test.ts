import { expect, test } from "vitest";
import { recognisedText } from "#server/text/ocr/recognised-text.ts";
import { withoutMarks } from "#server/text/tables/table-marks.ts";

/** Rows of the engine's table for lines of words with their left sides. */
function tableOf(lines: readonly (readonly (readonly [string, number, number?])[])[]): string {
  const rows = ["1\t1\t0\t0\t0\t0\t0\t0\t1000\t1400\t-1\t"];
  for (const [index, words] of lines.entries()) {
    rows.push(`4\t1\t1\t1\t${index}\t0\t0\t0\t0\t0\t-1\t`);
    for (const [text, x, confidence = 95] of words) {
      const width = text.length * 14;
      rows.push(
        `5\t1\t1\t1\t${index}\t1\t${x}\t${100 + index * 40}\t${width}\t22\t${confidence}\t${text}`,
      );
    }
  }
  return rows.join("\n");
}

test("rows whose words are in columns are a table, and each of its words has a place", () => {
  const { text, layout } = recognisedText(
    tableOf([
      [
        ["Fee", 100],
        ["Paid", 400],
        ["Date", 700],
      ],
      [
        ["80.00", 100],
        ["Yes", 400],
        ["Monday", 700],
      ],
      [
        ["95.50", 100],
        ["No", 400],
        ["Friday", 700],
      ],
    ]),
  );
  expect(withoutMarks(text).trim()).toBe("Fee\tPaid\tDate\n80.00\tYes\tMonday\n95.50\tNo\tFriday");
  expect(layout).toMatchObject({ width: 1_000, height: 1_400 });
  expect(layout.words.map(({ text: word }) => word)).toEqual(
    "Fee Paid Date 80.00 Yes Monday 95.50 No Friday".split(" "),
  );
  expect(layout.words[0]).toMatchObject({ x: 100, width: 42 });
});

test("rests of lines are no text, but marks of which the engine is sure are", () => {
  const line = [
    ["|", 80, 20],
    ["Total", 100],
    ["-", 200, 90],
    ["12", 230],
  ] as const;
  expect(recognisedText(tableOf([line])).text).toBe("Total - 12");
});
