import { splitOf } from "./layout.ts";
import { useLayout } from "./use-layout.tsx";
import { usePanes } from "./use-panes.tsx";

export interface MasterDetailState {
  /** Rows of the screen that the list has. */
  readonly listHeight: number;
  /** Where only one pane fits: whether it is the detail. */
  readonly detailOpen: boolean;
  /** The list can't be seen: its keys would change what nobody looks at. */
  readonly listHidden: boolean;
  readonly listFocused: boolean;
  readonly detailFocused: boolean;
  /** The detail has the focus, or will have it again when what is typed above the list is done. */
  readonly detailChosen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

const panes = ["list", "detail"];

/** Which of a list and its details has the focus; where only one fits, it is the one that is shown. */
export function useMasterDetail(active: boolean): MasterDetailState {
  const layout = useLayout();
  const { focused, focus } = usePanes(panes, { active });
  const split = splitOf(layout);
  return {
    listHeight: split?.list.height ?? layout.height,
    listHidden: split === undefined && focused === "detail",
    // What is typed above the list is typed in sight of it.
    detailOpen: active && focused === "detail",
    listFocused: active && focused === "list",
    detailFocused: active && focused === "detail",
    detailChosen: focused === "detail",
    open: () => focus("detail"),
    close: () => focus("list"),
  };
}
