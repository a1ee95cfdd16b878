import { Box } from "ink";
import type { ReactElement } from "react";
import { tabAfter, Tabs } from "../panes/tabs.tsx";
import { useLayout } from "../panes/use-panes.ts";
import type { Layout } from "../panes/layout.ts";
import { useRemembered } from "../state/use-remembered.ts";

const tabRows = 1;

/** The part of a tabbed place that a list place has. */
export interface PlaceTab {
  readonly layout: Layout;
  /** Goes on by so many tabs: keys that are pressed fast arrive as one. */
  readonly nextTab: (count: number) => void;
  readonly previousTab: (count: number) => void;
  /** Back to the first tab; absent in it. */
  readonly toFirst: (() => void) | undefined;
}

/** A part of a place; `tab` is absent where it is the whole place. */
export type TabScreen = (props: { readonly tab?: PlaceTab }) => ReactElement;

/** A place of several parts, one at a time, below a line with their names. */
export function tabbedPlace(
  name: string,
  screens: Readonly<Record<string, TabScreen>>,
): () => ReactElement {
  const tabs = Object.keys(screens);
  const [first = ""] = tabs;
  return function TabbedPlace() {
    const layout = useLayout();
    const [remembered, setOpen] = useRemembered(`tab of ${name}`, first);
    const open = tabs.includes(remembered) ? remembered : first;
    const Open = screens[open];
    const tab: PlaceTab = {
      layout: { ...layout, height: layout.height - tabRows },
      nextTab: (count) => setOpen(tabAfter(tabs, open, count)),
      previousTab: (count) => setOpen(tabAfter(tabs, open, -count)),
      toFirst: open === first ? undefined : () => setOpen(first),
    };
    return (
      <Box flexDirection="column" flexShrink={0} width={layout.width} height={layout.height}>
        <Tabs tabs={tabs} open={open} />
        {Open === undefined ? null : <Open key={open} tab={tab} />}
      </Box>
    );
  };
}
