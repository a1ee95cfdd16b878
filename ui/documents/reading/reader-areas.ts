import type { Layout, Size, Split } from "../../kit/panes/layout.ts";
import { paneBorder } from "../../kit/panes/pane.tsx";

/** The areas of a page's text and of the fields that were found in the document. */
export interface ReaderAreas {
  readonly direction: Split["direction"];
  readonly text: Size;
  /** Absent for a document without fields, and where only the text has room. */
  readonly fields: Size | undefined;
}

/** Lines of the page that are always visible. */
const leastTextHeight = 8;
const fieldsShare = { beside: 0.44, below: 0.4 };
const leastFieldsHeight = 6;
/** Columns of the fields at the right: lines of text need no more than the rest. */
const widestFields = 80;

/** The fields are to the right of the text on a wide screen, and below it on another one. */
export function readerAreas({ shape, width, height }: Layout, count: number): ReaderAreas {
  const isTooLow = shape !== "wide" && height < 2 * leastTextHeight;
  if (count === 0 || isTooLow) {
    return { direction: "column", text: { width, height }, fields: undefined };
  }
  if (shape === "wide") {
    const beside = Math.min(widestFields, Math.floor(width * fieldsShare.beside));
    return {
      direction: "row",
      text: { width: width - beside, height },
      fields: { width: beside, height },
    };
  }
  const share = Math.max(leastFieldsHeight, Math.floor(height * fieldsShare.below));
  const below = Math.min(count + 1 + paneBorder, share);
  return {
    direction: "column",
    text: { width, height: height - below },
    fields: { width, height: below },
  };
}
