import { useState } from "react";
import { useKeys } from "../keys/use-keys.ts";
import type { AnyHandlers } from "../keys/key-bindings.ts";
import { listStart, settle, movesThrough, type ListCursor } from "../cursor/list-cursor.ts";
import type { StyledLine } from "./styled-lines.ts";
import { fitText } from "./text-layout.ts";
import { TextLines } from "./text-lines.tsx";

/** Lines with a cursor while the pane has the focus. */
export function CursorLines(props: {
  /** Wrapped to the width and safe to draw. */
  readonly lines: readonly StyledLine[];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** The id of the item; another item begins at its first line. */
  readonly of: string;
  /** Key handlers of a line, by its index. */
  readonly handlersAt?: (index: number) => AnyHandlers;
}) {
  const { lines, width, height, focused, of, handlersAt } = props;
  const [moved, setMoved] = useState({ of, cursor: listStart });
  const count = lines.length;
  const at = settle(moved.of === of ? moved.cursor : listStart, count, height);
  const setCursor = (change: (now: ListCursor) => ListCursor) =>
    setMoved((now) => ({ of, cursor: change(now.of === of ? now.cursor : listStart) }));
  const moves = movesThrough(setCursor, () => ({ count, rows: height }));
  const handlers = { ...moves, ...handlersAt?.(at.index) };
  useKeys("pane", handlers, { active: focused });
  const selected = focused ? lines[at.index] : undefined;
  const shown =
    selected === undefined ? lines : lines.with(at.index, selectedLine(selected, width));
  return <TextLines lines={shown} top={at.top} width={width} height={height} />;
}

function selectedLine(line: StyledLine, width: number): StyledLine {
  return [{ text: fitText(line.map(({ text }) => text).join(""), width), as: "selected" }];
}
