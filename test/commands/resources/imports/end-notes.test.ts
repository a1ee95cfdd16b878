import { expect, test } from "vitest";
import { EndNotes } from "#commands/resources/imports/end-notes.ts";
import type { Cell } from "#commands/resources/imports/source.ts";

const header = { lastRow: 1, names: ["nr", "name", "fee"] };
const records: readonly (readonly Cell[])[] = [
  ["nr", "name", "fee"],
  ["A-1", "Ann", 5],
  ["A-2", "Bob"],
  ["A-3", "Cem", 7],
];

/** The numbers of the rows that are notes, where each row is read alone. */
function marked(names: readonly string[], rows: readonly (readonly Cell[])[]): number[] {
  const notes = new EndNotes({ ...header, names: [...names] });
  const all = rows.flatMap((cells, at) => notes.next([{ number: at + 1, cells }]));
  all.push(...notes.end());
  expect(all.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
  return all.filter(({ fault }) => fault !== undefined).map(({ number }) => number);
}

test.each<[string, readonly (readonly Cell[])[], number[]]>([
  ["a source", [["Source: the office of statistics"]], [5]],
  [
    "several notes, with a blank row between",
    [["As of 31.12."], [], [undefined, "* no fee"]],
    [5, 7],
  ],
  ["a single word, which may be a name", [["A-4"]], []],
  ["a number", [[2025]], []],
  ["phrases between records", [["Bonn and Kiel"], ["A-4", "Dee", 7]], []],
  ["a phrase below a row with one value", [["A-4"], ["Source: the office"]], []],
  ["more phrases than notes have", Array.from({ length: 21 }, (_, at) => [`Note ${at} on it`]), []],
])("%s", (_words, rows, expected) => {
  expect(marked(header.names, [...records, ...rows])).toEqual(expected);
});

test("phrases are records in tables of two columns, and below one or two records", () => {
  const note = ["Source: the office"];
  expect(marked(["nr", "name"], [...records, note])).toEqual([]);
  expect(marked(header.names, [...records.slice(0, 3), note])).toEqual([]);
});
