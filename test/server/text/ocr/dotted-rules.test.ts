import { expect, test } from "vitest";
import { clearDottedRules } from "#server/text/ocr/dotted-rules.ts";
import { inkOf, inkPages, type Box } from "./ink-page.ts";

/** A page of 100 dots per inch, on which lines are two dots thick. */
const page = inkPages(827, 1169);

const across = (count: number, step: number, [x, y, wide, high]: Box): Box[] =>
  Array.from({ length: count }, (_, at) => [x + at * step, y, wide, high]);
const down = (count: number, step: number, [x, y, wide, high]: Box): Box[] =>
  Array.from({ length: count }, (_, at) => [x, y + at * step, wide, high]);

test.each([
  ["of dots", across(100, 5, [50, 200, 2, 2])],
  ["of dashes", across(40, 9, [50, 200, 6, 2])],
  ["that lean", across(100, 5, [50, 200, 2, 2]).map(([x, y]): Box => [x, y + (x >> 6), 2, 2])],
  ["down the page", down(60, 5, [50, 200, 2, 2])],
  [
    "of dashes that meet",
    [
      ...across(30, 8, [50, 200, 4, 2]),
      ...down(13, 8, [146, 92, 2, 4]),
      ...across(1, 0, [144, 196, 6, 10]),
      ...down(13, 8, [146, 210, 2, 4]),
    ],
  ],
  ["of thick dashes with wide gaps", across(16, 28, [50, 200, 14, 5])],
  ["of thick dots", across(40, 9, [50, 200, 4, 4])],
  ["of dashes and dots", [...across(15, 36, [50, 200, 16, 3]), ...across(15, 36, [75, 200, 3, 3])]],
  [
    "of thick dashes that meet next to a letter",
    [
      ...across(12, 28, [50, 200, 14, 4]),
      ...across(12, 28, [386, 200, 14, 4]),
      ...down(14, 28, [391, 205, 4, 14]),
      ...across(1, 0, [391, 186, 4, 14]),
    ],
  ],
  ["of a table", [...across(50, 4, [50, 200, 2, 2]), ...down(50, 4, [50, 204, 2, 2])]],
])("ruling lines %s are cleared", (_, boxes) => {
  const ink = page(boxes);
  const all = inkOf(ink);
  expect([clearDottedRules(ink), inkOf(ink)]).toEqual([all, 0]);
});

test.each([
  ["strokes of letters", across(60, 6, [50, 200, 2, 9])],
  ["a few bars below each other", down(9, 22, [50, 100, 2, 11])],
  ["an ellipsis", across(3, 5, [50, 200, 2, 2])],
  ["points of letters", across(20, 14, [50, 200, 2, 2])],
  ["hyphens below each other", down(20, 15, [50, 200, 5, 2])],
  ["a line that is whole", across(1, 0, [50, 200, 500, 2])],
  [
    "squares that meet at a corner",
    [...across(60, 7, [50, 200, 2, 2]), ...across(60, 7, [52, 202, 2, 2])],
  ],
  [
    "squares that meet at the other corner",
    [...across(60, 7, [52, 200, 2, 2]), ...across(60, 7, [50, 202, 2, 2])],
  ],
  [
    "dots that a stroke below them joins",
    [50, 54, 58]
      .flatMap((x) => across(40, 11, [x, 200, 2, 2]))
      .concat(across(40, 11, [51, 202, 8, 2])),
  ],
  ["a picture of dots", down(30, 3, [50, 200, 300, 2])],
])("%s are kept", (_, boxes) => {
  const ink = page(boxes);
  const all = inkOf(ink);
  expect([clearDottedRules(ink), inkOf(ink)]).toEqual([0, all]);
});

test.each([
  ["at the end of a row of dots", [252, 194, 4, 8]],
  ["between two rows", [150, 194, 3, 8]],
  ["before a row", [45, 194, 3, 8]],
] as const)("a letter %s is kept, and the dots are cleared", (_, letter) => {
  const dots = across(40, 5, [50, 200, 2, 2]).filter(([x]) => x < 147 || x > 154);
  const ink = page([...dots, [...letter]]);
  const [, , wide, high] = letter;
  expect([clearDottedRules(ink), inkOf(ink)]).toEqual([dots.length * 4, wide * high]);
});

test("the point of an amount after a row of dots is kept", () => {
  const dots = across(40, 5, [50, 200, 2, 2]);
  const amount: Box[] = [
    [252, 194, 4, 8],
    [258, 200, 2, 2],
    [262, 194, 4, 8],
    [268, 194, 4, 8],
  ];
  const ink = page([...dots, ...amount]);
  expect([clearDottedRules(ink), inkOf(ink)]).toEqual([40 * 4, 3 * 32 + 4]);
});

test("a screened photograph, which has more dots than lines have, keeps them", () => {
  const rows = Array.from({ length: 585 }, (_, row) => across(413, 2, [0, row * 2, 1, 1]));
  expect(clearDottedRules(page(rows.flat()))).toBe(0);
});
