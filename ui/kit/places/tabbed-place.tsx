import type { ReactElement } from "react";
import { tabAfter, type PaneTabs } from "../panes/tabs.ts";
import { useRemembered } from "../state/use-remembered.ts";

/** The part of a tabbed place that a list place has. */
export interface PlaceTab {
  /** The tabs of the place, for the frame of the part. */
  readonly tabs: PaneTabs;
  /** Goes on by so many tabs: keys that are pressed fast arrive as one. */
  readonly nextTab: (count: number) => void;
  readonly previousTab: (count: number) => void;
  /** Back to the first tab; absent in it. */
  readonly toFirst: (() => void) | undefined;
}

/** A part of a place; `tab` is absent where it is the whole place. */
export type TabScreen = (props: { readonly tab?: PlaceTab }) => ReactElement;

/** A place of several parts, one at a time, whose frame has their names. */
export function tabbedPlace(
  name: string,
  screens: Readonly<Record<string, TabScreen>>,
): () => ReactElement | null {
  const names = Object.keys(screens);
  const [first = ""] = names;
  return function TabbedPlace() {
    const [remembered, setOpen] = useRemembered(`tab of ${name}`, first);
    const open = names.includes(remembered) ? remembered : first;
    const Open = screens[open];
    const tab: PlaceTab = {
      tabs: { names, open, choose: setOpen },
      nextTab: (count) => setOpen(tabAfter(names, open, count)),
      previousTab: (count) => setOpen(tabAfter(names, open, -count)),
      toFirst: open === first ? undefined : () => setOpen(first),
    };
    return Open === undefined ? null : <Open key={open} tab={tab} />;
  };
}
