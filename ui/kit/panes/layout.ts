/** Size of a part of the screen, in cells. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export type Shape = "narrow" | "normal" | "wide";

/** `width` and `height` are those of the open screen, without header, footer and sidebar. */
export interface Layout extends Size {
  readonly columns: number;
  readonly rows: number;
  /** `narrow` shows one pane at a time, `wide` the details to the right of the list. */
  readonly shape: Shape;
  /** Columns of the sidebar; 0 where the header shows the places. */
  readonly sidebar: number;
}

const narrowBelow = 100;
const wideFrom = 160;
/** Columns of the sidebar, by the least width of the screen. */
const sidebars: readonly (readonly [columns: number, sidebar: number])[] = [
  [160, 32],
  [120, 29],
  [100, 24],
];
const smallestHeight = 3;

export function layoutOf(columns: number, rows: number): Layout {
  const shape: Shape = columns < narrowBelow ? "narrow" : columns >= wideFrom ? "wide" : "normal";
  const sidebar = sidebars.find(([least]) => columns >= least)?.[1] ?? 0;
  const header = shape === "narrow" ? 2 : 1;
  return {
    columns,
    rows,
    shape,
    sidebar,
    width: columns - sidebar,
    height: Math.max(smallestHeight, rows - header - 1),
  };
}

/** A list and the details of its selected row, as two areas of the screen. */
export interface Split {
  readonly direction: "row" | "column";
  readonly list: Size;
  readonly detail: Size;
}

/** The sizes of the panes of a place, as the user has set them. */
export interface PaneSizes {
  /** The focused pane has the whole screen. */
  readonly isZoomed: boolean;
  /** Steps by which the list is larger than by default, or smaller below 0. */
  readonly by: number;
}

export const defaultSizes: PaneSizes = { isZoomed: false, by: 0 };
export const mostSteps = 20;
/** Columns and rows of one step, and those that each pane keeps. */
const step = { columns: 6, rows: 2 };
const least = { columns: 30, rows: 5 };
/** Columns that details at the right need: the list gets the rest of a wider screen. */
const widestDetail = 72;

function bounded(size: number, smallest: number, whole: number): number {
  return Math.max(smallest, Math.min(size, whole - smallest));
}

/**
 * The split with the list no higher than its `rows` need, unless the user has set its size: the
 * details get the rest.
 */
export function fittedSplit(split: Split, rows: number | undefined, { by }: PaneSizes): Split {
  const { direction, list, detail } = split;
  if (direction === "row" || rows === undefined || by !== 0) return split;
  const height = Math.min(list.height, Math.max(least.rows, rows));
  const rest = list.height - height;
  return {
    direction,
    list: { ...list, height },
    detail: { ...detail, height: detail.height + rest },
  };
}

/** Side by side when wide, else one above the other; `undefined` where only one fits. */
export function splitOf(layout: Layout, sizes: PaneSizes = defaultSizes): Split | undefined {
  const { shape, width, height } = layout;
  if (shape === "narrow" || sizes.isZoomed) return undefined;
  if (shape === "wide") {
    const share = Math.max(Math.floor(width * 0.6), width - widestDetail);
    const wished = share + sizes.by * step.columns;
    const list = bounded(wished, least.columns, width);
    const detail = { width: width - list, height };
    return { direction: "row", list: { width: list, height }, detail };
  }
  const wished = Math.max(6, Math.floor(height * 0.58)) + sizes.by * step.rows;
  const list = bounded(wished, least.rows, height);
  const detail = { width, height: height - list };
  return { direction: "column", list: { width, height: list }, detail };
}
