import { expect, test } from "vitest";
import { DrawnRuns } from "#server/text/extraction/formats/pdf/drawn-again.ts";

const run = (
  text: string,
  change: { x?: number; y?: number; width?: number; size?: number; angle?: number } = {},
) => ({
  text,
  x: 100,
  y: 500,
  width: 5 * text.length,
  size: 10,
  angle: 0,
  ...change,
});

test.each([
  ["the same text at its place", [run("Fee")], run("Fee"), true],
  ["the same text with a small step", [run("Fee")], run("Fee", { x: 101, y: 501 }), true],
  [
    "a copy near to the last copy",
    [run("Fee"), run("Fee", { x: 102 })],
    run("Fee", { x: 104 }),
    true,
  ],
  ["the beginning of a text", [run("Fee 2011")], run("Fee "), true],
  ["more than the text", [run("Fee")], run("Fee 2011"), false],
  ["the next column", [run("Fee")], run("Fee", { x: 120 }), false],
  ["the next line", [run("Fee")], run("Fee", { y: 488 }), false],
  ["a text of another size", [run("Fee")], run("Fee", { size: 14 }), false],
  ["a turned text", [run("Fee")], run("Fee", { angle: 90 }), false],
  ["the second letter of two", [run("l", { width: 9 })], run("l", { x: 102.2, width: 9 }), false],
  ["a blank", [run(" ")], run(" "), false],
])("%s on earlier ones", (_name, earlier, next, isAgain) => {
  const drawn = new DrawnRuns();
  for (const each of earlier) drawn.isAgain(each);
  expect(drawn.isAgain(next)).toBe(isAgain);
});
