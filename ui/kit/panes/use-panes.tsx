import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from "react";
import { useKeys } from "../keys/use-keys.tsx";
import { requiredContext } from "../state/required-context.ts";
import { layoutOf, type Layout } from "./layout.ts";

interface PaneFocus {
  readonly focused: string;
  readonly setFocused: (pane: string) => void;
  readonly sidebar: boolean;
}

const [PaneContext, useFocus] = requiredContext<PaneFocus>("PaneProvider");

const sidebarPane = "places";

export function PaneProvider(props: {
  readonly sidebar: boolean;
  /** The open route: going back to it restores its focus, opening it again does not. */
  readonly route: object;
  readonly children: ReactNode;
}) {
  const { sidebar, route } = props;
  const [paneOf] = useState(() => new WeakMap<object, string>());
  const [latest, setLatest] = useState({ route, pane: "" });
  const focused = latest.route === route ? latest.pane : (paneOf.get(route) ?? "");
  const setFocused = useCallback(
    (pane: string) => {
      paneOf.set(route, pane);
      setLatest({ route, pane });
    },
    [paneOf, route],
  );
  const focus = useMemo(() => ({ focused, setFocused, sidebar }), [focused, setFocused, sidebar]);
  return <PaneContext value={focus}>{props.children}</PaneContext>;
}

/** Whether the sidebar has the focus, and a function that returns the focus to the screen. */
export function useSidebarFocus(): { readonly focused: boolean; readonly leave: () => void } {
  const { focused, setFocused, sidebar } = useFocus();
  return { focused: sidebar && focused === sidebarPane, leave: () => setFocused("") };
}

/** The focused pane of a screen, at first the first one; Tab moves through them and the sidebar. */
export function usePanes(
  panes: readonly string[],
  options: { readonly active?: boolean } = {},
): { readonly focused: string; readonly focus: (pane: string) => void } {
  const { focused, setFocused, sidebar } = useFocus();
  const ring = sidebar ? [...panes, sidebarPane] : panes;
  const at = ring.includes(focused) ? focused : (panes[0] ?? "");
  const moveFocus = (by: number) => {
    const next = ring.at((ring.indexOf(at) + by) % ring.length);
    if (next !== undefined) setFocused(next);
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
  return { focused: at, focus: setFocused };
}

export const LayoutContext = createContext<Layout>(layoutOf(80, 24));

export function useLayout(): Layout {
  return useContext(LayoutContext);
}
