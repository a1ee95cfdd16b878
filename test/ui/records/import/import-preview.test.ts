import { expect, test } from "vitest";
import { previewLines } from "#ui/records/import/import-preview.tsx";

test("the preview has a line for each row, with the reasons of a rejected one", () => {
  const lines = previewLines(
    [
      { row: 3, outcome: "create", reasons: [], data: { refNo: "A-1", fee: 1234.5 } },
      { row: 4, outcome: "update", reasons: [], data: { refNo: "A\u001b[2J" } },
      { row: 5, outcome: "rejected", reasons: ["Fee (C) must be at least 0"], data: {} },
    ],
    60,
  ).map((spans) =>
    spans
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );
  expect(lines).toEqual([
    "  row            refNo                fee",
    "    3 ✓ create   A-1                  1234.5",
    expect.stringMatching(/^ {4}4 ✓ change {3}A(?!\u001b)/),
    "    5 ✗ reject   Fee (C) must be at least 0",
  ]);
});
