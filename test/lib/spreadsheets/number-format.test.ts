import { expect, test } from "vitest";
import { builtInFormat, formatNumber, formatOfCode } from "#lib/spreadsheets/number-format.ts";

test.each([
  ["46095", builtInFormat(14), "2026-03-14"],
  ["46095.375", builtInFormat(22), "2026-03-14 09:00"],
  ["0.25", builtInFormat(9), "25%"],
  ["1250", formatOfCode("[$£-809]#,##0.00"), "£1,250.00"],
  ["42", formatOfCode("00000"), "00042"],
  ["4.5", formatOfCode("00000"), "4.5"],
  ["0.30000000000000004", formatOfCode("General"), "0.3"],
])("%s is shown as its format says", (stored, format, text) => {
  expect(formatNumber(stored, format, false)).toBe(text);
});
