import { Box } from "ink";
import type { ReactNode } from "react";
import type { MasterDetailState } from "../panes/use-master-detail.ts";
import { ListPane, type ListPaneProps } from "./list-pane.tsx";
import { splitOf, type Size } from "../panes/layout.ts";
import { useLayout } from "../panes/use-layout.tsx";

export interface ListDetailProps<Row> extends Omit<
  ListPaneProps<Row>,
  "width" | "height" | "focused"
> {
  readonly panes: MasterDetailState;
  /** Lines above the list, such as the prompt of a filter. */
  readonly above?: { readonly rows: number; readonly draw: (width: number) => ReactNode };
  readonly detail: (area: Size, focused: boolean) => ReactNode;
}

/** A list and the details of its selected row: side by side, stacked, or one at a time. */
export function ListDetail<Row>(props: ListDetailProps<Row>) {
  const { panes, above, detail, handlers, ...list } = props;
  const layout = useLayout();
  const split = splitOf(layout);
  const aboveRows = above?.rows ?? 0;
  const listIn = ({ width, height }: Size) => (
    <Box key="list" flexDirection="column" flexShrink={0} width={width} height={height}>
      {aboveRows > 0 ? above?.draw(width) : null}
      <ListPane<Row>
        {...list}
        width={width}
        height={height - aboveRows}
        focused={panes.listFocused}
        handlers={{ open: panes.open, ...handlers }}
      />
    </Box>
  );
  const { width, height } = layout;
  if (split === undefined) {
    return panes.detailOpen ? detail({ width, height }, panes.detailFocused) : listIn(layout);
  }
  return (
    <Box
      flexDirection={split.direction}
      flexShrink={0}
      width={width}
      height={height}
      overflow="hidden"
    >
      {listIn(split.list)}
      {detail(split.detail, panes.detailFocused)}
    </Box>
  );
}
