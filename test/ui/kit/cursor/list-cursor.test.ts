import { describe, expect, it } from "vitest";
import {
  listStart,
  moveBy,
  moveTo,
  pageBy,
  settle,
  visibleRows,
} from "#ui/kit/cursor/list-cursor.ts";

describe("a list's cursor", () => {
  it("keeps the selected row in view", () => {
    expect(moveBy(listStart, 5, 100, 4)).toEqual({ index: 5, top: 2 });
    expect(moveBy({ index: 5, top: 2 }, -4, 100, 4)).toEqual({ index: 1, top: 1 });
    expect(moveTo(listStart, 99, 100, 4)).toEqual({ index: 99, top: 96 });
    expect(pageBy(listStart, 1, 100, 10)).toEqual({ index: 9, top: 9 });
  });

  it("stays in a list that got shorter", () => {
    expect(settle({ index: 50, top: 45 }, 3, 10)).toEqual({ index: 2, top: 0 });
    expect(settle({ index: 50, top: 45 }, 0, 10)).toEqual({ index: 0, top: 0 });
  });

  it("gives the visible rows", () => {
    expect(visibleRows(["a", "b", "c", "d"], { index: 2, top: 1 }, 2)).toEqual([
      { row: "b", isSelected: false },
      { row: "c", isSelected: true },
    ]);
  });
});
