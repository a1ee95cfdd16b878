import { expect, test } from "vitest";
import { builtInFormat, formatNumber, formatOfCode } from "#lib/spreadsheets/number-format.ts";

test.each([
  ["46095", builtInFormat(14), "2026-03-14"],
  ["46095.375", builtInFormat(22), "2026-03-14 09:00"],
  ["1", builtInFormat(14), "1900-01-01"],
  ["59.5", builtInFormat(22), "1900-02-28 12:00"],
  ["60", builtInFormat(14), "1900-02-29"],
  ["61", builtInFormat(14), "1900-03-01"],
  ["0", builtInFormat(14), "1900-01-00"],
  ["0.5", builtInFormat(20), "12:00"],
  ["1.0833333333333333", formatOfCode("[h]:mm"), "26:00"],
  ["1.0833449074", builtInFormat(46), "26:00:01"],
  ["0.25", builtInFormat(9), "25%"],
  ["1250", formatOfCode("[$£-809]#,##0.00"), "£1,250.00"],
  ["42", formatOfCode("00000"), "00042"],
  ["4.5", formatOfCode("00000"), "4.5"],
  ["0.30000000000000004", formatOfCode("General"), "0.3"],
])("%s is shown as its format says", (stored, format, text) => {
  expect(formatNumber(stored, format, false)).toBe(text);
});
