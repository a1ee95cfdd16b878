import { Box } from "ink";
import type { ReactNode } from "react";
import { useLayout } from "./use-layout.tsx";
import { splitOf, type Size } from "./layout.ts";

export interface MasterDetailProps {
  /** Where only one pane fits: whether it is the detail. */
  readonly detailOpen: boolean;
  readonly list: (area: Size) => ReactNode;
  readonly detail: (area: Size) => ReactNode;
}

/** A list and what is selected in it, side by side, one above the other, or one at a time. */
export function MasterDetail(props: MasterDetailProps) {
  const layout = useLayout();
  const split = splitOf(layout);
  if (split === undefined) {
    const area = { width: layout.width, height: layout.height };
    return props.detailOpen ? props.detail(area) : props.list(area);
  }
  return (
    <Box
      flexDirection={split.direction}
      flexShrink={0}
      width={layout.width}
      height={layout.height}
      overflow="hidden"
    >
      {props.list(split.list)}
      {props.detail(split.detail)}
    </Box>
  );
}
