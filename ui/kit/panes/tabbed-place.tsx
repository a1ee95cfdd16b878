import { Box } from "ink";
import { useMemo, type ReactNode } from "react";
import { useRemembered } from "../state/use-remembered.ts";
import { tabAfter, Tabs } from "./tabs.tsx";
import { LayoutContext, useLayout } from "./use-panes.ts";

const tabRows = 1;

/** Moves between the parts of a tabbed place. */
export interface TabMoves {
  readonly nextTab: () => void;
  readonly previousTab: () => void;
  /** Back to the first tab; absent in it. */
  readonly toFirst: (() => void) | undefined;
}

/** A place of several lists, one at a time, below a line with their names. */
export function TabbedPlace<Tab extends string>(props: {
  /** The place; its open tab is remembered. */
  readonly name: string;
  readonly tabs: readonly [Tab, ...Tab[]];
  readonly draw: (tab: Tab, moves: TabMoves) => ReactNode;
}) {
  const { name, tabs } = props;
  const layout = useLayout();
  const [first] = tabs;
  const [remembered, setOpen] = useRemembered<Tab>(`tab of ${name}`, first);
  const open = tabs.includes(remembered) ? remembered : first;
  const inner = useMemo(() => ({ ...layout, height: layout.height - tabRows }), [layout]);
  const moves: TabMoves = {
    nextTab: () => setOpen(tabAfter(tabs, open, 1)),
    previousTab: () => setOpen(tabAfter(tabs, open, -1)),
    toFirst: open === first ? undefined : () => setOpen(first),
  };
  return (
    <Box flexDirection="column" flexShrink={0} width={layout.width} height={layout.height}>
      <Tabs tabs={tabs} open={open} />
      <LayoutContext value={inner}>{props.draw(open, moves)}</LayoutContext>
    </Box>
  );
}
