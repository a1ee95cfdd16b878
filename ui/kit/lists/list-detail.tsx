import { Box } from "ink";
import type { ReactNode } from "react";
import type { MasterDetailState } from "../panes/use-master-detail.ts";
import { ListPane, type ListPaneProps } from "./list-pane.tsx";
import { splitOf, type Size } from "../panes/layout.ts";
import { useLayout } from "../panes/use-panes.tsx";
import { Resting, useIsMoving } from "./resting.tsx";

/** A list and its details, side by side, one above the other, or one at a time. */
export function ListDetail<Row>(
  props: Omit<ListPaneProps<Row>, "width" | "height" | "focused"> & {
    readonly panes: MasterDetailState;
    readonly above?: { readonly rows: number; readonly draw: (width: number) => ReactNode };
    readonly detail: (area: Size, focused: boolean) => ReactNode;
  },
) {
  const { panes, above, detail, handlers, ...list } = props;
  const aboveRows = above?.rows ?? 0;
  const layout = useLayout();
  const { width, height } = layout;
  const split = splitOf(layout);
  const isMoving = useIsMoving(list.list.cursor.index);
  const drawList = (area: Size) => (
    <Box key="list" flexDirection="column" flexShrink={0} {...area}>
      {aboveRows > 0 ? above?.draw(area.width) : null}
      <ListPane<Row>
        {...list}
        width={area.width}
        height={area.height - aboveRows}
        focused={panes.listFocused}
        handlers={{ open: panes.open, ...handlers }}
      />
    </Box>
  );
  if (split === undefined) {
    const area = { width, height };
    return panes.detailOpen ? detail(area, panes.detailFocused) : drawList(area);
  }
  const { direction } = split;
  return (
    <Box flexDirection={direction} flexShrink={0} width={width} height={height} overflow="hidden">
      {drawList(split.list)}
      <Resting isMoving={isMoving && panes.listFocused}>
        {detail(split.detail, panes.detailFocused)}
      </Resting>
    </Box>
  );
}
