import { expect, test } from "vitest";
import { findHeader, headerRange, isBlank } from "#commands/resources/imports/header.ts";

const rows = (...cells: readonly unknown[][]): never =>
  cells.map((each, index) => ({ number: index + 1, cells: each })) as never;
const known = new Set(["name", "street", "applicant name"]);
const options = {
  merges: [],
  given: undefined,
  matches: (name: string) => known.has(name.toLowerCase()),
};

test("the header is the row whose names match best", () => {
  const table = rows(["Report of 2026"], [], ["Name", " Street ", undefined], ["a", "b", "c"]);
  expect(findHeader(table, options)).toEqual({ lastRow: 3, names: ["Name", "Street", undefined] });
});

test("without matches it is the first row with most of the columns", () => {
  const table = rows(["Title"], ["x", "y", "z"], ["1", "2", "3"]);
  expect(findHeader(table, options)?.lastRow).toBe(2);
  expect(findHeader(rows(), options)).toBe(undefined);
});

test("two rows below a merged cell join, and names that come again get a number", () => {
  const merges = [{ firstRow: 1, lastRow: 1, firstColumn: 0, lastColumn: 1 }] as never;
  const table = rows(["Applicant", undefined, "Name"], ["Name", "Name"], ["a", "b"]);
  expect(findHeader(table, { ...options, merges })).toEqual({
    lastRow: 2,
    names: ["Applicant Name", "Applicant Name (2)", "Name"],
  });
});

test("named rows are a range of at most three", () => {
  expect([headerRange("3"), headerRange("2-4")]).toEqual([
    { first: 3, last: 3 },
    { first: 2, last: 4 },
  ]);
  for (const text of ["0", "4-2", "1-4", "x"]) expect(() => headerRange(text)).toThrow("--header");
  expect([isBlank([undefined, " "]), isBlank([0]), isBlank([])]).toEqual([true, false, true]);
});
