import { expect, test } from "vitest";
import { lineBreak } from "#server/text/extraction/formats/pdf/tables/cell-lines.ts";

const size = 10;

/** A line of letters that are half as wide as they are high. */
function line(text: string) {
  const words = text.split(" ").map((word, at) => {
    return { text: word, start: at, end: at + word.length * 5, y: 0, size, isDone: true };
  });
  return { text, words, start: 0, end: text.length * 5, y: 0, size };
}

test.each([
  ["Issued", "17 July 2027", 80, "\n"],
  ["Large boat with", "Four masts", 80, " "],
  ["Large boat with", "a mast", 200, " "],
  ["Bill to\nCastle & Sons Ltd", "4 Mill Road", 90, "\n"],
  ["24-Jul-", "2027", 40, ""],
  ["Northwind Traders", "217 Elm Street", 85, "\n"],
  ["Northwind Traders", "Austin, TX 78737", 85, "\n"],
  ["Rope for the boat", "20 metres of it", 85, " "],
])("between the lines %j and %j of a cell up to %i", (text, next, edge, expected) => {
  const end = (text.split("\n").at(-1) ?? "").length * 5;
  expect(lineBreak({ text, end }, line(next), edge)).toBe(expected);
});
