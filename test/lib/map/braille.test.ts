import { expect, test } from "vitest";
import { BrailleCanvas } from "#lib/map/braille.ts";

function rowsOf(canvas: BrailleCanvas): string[] {
  return Array.from({ length: canvas.rows }, (_row, row) =>
    Array.from({ length: canvas.columns }, (_column, column) => canvas.character(column, row)).join(
      "",
    ),
  );
}

test("each dot of a cell has its bit", () => {
  const canvas = new BrailleCanvas(2, 1);
  for (const [x, y] of [
    [0, 0],
    [1, 3],
    [2, 1],
    [3, 2],
  ] as const)
    canvas.dot(x, y);
  expect(rowsOf(canvas)).toEqual(["⢁⠢"]);
});

test("a cell has a block for the quarters that have a dot", () => {
  const canvas = new BrailleCanvas(4, 1);
  for (const [x, y] of [
    [0, 1],
    [3, 0],
    [2, 3],
    [4, 0],
    [5, 1],
    [4, 2],
    [5, 3],
  ] as const)
    canvas.dot(x, y);
  expect([0, 1, 2, 3].map((column) => canvas.block(column, 0)).join("")).toBe("▘▞█ ");
});

test("a line that is partly outside is cut, and one that is outside draws nothing", () => {
  const canvas = new BrailleCanvas(4, 2);
  canvas.line(-1e4, 0, 1e4, 0);
  canvas.line(0, 4, 7, 7);
  canvas.line(0, -5, 7, -1);
  canvas.line(9, 0, 9, 7);
  expect(rowsOf(canvas)).toEqual(["⠉⠉⠉⠉", "⠉⠑⠢⢄"]);
});
