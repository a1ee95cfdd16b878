import { useState } from "react";
import { splitOf } from "../layout.ts";
import { useLayout } from "./use-layout.tsx";
import { usePanes } from "./use-panes.tsx";

export interface MasterDetailState {
  /** Rows of the screen that the list has. */
  readonly listHeight: number;
  /** Where only one pane fits: whether it is the detail. */
  readonly detailOpen: boolean;
  readonly listFocused: boolean;
  readonly detailFocused: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

const panes = ["list", "detail"];

/** Which of a list and its details has the focus, whether they stand side by side or take turns. */
export function useMasterDetail(active: boolean): MasterDetailState {
  const layout = useLayout();
  const split = splitOf(layout);
  const [opened, setOpened] = useState(false);
  const { focused, focus } = usePanes(panes, { active });
  const both = split !== undefined;
  return {
    listHeight: split?.list.height ?? layout.height,
    detailOpen: opened,
    listFocused: active && (both ? focused === "list" : !opened && focused !== "places"),
    detailFocused: active && (both ? focused === "detail" : opened),
    open: () => {
      setOpened(true);
      focus("detail");
    },
    close: () => {
      setOpened(false);
      focus("list");
    },
  };
}
