import { createContext, useCallback, useMemo, useState, type ReactNode } from "react";
import { useKeys } from "../keys/use-keys.tsx";
import { useProvided } from "../state/use-provided.ts";

interface PaneFocus {
  readonly focused: string;
  readonly setFocused: (pane: string) => void;
  /** Whether the pane of places is shown beside the screen. */
  readonly sidebar: boolean;
}

const PaneContext = createContext<PaneFocus | undefined>(undefined);

/** The pane of places at the left. */
const sidebarPane = "places";

export function PaneProvider(props: {
  readonly sidebar: boolean;
  /** What is open: going back to it finds the focus where it was, going there anew does not. */
  readonly route: object;
  readonly children: ReactNode;
}) {
  const { sidebar, route } = props;
  const [kept] = useState(() => new WeakMap<object, string>());
  const [held, setHeld] = useState({ route, pane: "" });
  const focused = held.route === route ? held.pane : (kept.get(route) ?? "");
  const setFocused = useCallback(
    (pane: string) => {
      kept.set(route, pane);
      setHeld({ route, pane });
    },
    [kept, route],
  );
  const focus = useMemo(() => ({ focused, setFocused, sidebar }), [focused, setFocused, sidebar]);
  return <PaneContext value={focus}>{props.children}</PaneContext>;
}

function useFocus(): PaneFocus {
  return useProvided(PaneContext, "PaneProvider");
}

/** Whether the pane of places has the focus, and how to give it away. */
export function useSidebarFocus(): { readonly focused: boolean; readonly leave: () => void } {
  const { focused, setFocused, sidebar } = useFocus();
  return { focused: sidebar && focused === sidebarPane, leave: () => setFocused("") };
}

/**
 * The pane of a screen that has the focus; Tab walks through them and the places. The first pane
 * has it when none of them was chosen.
 */
export function usePanes(
  panes: readonly string[],
  options: { readonly active?: boolean } = {},
): { readonly focused: string; readonly focus: (pane: string) => void } {
  const { focused, setFocused, sidebar } = useFocus();
  const ring = sidebar ? [...panes, sidebarPane] : panes;
  const at = ring.includes(focused) ? focused : (panes[0] ?? "");
  const turn = (by: number) => {
    const next = ring.at((ring.indexOf(at) + by) % ring.length);
    if (next !== undefined) setFocused(next);
  };
  const several = ring.length > 1;
  useKeys(
    "place",
    {
      nextPane: several ? turn : undefined,
      previousPane: several ? (count) => turn(-count) : undefined,
    },
    { active: options.active ?? true },
  );
  return { focused: at, focus: setFocused };
}
