import { useState } from "react";
import { useKeys } from "../keys/use-keys.ts";
import type { StyledLine } from "./styled-lines.ts";
import { TextLines } from "./text-lines.tsx";

export function ScrollView(props: {
  readonly lines: readonly StyledLine[];
  readonly width: number;
  readonly height: number;
  readonly focused: boolean;
  /** The first visible line; a new value scrolls to it. */
  readonly start?: number;
  /** The id of the item; another item is shown from its start. */
  readonly of?: string;
}) {
  const { lines, width, height, focused, start = 0, of = "" } = props;
  const [moved, setMoved] = useState({ of, start, top: start });
  const lowest = Math.max(0, lines.length - height);
  const clamp = (line: number) => Math.max(0, Math.min(line, lowest));
  const topOf = (now: typeof moved) =>
    clamp(now.start === start && now.of === of ? now.top : start);
  const top = topOf(moved);
  const scroll = (by: number) => setMoved((now) => ({ of, start, top: clamp(topOf(now) + by) }));
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
