import { expect, test } from "vitest";
import { layoutText } from "#server/text/extraction/formats/pdf/pdf-layout.ts";
import type { TextRun } from "#server/text/extraction/formats/pdf/pdf-runs.ts";
import { drawnBlocks } from "#server/text/extraction/formats/pdf/drawn-columns.ts";

const size = 10;
const letter = 5;

function run(text: string, x: number, y: number): TextRun {
  return { text, x, y, width: text.length * letter, size, endsLine: false };
}

/** The lines of a text in a column of this many letters. */
function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= letters) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const sentenceOf = (noun: string): string =>
  `the ${noun} is higher than the plan allows, so that the officer asks for a new drawing of it`;
const textOf = (nouns: readonly string[]): string =>
  `Note: ${nouns.map(sentenceOf).join(" and ")}.`;
const texts = [
  textOf(["wall", "fence", "gate", "shed"]),
  textOf(["roof", "tower", "chimney", "mast"]),
  textOf(["hedge", "bank", "mound", "stand"]),
];

/** Columns as a program draws them that writes the lines of a page from the top. */
function drawnAcross(columns: readonly string[], { step = 0 } = {}): TextRun[] {
  const letters = 28;
  const placed = columns.flatMap((text, column) =>
    wrapped(text, letters).map((line, index) =>
      run(line, 50 + column * (letters * letter + 12), 700 - index * 12 - column * step),
    ),
  );
  return placed.toSorted((one, other) => other.y - one.y || one.x - other.x);
}

test.each([
  ["two columns at the same heights", 2, 0],
  ["two columns at other heights", 2, 4],
  ["three columns", 3, 3],
])("%s whose lines are drawn from the top are read one after the other", (_name, count, step) => {
  const columns = texts.slice(0, count);
  expect(layoutText(drawnAcross(columns, { step })).text).toBe(columns.join("\n\n"));
});

test("a title across the columns separates those above it from those below it", () => {
  const [above, below] = [texts.slice(0, 2), texts.slice(1)];
  const lower = drawnAcross(below).map((each) => ({ ...each, y: each.y - 260 }));
  const title = run("Decision of the committee on the plans of the harbour", 50, 452);
  const { text } = layoutText([...drawnAcross(above), title, ...lower]);
  expect(text).toBe([...above, title.text, ...below].join("\n\n"));
});

test("columns that are drawn one after the other keep their order", () => {
  const runs = drawnAcross(texts.slice(0, 2)).toSorted((one, other) => one.x - other.x);
  expect(drawnBlocks(runs)).toEqual([{ runs, isColumn: false }]);
});

test("a table is no text in columns", () => {
  const rows = Array.from({ length: 30 }, (_, row) => [
    run(`Sound test number ${row} of the fans`, 50, 700 - row * 12),
    run(`Paid by the applicant in part ${row}`, 260, 700 - row * 12),
  ]).flat();
  expect(drawnBlocks(rows)).toHaveLength(1);
});

test("columns from right to left begin at the right", () => {
  const [first = "", second = ""] = [
    "אבג דהו זחט יכל מנס עפצ קרש תאב גדה וזח טיכ למנ סעפ צקר שתא ",
    "שרק צפע סנמ לכי טחז והד גבא תשר קצפ עסנ מלכ יטח זוה דגב אתש ",
  ].map((text) => text.repeat(8).trim());
  const runs = drawnAcross([second, first]).map((each) => ({
    ...each,
    isRightToLeft: true,
    // The lines end at the left edge of their column; the font sets them all in its full width.
    width: 28 * letter,
  }));
  const { text } = layoutText(runs);
  expect(text.indexOf(first.slice(0, 20))).toBe(0);
  expect(text.indexOf(second.slice(0, 20))).toBeGreaterThan(first.length / 2);
});
