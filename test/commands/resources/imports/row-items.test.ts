import { expect, test } from "vitest";
import { RowItems } from "#commands/resources/imports/row-items.ts";

const text = { property: "text", read: (cell: unknown) => cell, takesEmptyText: false };
const mapping = {
  column: (name: string) =>
    name === "Text" ? { ...text, namesFiles: false, clears: false } : null,
  settingNames: { key: "--key" },
};
const itemsOf = (key?: string) => new RowItems(mapping as never, key, ["Text", "Left out"]);

test("a row that has values only in columns that are left out is rejected", () => {
  const row = { number: 7, cells: [undefined, "a remark"] };
  const reason = "has values only in columns that are left out";
  expect(itemsOf().ofTable(row, false)).toEqual({ faults: [{ row: 7, reason }] });
  expect(itemsOf("text").ofTable(row, false)).toMatchObject({
    faults: [{ row: 7, column: "Text (A)", reason: "is empty, and is the key" }],
  });
  const filled = { number: 8, cells: ["a", "a remark"] };
  expect(itemsOf().ofTable(filled, false)).toMatchObject({
    item: { op: "create", row: 8, data: { text: "a" } },
  });
});
