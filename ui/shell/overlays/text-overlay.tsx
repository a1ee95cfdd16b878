import { useState, type ReactNode } from "react";
import { listStart, moveBy, settle } from "../../kit/cursor/list-cursor.ts";
import { Overlay, type DialogProps } from "../../kit/dialogs/overlay.tsx";
import { useKeys } from "../../kit/keys/use-keys.ts";
import type { StyledLine } from "../../kit/text/styled-lines.ts";
import { TextLines } from "../../kit/text/text-lines.tsx";

/** Lines of text over the screen that scroll, at most `width` - 2 columns wide. */
export function TextOverlay(
  props: DialogProps & {
    readonly title: string;
    readonly width: number;
    readonly lines: readonly StyledLine[];
    /** False while something above the lines has the keys. */
    readonly isActive?: boolean;
    /** A line above the others, in which something is typed. */
    readonly field?: ReactNode;
  },
) {
  const { onClose, title, width, lines, isActive = true, field, ...area } = props;
  const above = field === undefined ? 0 : 1;
  const [position, setPosition] = useState(listStart);
  const height = Math.min(area.rows, lines.length + 2 + above);
  const visible = Math.max(1, height - 2 - above);
  // The keys scroll: each position is a first line.
  const positions = Math.max(1, lines.length - visible + 1);
  const { index } = settle(position, positions, 1);
  const move = (by: number) =>
    setPosition((now) => moveBy(settle(now, positions, 1), by, positions, 1));
  useKeys(
    "help",
    {
      up: (count) => move(-count),
      down: (count) => move(count),
      pageUp: (count) => move(-count * visible),
      pageDown: (count) => move(count * visible),
      first: () => move(-positions),
      last: () => move(positions),
      close: onClose,
    },
    { active: isActive },
  );
  return (
    <Overlay {...area} title={title} width={width} height={height}>
      {field}
      <TextLines lines={lines} top={index} width={width - 2} height={visible} />
    </Overlay>
  );
}
