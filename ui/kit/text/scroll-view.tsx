import { useState } from "react";
import { useKeys } from "../keys/use-keys.tsx";
import type { StyledLine } from "./styled-lines.ts";
import { TextLines } from "./text-lines.tsx";

export interface ScrollViewProps {
  readonly lines: readonly StyledLine[];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** Line that is shown first; a new one moves the window. */
  readonly start?: number;
  /** What the lines are of; another thing is shown from its start. */
  readonly of?: string;
}

/** Lines that the focused pane's keys move through. */
export function ScrollView(props: ScrollViewProps) {
  const { lines, width, height, focused, start = 0, of = "" } = props;
  const [moved, setMoved] = useState({ of, start, top: start });
  const lowest = Math.max(0, lines.length - height);
  const isMoved = moved.start === start && moved.of === of;
  const top = Math.max(0, Math.min(isMoved ? moved.top : start, lowest));
  const scroll = (by: number) =>
    setMoved((now) => {
      const stays = now.start === start && now.of === of;
      const from = Math.max(0, Math.min(stays ? now.top : start, lowest));
      return { of, start, top: Math.max(0, Math.min(from + by, lowest)) };
    });
  useKeys(
    "pane",
    {
      up: (count) => scroll(-count),
      down: (count) => scroll(count),
      pageUp: (count) => scroll(-count * Math.max(1, height - 1)),
      pageDown: (count) => scroll(count * Math.max(1, height - 1)),
      first: () => scroll(-lines.length),
      last: () => scroll(lines.length),
    },
    { active: focused },
  );
  return <TextLines lines={lines} top={top} width={width} height={height} />;
}
