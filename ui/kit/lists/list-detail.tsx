import { Box } from "ink";
import { type ReactNode, memo, useEffect, useState } from "react";
import { fittedSplit, type Layout, type Size } from "../panes/layout.ts";
import type { MasterDetailState } from "../panes/use-master-detail.ts";
import { ListPane, type ListPaneProps } from "./list-pane.tsx";
import type { ListCursor } from "../cursor/list-cursor.ts";
import type { Followed } from "../state/store.ts";

/** A held key draws no details; they follow this long after the last move. */
const restMs = 100;

/** Whether the cursor has moved to another row just now. */
function useIsMoving(cursor: Followed<ListCursor>): boolean {
  const [isMoving, setMoving] = useState(false);
  useEffect(() => {
    let { index } = cursor.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const rest = () => setMoving(false);
    const end = cursor.subscribe(() => {
      const now = cursor.get().index;
      if (now === index) return;
      index = now;
      setMoving(true);
      clearTimeout(timer);
      timer = setTimeout(rest, restMs);
    });
    return () => {
      end();
      clearTimeout(timer);
      rest();
    };
  }, [cursor]);
  return isMoving;
}

/** Draws the details of the row under the cursor. */
type DrawDetail = (area: Size, focused: boolean) => ReactNode;

interface Drawn {
  readonly area: Size;
  readonly focused: boolean;
  readonly draw: DrawDetail;
}

/** Keeps what it has drawn while `isMoving`. */
const Kept = memo(
  ({ draw, area, focused }: Drawn & { readonly isMoving: boolean }) => draw(area, focused),
  (_before, { isMoving }) => isMoving,
);

/** The details of the selected row, which are drawn once its list's cursor rests. */
function Resting(
  props: Drawn & {
    readonly cursor: Followed<ListCursor>;
    /** Whether the keys move the cursor; otherwise the details are drawn at once. */
    readonly isHeld: boolean;
  },
) {
  const { cursor, isHeld, ...drawn } = props;
  return <Kept isMoving={useIsMoving(cursor) && isHeld} {...drawn} />;
}

/** A list and its details, side by side, one above the other, or one at a time. */
export function ListDetail<Row>(
  props: Omit<ListPaneProps<Row>, "width" | "height" | "focused"> & {
    readonly layout: Layout;
    readonly panes: MasterDetailState;
    readonly above?: { readonly rows: number; readonly draw: (width: number) => ReactNode };
    /** Absent for a list without details, which has the whole area. */
    readonly detail: DrawDetail | undefined;
  },
) {
  const { layout, panes, above, detail, handlers, ...list } = props;
  const aboveRows = above?.rows ?? 0;
  const { width, height } = layout;
  const { count, counted } = list.list;
  // The heading and the border take three rows.
  const needed = counted && count > 0 ? count + 3 + aboveRows : undefined;
  const split = panes.split && fittedSplit(panes.split, needed, panes.sizes);
  const drawList = (area: Size) => (
    <Box key="list" flexDirection="column" flexShrink={0} {...area}>
      {aboveRows > 0 ? above?.draw(area.width) : null}
      <ListPane<Row>
        {...list}
        width={area.width}
        height={area.height - aboveRows}
        focused={panes.listFocused}
        onClick={panes.close}
        handlers={detail === undefined ? (handlers ?? {}) : { open: panes.open, ...handlers }}
      />
    </Box>
  );
  if (detail === undefined) return drawList({ width, height });
  if (split === undefined) {
    const area = { width, height };
    return panes.detailOpen ? detail(area, panes.detailFocused) : drawList(area);
  }
  const { direction } = split;
  return (
    <Box flexDirection={direction} flexShrink={0} width={width} height={height} overflow="hidden">
      {drawList(split.list)}
      <Resting
        cursor={list.list.cursor}
        isHeld={panes.listFocused}
        area={split.detail}
        focused={panes.detailFocused}
        draw={detail}
      />
    </Box>
  );
}
