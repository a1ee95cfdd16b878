import { splitOf, type Layout } from "./layout.ts";
import { usePanes } from "./use-panes.ts";

export interface MasterDetailState {
  /** Rows of the screen that the list has. */
  readonly listHeight: number;
  /** Which pane is shown where only one fits. */
  readonly detailOpen: boolean;
  /** The list is not visible, so its keys must not change it. */
  readonly listHidden: boolean;
  readonly listFocused: boolean;
  readonly detailFocused: boolean;
  /** The detail has the focus, or gets it back when the prompt above the list closes. */
  readonly detailChosen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

const alone = ["list"];
const both = ["list", "detail"];

/** The focus of a list and its details; where only one fits, the focused one is shown. */
export function useMasterDetail(options: {
  readonly active: boolean;
  readonly layout: Layout;
  readonly hasDetail: boolean;
}): MasterDetailState {
  const { active, layout, hasDetail } = options;
  const { focused, focus } = usePanes(hasDetail ? both : alone, { active });
  const split = hasDetail ? splitOf(layout) : undefined;
  return {
    listHeight: split?.list.height ?? layout.height,
    listHidden: split === undefined && focused === "detail",
    // The list stays visible while the prompt above it is open.
    detailOpen: active && focused === "detail",
    listFocused: active && focused === "list",
    detailFocused: active && focused === "detail",
    detailChosen: focused === "detail",
    open: () => focus("detail"),
    close: () => focus("list"),
  };
}
