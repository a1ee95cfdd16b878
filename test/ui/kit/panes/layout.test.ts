import { describe, expect, it } from "vitest";
import { defaultSizes, fittedSplit, layoutOf, splitOf } from "#ui/kit/panes/layout.ts";

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

describe("the panes of a place", () => {
  const heights = (columns: number, rows: number, by: number) => {
    const { list, detail } = splitOf(layoutOf(columns, rows), { isZoomed: false, by }) ?? {};
    return [list?.width, list?.height, detail?.width, detail?.height];
  };

  it("have the sizes that the user has set, and never vanish", () => {
    expect(heights(120, 40, 0)).toEqual([91, 22, 91, 16]);
    expect(heights(120, 40, 2)).toEqual([91, 26, 91, 12]);
    expect(heights(120, 40, -20)).toEqual([91, 5, 91, 33]);
    expect(heights(160, 50, 1)).toEqual([82, 48, 46, 48]);
    expect(heights(160, 50, 20)).toEqual([98, 48, 30, 48]);
  });

  it("are one at a time while zoomed", () => {
    expect(splitOf(layoutOf(240, 80), { isZoomed: true, by: 0 })).toBeUndefined();
  });

  it("leave the rows that a short list does not need to the details", () => {
    const split = splitOf(layoutOf(120, 40));
    if (split === undefined) throw new Error("there are two panes");
    const fitted = fittedSplit(split, 8, defaultSizes);
    expect([fitted.list.height, fitted.detail.height]).toEqual([8, 30]);
    expect(fittedSplit(split, 100, defaultSizes)).toEqual(split);
    expect(fittedSplit(split, 8, { isZoomed: false, by: 1 })).toEqual(split);
    expect(fittedSplit(split, undefined, defaultSizes)).toEqual(split);
  });
});
