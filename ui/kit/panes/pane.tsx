import { Box } from "ink";
import { Text } from "../theme/text.tsx";
import type { ReactNode } from "react";
import { useColours, useStyle } from "../theme/use-look.tsx";
import { clipText, textWidth } from "../text/text-layout.ts";
import { Area } from "../theme/paint.tsx";

export interface PaneProps {
  readonly title: string;
  readonly facts?: readonly string[];
  /** Shown at the right end of the edge, where there is room for it. */
  readonly corner?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly focused?: boolean;
  readonly children?: ReactNode;
}

export const paneBorder = 2;

const lightEdge = ["┌", "─", "┐"] as const;
const heavyEdge = ["┏", "━", "┓"] as const;

/** The upper edge in `width` columns, in three parts: before the title, the title, after it. */
export function topEdge(
  { title, facts = [], corner = "", width }: Omit<PaneProps, "height">,
  [left, line, right]: readonly [string, string, string],
): [string, string, string] {
  const room = Math.max(0, width - 5);
  const [fact] = facts;
  // A long title leaves room for the first fact, such as a page number or a count.
  const factWidth = fact === undefined ? 0 : textWidth(` ${line} ${fact}`);
  const shown = clipText(title, Math.max(Math.floor(room / 2), room - factWidth));
  const head = clipText([shown, ...facts].join(` ${line} `), room);
  const rest = head.slice(shown.length);
  const free = Math.max(0, width - 4 - textWidth(shown + rest));
  const end = corner === "" ? "" : ` ${corner} ${line}`;
  const lines = free - textWidth(end);
  // With less than two columns of line, the corner would read as another fact.
  const edge = lines < 2 ? line.repeat(free) : line.repeat(lines) + end;
  return [`${left} `, shown, `${rest} ${edge}${right}`];
}

/** A framed part of the screen; without colours the focused one has a heavy frame. */
export function Pane(props: PaneProps) {
  const { width, height, focused = false, children } = props;
  const border = useStyle(focused ? "focus" : "border");
  const titleStyle = useStyle(focused ? "focus" : "title");
  const isHeavy = useColours() ? false : focused;
  const [left, shown, right] = topEdge(props, isHeavy ? heavyEdge : lightEdge);
  return (
    <Area width={width} height={height}>
      <Text wrap="truncate-end">
        <Text {...border}>{left}</Text>
        <Text {...titleStyle} bold>
          {shown}
        </Text>
        <Text {...border}>{right}</Text>
      </Text>
      <Box
        borderStyle={isHeavy ? "bold" : "single"}
        borderTop={false}
        {...(border.color === undefined ? {} : { borderColor: border.color })}
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
