import { createContext, useContext } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { Part, usePart } from "../state/part.ts";
import { Store, useStore } from "../state/store.ts";
import { layoutOf, type Layout } from "./layout.ts";

const sidebarPane = "places";

/** The focused pane of the open route. Going back to a route restores its focus. */
export class PaneFocus {
  readonly pane = new Store("");
  readonly #paneOf = new WeakMap<object, string>();
  #route: object = {};

  /** Shows the focus of a route; opening it again does not restore it. */
  enter(route: object): void {
    this.#route = route;
    this.pane.set(this.#paneOf.get(route) ?? "");
  }

  readonly focus = (pane: string): void => {
    this.#paneOf.set(this.#route, pane);
    this.pane.set(pane);
  };
}

export const paneFocusPart = new Part<PaneFocus>("focus");

/** Whether the sidebar has the focus, and a function that returns the focus to the screen. */
export function useSidebarFocus(): { readonly focused: boolean; readonly leave: () => void } {
  const { pane, focus } = usePart(paneFocusPart);
  return { focused: useStore(pane) === sidebarPane, leave: () => focus("") };
}

/** The focused pane of a screen, at first the first one; Tab moves through them and the sidebar. */
export function usePanes(
  panes: readonly string[],
  options: { readonly active?: boolean } = {},
): { readonly focused: string; readonly focus: (pane: string) => void } {
  const { pane, focus } = usePart(paneFocusPart);
  const focused = useStore(pane);
  const ring = useLayout().sidebar > 0 ? [...panes, sidebarPane] : panes;
  const at = ring.includes(focused) ? focused : (panes[0] ?? "");
  const moveFocus = (by: number) => {
    const next = ring.at((ring.indexOf(at) + by) % ring.length);
    if (next !== undefined) focus(next);
  };
  const several = ring.length > 1;
  useKeys(
    "place",
    {
      nextPane: several ? moveFocus : undefined,
      previousPane: several ? (count) => moveFocus(-count) : undefined,
    },
    { active: options.active ?? true },
  );
  return { focused: at, focus };
}

export const LayoutContext = createContext<Layout>(layoutOf(80, 24));

export function useLayout(): Layout {
  return useContext(LayoutContext);
}
