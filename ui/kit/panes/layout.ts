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

/** Side by side when wide, else one above the other; `undefined` where only one fits. */
export function splitOf(layout: Layout): Split | undefined {
  const { shape, width, height } = layout;
  if (shape === "narrow") return undefined;
  if (shape === "wide") {
    const list = Math.floor(width * 0.6);
    const detail = { width: width - list, height };
    return { direction: "row", list: { width: list, height }, detail };
  }
  const list = Math.max(6, Math.floor(height * 0.58));
  const detail = { width, height: height - list };
  return { direction: "column", list: { width, height: list }, detail };
}
