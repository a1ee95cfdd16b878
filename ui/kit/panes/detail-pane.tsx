import { useMemo } from "react";
import { useRemembered } from "../state/use-remembered.tsx";
import { useKeys } from "../keys/use-keys.tsx";
import type { StyledLine } from "../text/styled-lines.ts";
import type { Size } from "./layout.ts";
import { Pane, paneBorder } from "./pane.tsx";
import { ScrollView } from "../text/scroll-view.tsx";
import { CautionLine, Empty } from "./states.tsx";
import { tabAfter, Tabs } from "./tabs.tsx";

export interface DetailPaneProps<Item> {
  readonly area: Size;
  /** Kind of the item, under which its open tab is remembered. */
  readonly kind: string;
  readonly title: string;
  readonly item: Item | undefined;
  readonly keyOf: (item: Item) => string;
  /** Views of the item by tab name; a single one has no tabs. Memoise it. */
  readonly views: Readonly<Record<string, (item: Item, width: number) => readonly StyledLine[]>>;
  readonly focused: boolean;
  /** A warning above the content. */
  readonly caution?: string | undefined;
}

/** The selected item of a list, as text in one of several views. */
export function DetailPane<Item>(props: DetailPaneProps<Item>) {
  const { area, kind, title, item, keyOf, views, focused, caution } = props;
  const names = Object.keys(views);
  const [first = ""] = names;
  const [tab, setTab] = useRemembered(`tab ${kind}`, first);
  const open = names.includes(tab) ? tab : first;
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  const lines = useMemo(() => {
    const view = views[open];
    if (item === undefined || view === undefined) return [];
    return view(item, Math.max(1, inner.width - 2)).map((line) => [{ text: " " }, ...line]);
  }, [item, views, open, inner.width]);
  const openTab = (by: number) => setTab(tabAfter(names, open, by));
  useKeys(
    focused ? "pane" : "place",
    { nextTab: (count) => openTab(count), previousTab: (count) => openTab(-count) },
    { active: item !== undefined && names.length > 1 },
  );
  const tabRows = names.length > 1 ? 1 : 0;
  const cautionRows = caution === undefined ? 0 : 1;
  return (
    <Pane title={title} width={area.width} height={area.height} focused={focused}>
      {item === undefined ? (
        <Empty {...inner} words="Nothing is selected." />
      ) : (
        <>
          {caution === undefined ? null : <CautionLine words={caution} width={inner.width} />}
          {tabRows > 0 ? <Tabs tabs={names} open={open} /> : null}
          <ScrollView
            of={`${keyOf(item)} ${open}`}
            lines={lines}
            width={inner.width}
            height={inner.height - tabRows - cautionRows}
            focused={focused}
          />
        </>
      )}
    </Pane>
  );
}
