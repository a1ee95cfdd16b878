import { Box } from "ink";
import type { ReactNode } from "react";
import { useLayout } from "../hooks/use-layout.tsx";
import { splitOf } from "../layout.ts";

export interface Area {
  readonly width: number;
  readonly height: number;
}

export interface MasterDetailProps {
  /** Where only one pane fits: whether it is the detail. */
  readonly detailOpen: boolean;
  readonly list: (area: Area) => ReactNode;
  readonly detail: (area: Area) => ReactNode;
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
