import { describe, expect, it } from "vitest";
import { layoutOf, splitOf } from "#ui/kit/panes/layout.ts";

describe("the layout", () => {
  it.each([
    [80, 24, "narrow", 0, undefined],
    [100, 30, "normal", 24, "column"],
    [120, 40, "normal", 29, "column"],
    [160, 50, "wide", 32, "row"],
    [240, 80, "wide", 32, "row"],
  ] as const)("of %i x %i is %s", (columns, rows, shape, sidebar, direction) => {
    const layout = layoutOf(columns, rows);
    expect(layout).toMatchObject({ shape, sidebar, width: columns - sidebar });
    const split = splitOf(layout);
    expect(split?.direction).toBe(direction);
    if (split?.direction === "row") {
      expect(split.list.width + split.detail.width).toBe(layout.width);
    }
    if (split?.direction === "column") {
      expect(split.list.height + split.detail.height).toBe(layout.height);
    }
  });
});
