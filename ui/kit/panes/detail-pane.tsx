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
  /** Names the kind of thing, so that its open tab is remembered. */
  readonly kind: string;
  readonly title: string;
  readonly item: Item | undefined;
  readonly keyOf: (item: Item) => string;
  /** Ways to look at it, by name; a single one needs no tabs. Keep it steady between frames. */
  readonly views: Readonly<Record<string, (item: Item, width: number) => readonly StyledLine[]>>;
  readonly focused: boolean;
  /** What must be known of it, above everything else. */
  readonly caution?: string | undefined;
}

/** What is selected in a list, as text in one of several views. */
export function DetailPane<Item>(props: DetailPaneProps<Item>) {
  const { area, kind, title, item, keyOf, views, focused, caution } = props;
  const names = Object.keys(views);
  const [kept, setKept] = useRemembered(`tab ${kind}`, names[0] ?? "");
  const open = names.includes(kept) ? kept : (names[0] ?? "");
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  const lines = useMemo(() => {
    const view = views[open];
    if (item === undefined || view === undefined) return [];
    return view(item, Math.max(1, inner.width - 2)).map((line) => [{ text: " " }, ...line]);
  }, [item, views, open, inner.width]);
  const turn = (by: number) => setKept(tabAfter(names, open, by));
  useKeys(
    focused ? "pane" : "place",
    { nextTab: (count) => turn(count), previousTab: (count) => turn(-count) },
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
