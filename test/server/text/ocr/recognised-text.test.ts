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

test("specks and ruling lines that the engine took for letters are no text", () => {
  const line = [
    ["oo", 80, 11],
    ["Customer", 120],
    ["|", 240, 80],
    ["Co", 280, 95],
  ] as const;
  expect(recognisedText(tableOf([line])).text).toBe("Customer Co");
});

test("words of which the engine is not sure are marked, above all those with digits", () => {
  const line = [
    ["Ada", 100, 80],
    ["4711", 200, 80],
    ["Marsh", 300, 60],
  ] as const;
  const { words } = recognisedText(tableOf([line])).layout;
  expect(words.map(({ isUnsure }) => isUnsure === true)).toEqual([false, true, true]);
});

test("lines that lean slightly are level, and their words keep their places", () => {
  const rows = ["1\t1\t0\t0\t0\t0\t0\t0\t1000\t1400\t-1\t"];
  const add = (block: number, at: number, words: readonly (readonly [string, number])[]): void => {
    rows.push(`4\t1\t${block}\t1\t${at}\t0\t0\t0\t0\t0\t-1\t`);
    for (const [text, x] of words) {
      const y = 100 + at * 40 + Math.round((x + 20) * 0.02);
      rows.push(`5\t1\t${block}\t1\t${at}\t1\t${x}\t${y}\t40\t22\t95\t${text}`);
    }
  };
  for (const at of [0, 1, 2])
    add(1, at, [
      ["Net", 50],
      ["sum", 500],
    ]);
  for (const at of [0, 1, 2]) add(2, at, [[`${at}.50`, 900]]);
  const { text, layout } = recognisedText(rows.join("\n"));
  expect(withoutMarks(text).trim().split("\n")).toEqual(
    [0, 1, 2].map((at) => `Net\tsum\t${at}.50`),
  );
  const value = layout.words.find((word) => word.text === "0.50");
  expect(Math.abs((value?.y ?? 0) - 118)).toBeLessThan(12);
});
