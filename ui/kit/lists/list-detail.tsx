import { Box } from "ink";
import type { ReactNode } from "react";
import { splitOf, type Layout, type Size } from "../panes/layout.ts";
import type { MasterDetailState } from "../panes/use-master-detail.ts";
import { ListPane, type ListPaneProps } from "./list-pane.tsx";
import { Resting, type DrawDetail } from "./resting.tsx";

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
  const split = splitOf(layout);
  const drawList = (area: Size) => (
    <Box key="list" flexDirection="column" flexShrink={0} {...area}>
      {aboveRows > 0 ? above?.draw(area.width) : null}
      <ListPane<Row>
        {...list}
        width={area.width}
        height={area.height - aboveRows}
        focused={panes.listFocused}
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
