import { expect, test } from "vitest";
import { layoutText } from "#server/text/extraction/formats/pdf/pdf-layout.ts";
import type { TextRun } from "#server/text/extraction/formats/pdf/pdf-runs.ts";

const size = 10;
const widthOf = (text: string): number => text.length * 5;

function run(text: string, x: number, more: Partial<TextRun> = {}): TextRun {
  return { text, x, y: 700, width: widthOf(text), size, endsLine: false, ...more };
}

const textOf = (...runs: readonly TextRun[]): string => layoutText(runs).text;

test("runs on one line are read from the left, whatever the order of their drawing", () => {
  const words = ["The ", "wall ", "is ", "high"];
  let x = 50;
  const runs = words.map((text) => {
    const placed = run(text, x);
    x += widthOf(text);
    return placed;
  });
  const last = (list: readonly TextRun[]) =>
    list.map((each, index) => ({ ...each, endsLine: index === list.length - 1 }));
  expect(textOf(...last(runs))).toBe("The wall is high");
  expect(textOf(...last(runs.toReversed()))).toBe("The wall is high");
});

test("a label that is drawn after its value comes first, with a space or a tab by the gap", () => {
  expect(textOf(run("64", 80), run("Age:", 55, { endsLine: true }))).toBe("Age: 64");
  expect(textOf(run("64", 200), run("Age:", 55, { endsLine: true }))).toBe("Age:\t64");
});

test("runs from right to left keep their order", () => {
  const more = { isRightToLeft: true };
  const runs = [
    run("שלום", 100, more),
    run(" ", 95, more),
    run("עולם", 70, { ...more, endsLine: true }),
  ];
  expect(textOf(...runs)).toBe("שלום עולם");
});

test("a letter that is drawn twice for its weight stays where it is", () => {
  expect(textOf(run("Fee", 50), run(": 12", 65, { endsLine: true }))).toBe("Fee: 12");
});
