import { useKeys } from "../keys/use-keys.ts";
import { useRemembered } from "../state/use-remembered.ts";
import {
  defaultSizes,
  mostSteps,
  splitOf,
  type Layout,
  type PaneSizes,
  type Split,
} from "./layout.ts";
import { usePanes } from "./use-panes.ts";

export interface MasterDetailState {
  /** Absent where one pane is shown at a time. */
  readonly split: Split | undefined;
  readonly sizes: PaneSizes;
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
  /** The name of the place, for which the sizes of its panes are kept. */
  readonly name: string;
}): MasterDetailState {
  const { active, layout, hasDetail, name } = options;
  const { focused, focus } = usePanes(hasDetail ? both : alone, { active });
  const [sizes, setSizes] = useRemembered(`panes ${name}`, defaultSizes);
  const split = hasDetail ? splitOf(layout, sizes) : undefined;
  const resize = (steps: number) =>
    setSizes(({ by }) => ({
      isZoomed: false,
      by: Math.max(-mostSteps, Math.min(by + steps, mostSteps)),
    }));
  useKeys(
    "place",
    {
      zoom: () => setSizes((now) => ({ ...now, isZoomed: !now.isZoomed })),
      largerList: (count) => resize(count),
      smallerList: (count) => resize(-count),
    },
    { active: active && hasDetail && layout.shape !== "narrow" },
  );
  return {
    split,
    sizes,
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
