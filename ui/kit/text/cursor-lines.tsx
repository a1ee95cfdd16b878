import { useState } from "react";
import { useKeys } from "../keys/use-keys.tsx";
import type { KeyHandlers } from "../keys/key-bindings.ts";
import { listStart, settle, type ListCursor } from "../lists/list-cursor.ts";
import { movesThrough } from "../lists/list-moves.ts";
import type { StyledLine } from "./styled-lines.ts";
import { fitText } from "./text-layout.ts";
import { TextLines } from "./text-lines.tsx";

export interface CursorLinesProps {
  /** Already wrapped to the width and harmless. */
  readonly lines: readonly StyledLine[];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** What the lines are of; another thing begins at its first line. */
  readonly of: string;
  /** What keys do on the line that the cursor is on, beside moving; by the line's place. */
  readonly handlersAt?: (index: number) => KeyHandlers;
}

/** Lines of which one is selected while the pane has the focus: something can be done on it. */
export function CursorLines(props: CursorLinesProps) {
  const { lines, width, height, focused, of, handlersAt } = props;
  const [moved, setMoved] = useState({ of, cursor: listStart });
  const count = lines.length;
  const at = settle(moved.of === of ? moved.cursor : listStart, count, height);
  const setCursor = (change: (now: ListCursor) => ListCursor) =>
    setMoved((now) => ({ of, cursor: change(now.of === of ? now.cursor : listStart) }));
  useKeys(
    "pane",
    {
      ...movesThrough(setCursor, count, height),
      ...handlersAt?.(at.index),
    },
    { active: focused },
  );
  const selected = focused ? lines[at.index] : undefined;
  const shown =
    selected === undefined ? lines : lines.with(at.index, selectedLine(selected, width));
  return <TextLines lines={shown} top={at.top} width={width} height={height} />;
}

function selectedLine(line: StyledLine, width: number): StyledLine {
  return [{ text: fitText(line.map(({ text }) => text).join(""), width), as: "selected" }];
}
