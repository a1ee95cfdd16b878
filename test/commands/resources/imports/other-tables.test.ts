import { expect, test } from "vitest";
import { OtherTables } from "#commands/resources/imports/other-tables.ts";
import type { Cell } from "#commands/resources/imports/source.ts";

const header = { lastRow: 1, names: ["nr", "name", "fee"] };
const own: readonly (readonly Cell[])[] = [
  ["nr", "name", "fee"],
  ["A-1", "Ann", 5],
];

/** The numbers of the rows that are no records, where each row is read alone. */
function marked(...rows: readonly (readonly Cell[])[]): number[] {
  const others = new OtherTables(header);
  const all = [...own, ...rows].flatMap((cells, at) => others.next([{ number: at + 1, cells }]));
  all.push(...others.end());
  expect(all.map(({ number }) => number)).toEqual([...own, ...rows].map((_, at) => at + 1));
  return all.filter(({ fault }) => fault !== undefined).map(({ number }) => number);
}

test.each<[string, readonly (readonly Cell[])[], number[]]>([
  [
    "another table after a blank row",
    [[], ["Town", "Count"], ["Bonn", 3], [], ["Kiel", 4]],
    [4, 5, 7],
  ],
  ["a table of a CSV", [[], ["Town", "Count"], ["Bonn", "3"]], [4, 5]],
  [
    "another table with a title",
    [[], ["Towns of a year"], ["Town", "Count"], ["Bonn", 3]],
    [4, 5, 6],
  ],
  ["a note below", [[], ["Source: the office of statistics"]], [4]],
  [
    "the first table again",
    [[], ["Town", "Count"], ["Bonn", 3], [], ["nr", "name", "fee"]],
    [4, 5],
  ],
  ["records after a blank row", [[], ["A-2", "Bob", 6], ["A-3", "Cem"], ["A-4", "Dee", 7]], []],
  ["a record with a missing value", [[], ["Bob", "Smith"], ["A-3", "Cem", 7]], []],
  ["records of texts only", [[], ["B", "Bob"], ["C", "Cem"]], []],
  ["a record with one word", [[], ["B"], ["C", "Cem", 4]], []],
  [
    "names without a blank row",
    [
      ["Town", "Count"],
      ["Bonn", 3],
    ],
    [],
  ],
])("%s", (_words, rows, expected) => {
  expect(marked(...rows)).toEqual(expected);
});
