import { expect, test } from "vitest";
import { cellReader, textOf } from "#commands/resources/imports/values.ts";

test.each<[string, object, unknown, unknown]>([
  ["number", {}, "1.5", 1.5],
  ["number", { number: "1.234,56" }, "2.500,75", 2500.75],
  ["integer", {}, 7, 7],
  ["boolean", {}, " YES ", true],
  ["boolean", { true: "ja", false: "nein" }, "Nein", false],
  ["date", { date: "DD.MM.YYYY" }, "14.03.2026", "2026-03-14"],
  ["date", { date: "serial" }, 46_000, "2025-12-09"],
  ["date", { date: "serial" }, 1, "1900-01-01"],
  ["date", {}, "2026-03-14", "2026-03-14"],
  ["date", {}, { date: "2026-03-14", exact: "2026-03-14 09:00" }, "2026-03-14"],
  ["datetime", {}, { date: "2026-03-14", exact: "2026-03-14 09:00" }, "2026-03-14T09:00:00.000Z"],
  ["text", {}, { date: "2026-03-14", exact: "2026-03-14 09:00" }, "2026-03-14"],
  [
    "datetime",
    { timeZone: "Europe/Berlin" },
    { date: "2026-07-01T12:30" },
    "2026-07-01T10:30:00.000Z",
  ],
  ["object", {}, '{"a":1}', { a: 1 }],
  ["string", {}, 12, "12"],
])("a %s with %j reads %j", (type, forms, cell, value) => {
  expect(cellReader({ type }, forms)(cell as never)).toEqual(value);
});

test.each<[string, object, unknown, string]>([
  ["number", {}, "1.234,56", "--numbers names its form"],
  ["number", {}, { date: "2026-01-01" }, "is a date, not a number"],
  ["boolean", {}, "maybe", "is neither true nor false"],
  ["date", {}, "14.03.2026", "--dates names its form"],
  ["date", {}, 46_000, "is a number, not a date"],
  ["date", { date: "DD.MM.YYYY" }, "2026", "is not a date like DD.MM.YYYY"],
  ["string", {}, { error: "#REF!" }, "is the error #REF! of the spreadsheet"],
])("a %s with %j refuses %j", (type, forms, cell, message) => {
  expect(() => cellReader({ type }, forms)(cell as never)).toThrow(message);
});

test("numbers of an enum stay numbers, and unknown forms are refused", () => {
  expect(cellReader({ type: "string", enum: [1, "a"] }, {})("1")).toBe(1);
  expect(() => cellReader({ type: "number" }, { number: "odd" })).toThrow("is not a form");
  expect(() => cellReader({ type: "date" }, { date: "odd" })).toThrow("is not a form");
  expect([textOf(true), textOf(0.1)]).toEqual(["true", "0.1"]);
});
