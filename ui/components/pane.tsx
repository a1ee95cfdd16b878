import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { useStyle } from "../hooks/use-theme.tsx";
import { clipText, textWidth } from "../text-layout.ts";
import { Area } from "./paint.tsx";

export interface PaneProps {
  readonly title: string;
  /** Further facts beside the title: count, order, filter. */
  readonly facts?: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly focused?: boolean;
  readonly children?: ReactNode;
}

/** Columns and rows that a pane's border takes. */
export const paneBorder = 2;

/** The upper edge with the title in it, exactly `width` columns. */
function topEdge(title: string, facts: readonly string[], width: number): [string, string, string] {
  const room = width - 5;
  const head = clipText([title, ...facts].join(" ─ "), Math.max(0, room));
  const shown = clipText(title, Math.max(0, room));
  const rest = head.slice(shown.length);
  const taken = textWidth(shown + rest);
  return ["┌ ", shown, `${rest} ${"─".repeat(Math.max(0, width - 4 - taken))}┐`];
}

/** A framed part of the screen; the one with the focus has the focus colour and a bold title. */
export function Pane(props: PaneProps) {
  const { title, facts = [], width, height, focused = false, children } = props;
  const border = useStyle(focused ? "focus" : "border");
  const titleStyle = useStyle(focused ? "focus" : "title");
  const [left, shown, right] = topEdge(title, facts, width);
  return (
    <Area width={width} height={height}>
      <Text wrap="truncate-end" {...border}>
        {left}
        <Text {...titleStyle} bold dimColor={false}>
          {shown}
        </Text>
        {right}
      </Text>
      <Box
        borderStyle="single"
        borderTop={false}
        {...(border.color === undefined ? {} : { borderColor: border.color })}
        borderDimColor={border.dimColor ?? false}
        flexDirection="column"
        flexShrink={0}
        width={width}
        height={Math.max(0, height - 1)}
        overflow="hidden"
      >
        {children}
      </Box>
    </Area>
  );
}
