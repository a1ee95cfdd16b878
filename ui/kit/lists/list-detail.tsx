import { Box } from "ink";
import type { ReactNode } from "react";
import type { MasterDetailState } from "../panes/use-master-detail.ts";
import { ListPane, type ListPaneProps } from "./list-pane.tsx";
import type { Size } from "../panes/layout.ts";
import { MasterDetail } from "../panes/master-detail.tsx";

export interface ListDetailProps<Row> extends Omit<
  ListPaneProps<Row>,
  "width" | "height" | "focused"
> {
  readonly panes: MasterDetailState;
  /** Lines above the list, such as the prompt of a filter. */
  readonly above?: { readonly rows: number; readonly draw: (width: number) => ReactNode };
  readonly detail: (area: Size, focused: boolean) => ReactNode;
}

export function ListDetail<Row>(props: ListDetailProps<Row>) {
  const { panes, above, detail, handlers, ...list } = props;
  const aboveRows = above?.rows ?? 0;
  return (
    <MasterDetail
      detailOpen={panes.detailOpen}
      list={({ width, height }) => (
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
      )}
      detail={(area) => detail(area, panes.detailFocused)}
    />
  );
}
