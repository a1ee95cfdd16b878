import { useMemo } from "react";
import { ScrollView } from "../text/scroll-view.tsx";
import { indented, type StyledLine } from "../text/styled-lines.ts";
import type { Size } from "./layout.ts";
import { TabbedPane, type TabbedPaneProps } from "./tabbed-pane.tsx";

type View<Item> = (item: Item, width: number) => readonly StyledLine[];

interface DetailPaneProps<Item> extends Omit<TabbedPaneProps, "isFilled" | "tabs" | "draw"> {
  readonly item: Item | undefined;
  readonly keyOf: (item: Item) => string;
  /** The tabs by name. The object must be the same in each frame. */
  readonly views: Readonly<Record<string, View<Item>>>;
}

/** The selected item of a list as text, in one of several views. */
export function DetailPane<Item>(props: DetailPaneProps<Item>) {
  const { item, keyOf, views, focused, ...pane } = props;
  return (
    <TabbedPane
      {...pane}
      focused={focused}
      isFilled={item !== undefined}
      tabs={Object.keys(views)}
      draw={(tab, area) => {
        const view = views[tab];
        if (item === undefined || view === undefined) return null;
        const of = `${keyOf(item)} ${tab}`;
        return <ItemText<Item> item={item} view={view} of={of} area={area} focused={focused} />;
      }}
    />
  );
}

/** An item as text that scrolls; `of` names the item and its view. */
export function ItemText<Item>(props: {
  readonly item: Item;
  readonly view: View<Item>;
  readonly of: string;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { item, view, of, area, focused } = props;
  const { width } = area;
  const lines = useMemo(() => indented(view(item, Math.max(1, width - 2))), [item, view, width]);
  return <ScrollView of={of} lines={lines} {...area} focused={focused} />;
}
