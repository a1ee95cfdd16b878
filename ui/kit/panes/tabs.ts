/** Tabs of a pane; its content may be that of none of them. */
export interface PaneTabs {
  readonly names: readonly string[];
  readonly open: string | undefined;
  /** Opens a tab that is clicked. */
  readonly choose?: ((name: string) => void) | undefined;
}

/** The tab some steps after the open one, continuing at the first. */
export function tabAfter<Tab extends string>(tabs: readonly Tab[], open: Tab, by: number): Tab {
  return tabs.at((tabs.indexOf(open) + by) % tabs.length) ?? open;
}
